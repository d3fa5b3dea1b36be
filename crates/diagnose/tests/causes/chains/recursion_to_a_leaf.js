// origin: 3 | {value: 2, left: {value: 9
const tree = { value: 1, left: { value: 2, left: { value: 3, left: null, right: null }, right: null },
  right: { value: 2, left: { value: 9, left: null, right: null } } };

function sum(node) {
  if (node === null) return 0;
  return node.value + sum(node.left) + sum(node.right);
}

console.log(sum(tree));
