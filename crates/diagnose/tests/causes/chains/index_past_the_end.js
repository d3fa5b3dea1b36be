// origin: 5 | 3
const points = [{ x: 1 }, { x: 2 }, { x: 3 }];

let sum = 0;
for (let i = 0; i <= points.length; i++) {
  sum += points[i].x;
}
console.log(sum);
