# origin: 3 | {'db'
import json
settings = json.loads('{"db": {"port": null}}')
port = settings["db"]["port"]
print(port + 1)
