# origin: 12 | 'green'
def action(color):
    rules = table()
    return rules.get(color).upper()


def table():
    rules = {"red": "stop"}
    return rules


print(action("green"))
