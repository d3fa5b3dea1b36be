// expect: ReferenceError | 3 | name
function total(items) {
  return itmes.length;
}
total([]);
