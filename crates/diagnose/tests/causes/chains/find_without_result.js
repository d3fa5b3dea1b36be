// origin: 7 | 3
const users = [{ id: 1, name: "ann" }, { id: 2, name: "bob" }];

function nameOf(id) {
  return users.find((user) => user.id === id).name;
}
const wanted = 3;
console.log(nameOf(wanted));
