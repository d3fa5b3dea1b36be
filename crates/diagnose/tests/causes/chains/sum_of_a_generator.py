# origin: 4 | None
orders = [
    {"id": 1, "amount": 5},
    {"id": 2, "amount": None},
    {"id": 3, "amount": 7},
]
print(sum(order["amount"] for order in orders))
