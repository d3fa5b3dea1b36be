// expect: TypeError | 3 | null
function first(list) {
  return list[0];
}
first(null);
