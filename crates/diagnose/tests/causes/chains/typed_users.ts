// origin: 12 | {name: 'bob'}
interface Address {
  city: string;
}
interface User {
  name: string;
  address?: Address;
}

const users: User[] = [
  { name: "ann", address: { city: "Oslo" } },
  { name: "bob" },
];

function cities(list: readonly User[]): string[] {
  return list.map((user: User): string => user.address!.city);
}

console.log(cities(users).join(", "));
