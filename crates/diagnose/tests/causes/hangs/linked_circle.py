# hang: loop | 16 | node
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


a = Node(1)
b = Node(2, a)
a.next = b


def length(node):
    count = 0
    node_seen = None
    while node is not None:
        count += 1
        node = node.next
    return count


print(length(a))
