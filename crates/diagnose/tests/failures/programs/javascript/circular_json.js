// expect: TypeError | 4 | value
const a = {};
a.self = a;
JSON.stringify(a);
