# expect: json.decoder.JSONDecodeError | 5 | value
import json

def read(text):
    return json.loads(text)

read("{")
