// expect: SyntaxError | 2 | syntax
const name = "ann;
console.log(name);
