// expect: SyntaxError | 2 | syntax
console.log("a";
