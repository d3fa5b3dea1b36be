# expect: TypeError | 5 | null
def find(values):
    values.sort()

print(find([3, 1])[0])
