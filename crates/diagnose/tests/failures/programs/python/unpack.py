# expect: ValueError | 2 | value
a, b = [1, 2, 3]
