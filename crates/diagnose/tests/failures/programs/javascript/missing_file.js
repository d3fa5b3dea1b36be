// expect: Error | 4 | io
const fs = require("fs");
function load(path) {
  return fs.readFileSync(path);
}
load("/work/nothing.txt");
