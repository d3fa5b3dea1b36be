# origin: 3 | 
def setup():
    connection = {"name": "main"}
    return connection


setup()
print(connection["name"])
