# expect: OutOfStock | 7 | raised
class OutOfStock(Exception):
    pass

def take(count):
    if count == 0:
        raise OutOfStock("nothing left")

take(0)
