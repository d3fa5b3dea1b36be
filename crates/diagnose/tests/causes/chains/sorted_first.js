// origin: 2 | []
const results = [];

function best(list) {
  const sorted = list.slice().sort((a, b) => b.score - a.score);
  return sorted[0].score;
}

console.log(best(results));
