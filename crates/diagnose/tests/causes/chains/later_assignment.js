// origin: 10 | null
class Cache {
  constructor() {
    this.entries = {};
  }
  get(key) {
    return this.entries[key];
  }
  clear() {
    this.entries = null;
  }
}

const cache = new Cache();
cache.clear();
console.log(cache.get("a"));
