// origin: 6 | {width: 3}
function area({ width, size: { height } }) {
  return width * height;
}

const box = { width: 3 };
console.log(area(box));
