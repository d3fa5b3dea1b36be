// origin: 3 | null
async function find(id) {
  if (id > 2) return null;
  return { id, tags: ["a"] };
}

async function main() {
  for (const id of [1, 2, 3]) {
    const found = await find(id);
    console.log(found.tags.length);
  }
}

main();
