// origin: 9 | 20
const assert = require("node:assert");

function withTax(price, rate) {
  return price + price * rate;
}

const expected = 12;
const price = 20;
assert.equal(withTax(price, 0.2), expected);
