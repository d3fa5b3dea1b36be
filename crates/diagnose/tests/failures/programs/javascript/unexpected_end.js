// expect: SyntaxError | 4 | syntax
function f() {
  return 1;

