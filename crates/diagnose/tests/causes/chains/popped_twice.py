# origin: 7 | 
stack = []
for token in "3 +".split():
    if token.isdigit():
        stack.append(int(token))
    else:
        b = stack.pop()
        a = stack.pop()
        stack.append(a + b)
