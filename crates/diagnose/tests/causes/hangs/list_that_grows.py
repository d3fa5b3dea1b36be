# hang: loop | 3 | items
items = [1, 2, 3]
for item in items:
    items.append(len(str(item)))
print(items)
