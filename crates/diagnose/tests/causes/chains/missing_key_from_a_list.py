# origin: 4 | 'grape'
stock = {"apple": 3, "pear": 1}

orders = [("apple", 1), ("grape", 2)]
for fruit, count in orders:
    stock[fruit] -= count
print(stock)
