// origin: 5 | undefined
const ids = [1, 2, 3];

async function load(id) {
  return id < 3 ? { id, size: 2 } : undefined;
}

async function main() {
  const all = await Promise.all(ids.map(load));
  let sum = 0;
  for (const one of all) sum += one.size;
  return sum;
}

main().then(console.log);
