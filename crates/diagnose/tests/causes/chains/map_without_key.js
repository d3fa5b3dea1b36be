// origin: 7 | 'green'
const prices = new Map([["red", { price: 3 }], ["blue", { price: 4 }]]);

function priceOf(color) {
  return prices.get(color).price;
}
const color = "green";
console.log(priceOf(color));
