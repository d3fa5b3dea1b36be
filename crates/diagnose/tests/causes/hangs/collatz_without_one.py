# hang: loop | 5 | n
def steps(n):
    count = 0
    # 0 is its own successor
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


print(steps(0))
