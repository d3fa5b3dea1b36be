# expect: TypeError | 3 | type
total = 3
print(total())
