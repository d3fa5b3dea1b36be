# hang: loop | 4 | i
def first_negative(xs):
    i = 0
    while i < len(xs):
        if xs[i] < 0:
            return i
    return -1


print(first_negative([3, 2, -1]))
