# expect: FileNotFoundError | 2 | io
with open("no-such-file.txt") as handle:
    print(handle.read())
