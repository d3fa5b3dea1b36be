# origin: 7 | None
class Node:
    def __init__(self, value):
        self.value = value
        # filled in by link()

        self.next = None


def second(node):
    return node.next.value


print(second(Node(1)))
