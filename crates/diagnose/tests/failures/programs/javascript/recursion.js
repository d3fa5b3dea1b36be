// expect: RangeError | 3 | recursion
function down(n) {
  return down(n - 1);
}
down(1);
