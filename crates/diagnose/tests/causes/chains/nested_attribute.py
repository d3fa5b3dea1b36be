# origin: 11 | None
class Engine:
    power = 3


class Car:
    def __init__(self, engine):
        self.engine = engine


garage = {"a": Car(Engine()), "b": Car(None)}
for name in garage:
    print(name, garage[name].engine.power)
