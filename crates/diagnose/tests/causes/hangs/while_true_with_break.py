# hang: loop | 4 | attempts
def retry(attempts):
    delay = 1
    while True:
        delay *= 2
        delay %= 1000003
        if attempts == 0:
            break
    return delay


print(retry(3))
