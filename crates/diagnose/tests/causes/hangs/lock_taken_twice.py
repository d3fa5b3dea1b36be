# hang: deadlock | 11 | self.lock
import threading


class Account:
    def __init__(self):
        self.lock = threading.Lock()
        self.balance = 0

    def deposit(self, amount):
        with self.lock:
            self.balance += amount

    def move(self, other, amount):
        with self.lock:
            self.deposit(-amount)
            other.deposit(amount)


Account().move(Account(), 5)
