// origin: 2 |
async function load() {
  return { items: ["pen"] };
}

async function main() {
  const cart = load();
  console.log(cart.items.length);
}

main();
