# expect: EOFError | 2 | io
name = input()
