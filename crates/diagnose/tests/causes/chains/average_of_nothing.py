# origin: 13 | []
def average(xs):
    return sum(xs) / len(xs)


def report(rows):
    for r in rows:
        print(r["name"], average(r["scores"]))


report([
    {"name": "a", "scores": [1, 2]},
    {"name": "b", "scores": []},
])
