// expect: ReferenceError | 2 | name
console.log(late);
const late = 1;
