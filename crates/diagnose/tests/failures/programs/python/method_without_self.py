# expect: TypeError | 6 | type
class Counter:
    def add():
        pass

Counter().add()
