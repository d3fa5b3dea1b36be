// expect: TypeError | 2 | type
console.log(1n + 1);
