# expect: IndexError | 4 | index
values = [1, 2, 3]
for position in range(len(values) + 1):
    print(values[position])
