# origin: 10 | None
class Cache:
    def __init__(self):
        self.entries = {}


cache = Cache()
cache.entries["a"] = [1]

cache.entries["b"] = None
print([len(cache.entries[key]) for key in sorted(cache.entries)])
