// origin: 3 | null
function counter() {
  let state = null;
  return function () {
    state.count += 1;
    return state.count;
  };
}

const next = counter();
console.log(next());
