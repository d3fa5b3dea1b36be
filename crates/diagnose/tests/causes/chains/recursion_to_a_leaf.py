# origin: 10 | None
def depth(tree):
    left = depth(tree["left"]) if tree["left"] is not None else 0
    right = depth(tree["right"])
    return 1 + max(left, right)


tree = {
    "left": None,
    "right": None,
}
print(depth(tree))
