# origin: 10 | [3, 5]
class Repository:
    def __init__(self, rows):
        self.rows = rows

    def large(self, bound):
        return [row for row in self.rows if row > bound]


repository = Repository([3, 5])
print(repository.large(10)[0])
