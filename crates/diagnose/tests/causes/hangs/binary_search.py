# hang: loop | 4 | low
def search(xs, wanted):
    low, high = 0, len(xs)
    while low < high:
        middle = (low + high) // 2
        if xs[middle] == wanted:
            return middle
        if xs[middle] < wanted:
            low = middle
        else:
            high = middle
    return -1


print(search([1, 3, 5, 7], 6))
