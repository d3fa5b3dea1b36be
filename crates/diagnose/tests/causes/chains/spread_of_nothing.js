// origin: 2 | undefined
const state = { list: undefined };

function add(state, item) {
  return { ...state, list: [...state.list, item] };
}

console.log(add(state, 1));
