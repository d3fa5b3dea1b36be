# hang: loop | 18 | items
class Hostile:
    def __repr__(self):
        raise SystemExit(1)

    def __eq__(self, other):
        raise SystemExit(2)

    def __getattribute__(self, name):
        raise SystemExit(3)

    def __hash__(self):
        return 1


items = {Hostile(): Hostile()}
count = 0
while items:
    count += 1
