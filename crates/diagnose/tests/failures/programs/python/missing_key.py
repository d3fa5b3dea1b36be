# expect: KeyError | 3 | key
ages = {"ann": 3}
print(ages["bob"])
