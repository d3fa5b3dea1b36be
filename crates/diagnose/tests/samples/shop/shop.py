def total(count, prices):
    sum = 0
    for price in prices:
        sum += price // count
    return sum


print("open")
for count in (3, 2, 1, 0):
    print(total(count, [6, 12]))
