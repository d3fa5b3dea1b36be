// expect: SyntaxError | 3 | syntax
let a = 1;
let a = 2;
