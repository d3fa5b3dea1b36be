// origin: 10 | 'green'
type Color = "red" | "blue" | "green";
const prices = new Map<Color, { price: number }>([["red", { price: 3 }], ["blue", { price: 4 }]]);

function priceOf(color: Color): number {
  const found = prices.get(color);
  return found!.price;
}

const color: Color = "green";
console.log(priceOf(color));
