# expect: AssertionError | 3 | assertion
def check(value):
    assert value > 3, f"too small: {value}"

check(2)
