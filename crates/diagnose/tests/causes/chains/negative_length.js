// origin: 7 | 2
function pad(text, width) {
  const missing = width - text.length;
  return " ".repeat(missing) + text;
}

const width = 2;
console.log(pad("long text", width));
