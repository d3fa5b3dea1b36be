// expect: RangeError | 2 | arithmetic
console.log(1n / 0n);
