// expect: TypeError | 3 | null
const user = {};
console.log(user.address.street);
