# expect: ValueError | 2 | value
print(int("12a"))
