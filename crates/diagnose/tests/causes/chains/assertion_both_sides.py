# origin: 13 | 5
def add_tax(price, rate):
    return price * rate


def total(prices):
    result = 0
    for price in prices:
        result += price
    return result


prices = [3, 5]
assert total(prices) == 10
