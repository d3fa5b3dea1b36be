# origin: 3 | 'ten' | ten
def read_count():
    return input()


count = int(read_count())
print(count)
