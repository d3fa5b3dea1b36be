# expect: SyntaxError | 2 | syntax
values = [1, 2,
print("x")
