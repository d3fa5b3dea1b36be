function total(count, prices) {
  let sum = 0;
  for (const price of prices) {
    sum += price / count.value;
  }
  return sum;
}

console.log("open");
for (const count of [{ value: 3 }, { value: 2 }, { value: 1 }, null]) {
  console.log(total(count, [6, 12]));
}
