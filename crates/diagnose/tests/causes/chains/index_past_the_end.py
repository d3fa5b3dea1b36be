# origin: 6 | range(0, 4)
values = [3, 1, 2]


def rising(xs):
    for i in range(len(xs) + 1):
        if xs[i] < 0:
            return False
    return True


print(rising(values))
