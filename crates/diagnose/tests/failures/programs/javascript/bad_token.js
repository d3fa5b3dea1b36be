// expect: SyntaxError | 2 | syntax
const list = [1, 2;
