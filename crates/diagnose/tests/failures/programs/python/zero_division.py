# expect: ZeroDivisionError | 3 | arithmetic
def mean(values):
    return sum(values) / len(values)

print(mean([]))
