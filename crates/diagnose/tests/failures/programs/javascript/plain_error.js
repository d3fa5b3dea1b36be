// expect: Error | 3 | raised
function check(age) {
  if (age < 0) throw new Error("negative age");
}
check(-1);
