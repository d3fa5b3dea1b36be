// The steps of a chain.

const MOST = 24;
const MOST_STEPS = 6;
const ENDS = ["input", "literal"];

let steps = [];
let seen = new Set();

function step(role, node, value, text) {
  if (steps.length >= MOST || node === undefined) return;
  if (role === "part" && value === NOTHING && node.k === "id") return;
  const file = table.files[node.file];
  const made = { role, file: file.path, line: lineOf(file, node.s), expression: text ?? textOf(node), value: value === NOTHING ? "" : safe(value) };
  if (text === undefined && isLiteral(node) && made.value !== "") made.expression = made.value;
  const before = steps[steps.length - 1];
  if (before && before.file === made.file && before.line === made.line && before.expression === made.expression) {
    if (ENDS.includes(role)) before.role = role;
    if (before.value === "") before.value = made.value;
    return;
  }
  steps.push(made);
}

function once(...key) {
  const text = key.join();
  if (seen.has(text) || seen.size > 300) return false;
  seen.add(text);
  return true;
}

// The beginning and the end of a chain: what failed and where it came from.
function shortened(chain, most) {
  if (chain.length <= most) return chain;
  const first = Math.ceil(most / 2);
  const rest = most > first ? chain.slice(first - most) : [];
  if (rest.length > 0) rest[0] = { ...rest[0], gap: true };
  return [...chain.slice(0, first), ...rest];
}

// One chain after the other, each shortened so that all are to be seen within the bound.
function chains(makers) {
  let made = makers.slice(0, 2).map((make) => {
    steps = [];
    make();
    return steps;
  });
  if (made.length === 2) {
    const second = Math.min(made[1].length, Math.max(2, MOST_STEPS - made[0].length));
    made = [shortened(made[0], MOST_STEPS - second), shortened(made[1], second)];
  }
  steps = made.flat();
}
