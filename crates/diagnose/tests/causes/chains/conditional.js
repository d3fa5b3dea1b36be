// origin: 6 | null
function pick(list, fallback) {
  return list.length > 0 ? list[0] : fallback;
}

const nothing = null;
console.log(pick([], nothing).id);
