// expect: RangeError | 2 | value
console.log("a".repeat(-1));
