# origin: 4 | 'two'
convert = lambda text: int(text)

words = ["1", "two"]
print(list(map(convert, words)))
