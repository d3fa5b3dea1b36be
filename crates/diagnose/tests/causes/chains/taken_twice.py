# origin: 4 | 
inventory = {"a": 1}
def take(k):
    return inventory.pop(k)
take("a")
take("a")
