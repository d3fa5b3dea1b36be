# origin: 4 | None
parts = [
    "a",
    None,
    "c",
]
print(", ".join(parts))
