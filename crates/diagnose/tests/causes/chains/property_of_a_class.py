# origin: 8 | 0
class Square:
    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        return self.side * 0


print(100 / Square(4).area)
