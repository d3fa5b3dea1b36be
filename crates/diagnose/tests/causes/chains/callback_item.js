// origin: 2 | null
const names = ["ann", null, "cid"];

function print(name) {
  console.log(name.toUpperCase());
}

names.forEach(print);
