from gcd import gcd


def test_gcd():
    assert gcd(12, 18) == 6
    assert gcd(7, 3) == 1
    assert gcd(5, 0) == 5
