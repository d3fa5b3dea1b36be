# origin: 4 | None
class Base:
    def __init__(self):
        self.items = None
class Child(Base):
    def __init__(self):
        super().__init__()
        self.name = "x"
    def add(self, x):
        self.items.append(x)
Child().add(1)
