# hang: loop | 4 | total
def converge(values):
    total, goal = 0.0, 1.0
    while total != goal:
        total = 0.0
        for value in values:
            total += value
    return total


print(converge([0.1] * 10))
