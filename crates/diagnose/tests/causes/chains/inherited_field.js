// origin: 4 | undefined
class Base {
  constructor(options) {
    this.options = options.extra;
  }
}
class Child extends Base {
  size() {
    return this.options.size;
  }
}

console.log(new Child({ name: "c" }).size());
