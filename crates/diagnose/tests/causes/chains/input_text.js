// origin: 5 | 'ten' | ten
const fs = require("fs");

function readCount() {
  return fs.readFileSync(0, "utf8");
}

const count = Number(readCount());
console.log("x".repeat(count - 20));
console.log(new Array(count));
