# expect: SyntaxError | 2 | syntax
name = "ann
print(name)
