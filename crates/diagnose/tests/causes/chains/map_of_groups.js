// origin: 9 | 'c'
const groups = new Map();

for (const [key, value] of [["a", 1], ["b", 2]]) {
  if (!groups.has(key)) groups.set(key, []);
  groups.get(key).push(value);
}

for (const key of ["a", "c"]) {
  console.log(groups.get(key).length);
}
