# origin: 3 | None
names = ["b", "a"]
ordered = names.sort()
print(ordered[0])
