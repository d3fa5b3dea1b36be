# origin: 4 | ''
def rows():
    yield "3"
    yield ""


def numbers(source):
    for row in source:
        yield int(row)


print(sum(numbers(rows())))
