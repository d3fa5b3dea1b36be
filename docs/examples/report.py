def mean(xs):
    return sum(xs) / len(xs)


def report(rows):
    for r in rows:
        print(r["name"], mean(r["scores"]))


rows = [
    {"name": "Ada", "scores": [3, 5]},
    {"name": "Bob", "scores": []},
]
report(rows)
