# origin: 5 | '4.50'
def load_cart():
    return [
        {"name": "pen", "price": 2},
        {"name": "ink", "price": "4.50"},
    ]


def total(items):
    total = 0
    for item in items:
        total += item["price"]
    return total


print(total(load_cart()))
