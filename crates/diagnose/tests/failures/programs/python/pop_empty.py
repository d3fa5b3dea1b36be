# expect: IndexError | 3 | index
stack = []
stack.pop()
