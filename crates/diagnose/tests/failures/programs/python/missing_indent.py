# expect: IndentationError | 3 | syntax
def f():
print("x")
