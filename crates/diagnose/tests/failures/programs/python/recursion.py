# expect: RecursionError | 3 | recursion
def down(n):
    return down(n - 1)

down(1)
