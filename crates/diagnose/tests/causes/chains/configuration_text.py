# origin: 13 | 'host=x
class Config:
    def __init__(self, path=None):
        self.path = path
        self.values = {}
    def load(self, text):
        for line in text.splitlines():
            k, v = line.split("=")
            self.values[k.strip()] = v.strip()
        return self
    def get(self, key):
        return self.values.get(key)
c = Config().load("host=x\nport = 80a")
port = int(c.get("port"))
