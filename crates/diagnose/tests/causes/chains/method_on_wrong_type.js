// origin: 6 | 5
function words(text) {
  return text.split(" ");
}

const row = { title: "a b", note: 5 };
console.log(words(row.title), words(row.note));
