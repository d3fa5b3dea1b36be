// origin: 3 |
function setup() {
  const connection = { name: "main" };
  return connection.name;
}

setup();
console.log(connection);
