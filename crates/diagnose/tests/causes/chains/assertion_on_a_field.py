# origin: 7 | 100
class Account:
    def __init__(self, balance):
        self.balance = balance

    def withdraw(self, amount):
        self.balance = amount


account = Account(250)
account.withdraw(100)
assert account.balance == 150, "wrong balance"
