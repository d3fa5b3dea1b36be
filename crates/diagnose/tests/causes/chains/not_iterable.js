// origin: 3 | {ann: 3
function scores() {
  return { ann: 3, bob: 5 };
}

for (const [name, score] of scores()) {
  console.log(name, score);
}
