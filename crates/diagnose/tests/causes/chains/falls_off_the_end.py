# origin: 6 | None
class Shop:
    def __init__(self):
        self.items = {"pen": 3}

    def price(self, name):
        if name in self.items:
            return self.items[name]


shop = Shop()
print(shop.price("ink") * 2)
