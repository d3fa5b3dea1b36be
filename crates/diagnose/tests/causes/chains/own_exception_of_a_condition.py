# origin: 13 | -5
class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        if amount < 0:
            raise ValueError("amount must not be negative")
        self.balance += amount


account = Account()
for amount in [10, -5, 3]:
    account.deposit(amount)
