# origin: 6 | None
def find_user(users, name):
    for user in users:
        if user["name"] == name:
            return user
    return None


users = [{"name": "ada", "mail": "ada@example.org"}]
user = find_user(users, "bob")
print(user["mail"])
