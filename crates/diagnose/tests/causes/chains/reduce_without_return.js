// origin: 3 | undefined
const words = ["a", "b", "a"];
const counts = words.reduce((result, word) => {
  result[word] = (result[word] ?? 0) + 1;
}, {});
console.log(counts.a);
