# expect: IndentationError | 4 | syntax
if True:
        print("a")
    print("b")
