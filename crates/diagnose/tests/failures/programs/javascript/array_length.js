// expect: RangeError | 2 | value
const list = new Array(-1);
