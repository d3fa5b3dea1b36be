// origin: 2 | [{name: 'ann'
const people = [{ name: "ann", age: 12 }, { name: "bob", age: 15 }];

const adults = people.filter((person) => person.age >= 18);
const oldest = adults.pop();
console.log(oldest.name);
