# origin: 3 | None
def counter():
    count = None

    def step():
        return count + 1
    return step


print(counter()())
