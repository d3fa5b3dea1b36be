// expect: AssertionError | 3 | assertion
const assert = require("assert");
assert.strictEqual(1 + 1, 3);
