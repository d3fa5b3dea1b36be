// origin: 3 | {id: 4}
function load() {
  return { id: 4 };
}

const response = load();
const { name, email } = response.user;
console.log(name, email);
