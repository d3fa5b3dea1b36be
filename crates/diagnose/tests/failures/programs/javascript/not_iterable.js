// expect: TypeError | 3 | type
const settings = { a: 1 };
for (const item of settings) console.log(item);
