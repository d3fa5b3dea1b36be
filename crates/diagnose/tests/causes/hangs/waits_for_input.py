# hang: input | 4 | input() | open
names = []
while True:
    name = input()
    if not name:
        break
    names.append(name)
print(names)
