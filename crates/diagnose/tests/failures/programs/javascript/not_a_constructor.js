// expect: TypeError | 3 | type
const make = () => 1;
new make();
