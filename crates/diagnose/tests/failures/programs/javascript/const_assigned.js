// expect: TypeError | 3 | type
const limit = 3;
limit = 4;
