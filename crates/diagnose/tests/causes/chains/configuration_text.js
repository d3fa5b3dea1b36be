// origin: 2 | 'port=80
const text = "port=80\nhost";

function parse(text) {
  const result = {};
  for (const line of text.split("\n")) {
    const [key, value] = line.split("=");
    result[key] = value.trim();
  }
  return result;
}

console.log(parse(text));
