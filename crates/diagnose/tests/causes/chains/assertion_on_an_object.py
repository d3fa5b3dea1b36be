# origin: 8 | [Item(name='pen', quantity=4)]
class Item:
    def __init__(self, name, quantity):
        self.name = name
        self.quantity = quantity
class Cart:
    def __init__(self):
        self.items = []
    def add(self, item):
        self.items.append(item)
    def total(self):
        return sum(i.quantity for i in self.items)
cart = Cart()
cart.add(Item("pen", 4))
assert cart.total() == 5, cart
