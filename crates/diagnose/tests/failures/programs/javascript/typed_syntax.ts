// expect: SyntaxError | 2 | syntax
const x: number = ;
