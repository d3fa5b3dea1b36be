# expect: SyntaxError | 2 | syntax
def f(x)
    return x
