// origin: 4 | {name: 'bob'}
const users = [
  { name: "ann", address: { city: "Oslo" } },
  { name: "bob" },
];

function cities(list) {
  return list.map((user) => user.address.city);
}

console.log(cities(users).join(", "));
