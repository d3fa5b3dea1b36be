// origin: 4 | '4,50'
const rows = [
  { item: "pen", price: "1.20" },
  { item: "ink", price: "4,50" },
];

function total(list) {
  let sum = 0;
  for (const row of list) {
    sum += Number(row.price);
  }
  return sum;
}

const sum = total(rows);
if (Number.isNaN(sum)) {
  throw new Error("the total is not a number");
}
console.log(sum.toFixed(2));
