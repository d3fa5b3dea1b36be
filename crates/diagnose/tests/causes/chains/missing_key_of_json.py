# origin: 4 | '{"host": "db"}'
import json

RAW = '{"host": "db"}'


def connect(config):
    return config["host"], config["port"]


print(connect(json.loads(RAW)))
