// expect: SyntaxError | 3 | value
function parse(text) {
  return JSON.parse(text);
}
parse("{a}");
