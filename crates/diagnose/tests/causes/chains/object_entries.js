// origin: 4 | null
const stock = {
  pen: { count: 3 },
  ink: null,
};

for (const [name, entry] of Object.entries(stock)) {
  console.log(name, entry.count);
}
