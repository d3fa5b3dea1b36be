# expect: AttributeError | 6 | attribute
class Dog:
    def bark(self):
        return "woof"

Dog().brak()
