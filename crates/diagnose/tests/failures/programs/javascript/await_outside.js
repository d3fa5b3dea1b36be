// expect: SyntaxError | 3 | syntax
function load() {
  await 1;
}
