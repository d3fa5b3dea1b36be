# expect: SyntaxError | 3 | syntax
x = 3
if x = 3:
    print(x)
