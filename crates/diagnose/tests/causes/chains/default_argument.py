# origin: 2 | 0
def share(total, people=0):
    return total / people


print(share(10))
