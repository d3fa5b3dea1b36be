# expect: NameError | 3 | name
def total(items):
    return sum(item.price for item in itmes)

total([])
