// origin: 12 |
class Counter {
  constructor() {
    this.count = 0;
  }
  add() {
    this.count += 1;
    return this.count;
  }
}

const counter = new Counter();
const add = counter.add;
console.log(add());
