# origin: 7 | 0
def ratio(part, whole):
    return part / whole


hits = 5
misses = 0
print(ratio(hits, misses))
