// origin: 6 | null
function join(first, second) {
  return first.concat(second.trim());
}

const parts = ["a", null];
console.log(join(...parts));
