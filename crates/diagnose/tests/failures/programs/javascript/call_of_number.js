// expect: TypeError | 3 | type
const count = 3;
count();
