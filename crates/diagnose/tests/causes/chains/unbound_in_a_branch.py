# origin: 8 | []
def biggest(rows):
    for row in rows:
        best = row
    return best


rows = []
print(biggest(rows))
