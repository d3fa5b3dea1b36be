// expect: Error | 5 | raised
try {
  null.x;
} catch (error) {
  throw new Error("cannot start", { cause: error });
}
