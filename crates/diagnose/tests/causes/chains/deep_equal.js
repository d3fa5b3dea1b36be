// origin: 7 | 'b 2'
const assert = require("assert");
function parse(line) {
  const [name, count] = line.split(" ");
  return { name, count };
}
const line = "b 2";
assert.deepStrictEqual(parse(line), { name: "b", count: 2 });
