// Where things are: nodes by their places, places of a stack in the text that the program's author wrote.

let table = null;

function load() {
  table = JSON.parse(host.table);
  table.nodes.forEach((node, id) => {
    node.id = id;
    node.file = table.functions[node.f]?.file ?? 0;
  });
  table.functions.forEach((fn, id) => (fn.id = id));
  table.symbols.forEach((symbol, id) => (symbol.id = id));
  for (const file of table.files) {
    file.starts = [0];
    for (let at = file.source.indexOf("\n"); at >= 0; at = file.source.indexOf("\n", at + 1)) file.starts.push(at + 1);
    file.nodes = [];
  }
  for (const node of table.nodes) table.files[node.file]?.nodes.push(node);
}

function nodeOf(id) {
  return id === undefined || id === null || id < 0 ? undefined : table.nodes[id];
}

function lineOf(file, offset) {
  let low = 0, high = file.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (file.starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

function textOf(node) {
  const text = table.files[node.file].source.slice(node.s, Math.min(node.e, node.s + 1000));
  return text.replace(/\s+/g, " ").trim();
}

// The offset in the original of a place in the rewritten text.
function original(file, line, column) {
  const start = file.starts[line - 1];
  if (start === undefined) return -1;
  let at = start, rest = column - 1;
  const ins = file.ins;
  let low = 0, high = ins.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ins[2 * middle] < start) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < ins.length / 2; index++) {
    const [place, length] = [ins[2 * index], ins[2 * index + 1]];
    if (rest < place - at) break;
    rest -= place - at;
    at = place;
    if (rest < length) return at;
    rest -= length;
  }
  return at + rest;
}

const FRAME_LINE = /^\s*at (?:async )?(?:(.*?) \()?((?:file:\/\/)?[^()\s][^()]*?):(\d+):(\d+)\)?$/;

// The frames of a stack that lie in the program's own files.
function ownFrames(stack) {
  const found = [];
  for (const line of stack.split("\n").slice(0, 400)) {
    const parts = FRAME_LINE.exec(line);
    if (parts === null) continue;
    let path = parts[2];
    if (path.startsWith("file://")) {
      try {
        path = decodeURIComponent(path.slice(7));
      } catch {
        continue;
      }
    }
    const file = table.files.find((file) => path === `${host.root}/${file.run ?? file.path}`);
    if (file === undefined) continue;
    const [row, column] = [Number(parts[3]), Number(parts[4])];
    const offset = original(file, row, column);
    if (offset >= 0) found.push({ file, line: row, offset });
  }
  return found;
}

// The innermost node of some kinds that holds a place.
function around(file, offset, kinds) {
  let best;
  for (const node of file.nodes) {
    if (node.s <= offset && offset < node.e && (!kinds || kinds.includes(node.k))) {
      if (best === undefined || node.e - node.s <= best.e - best.s) best = node;
    }
  }
  return best;
}

function innermost(file, test) {
  let best;
  for (const node of file.nodes) {
    if ((best === undefined || node.e - node.s <= best.e - best.s) && test(node)) best = node;
  }
  return best;
}

function bare(node) {
  while (node !== undefined && (node.k === "par" || node.k === "chain" || node.k === "spread")) node = nodeOf(node.a);
  return node;
}

function isLiteral(node) {
  return node.k === "lit" || node.k === "const" || (node.k === "un" && node.op !== "delete" && isLiteral(nodeOf(node.a)));
}

function callOf(id) {
  const node = bare(nodeOf(id));
  if (node === undefined) return undefined;
  if (node.k === "call" || node.k === "new") return node;
  // A call within an optional chain is noted as the whole chain.
  if (node.k === "mem") {
    for (let at = bare(nodeOf(node.o)); at; at = bare(nodeOf(at.o))) if (at.k === "call") return at;
  }
  return undefined;
}

// The plain name of what is called.
function calledName(call) {
  const callee = bare(nodeOf(call.o));
  return callee === undefined ? "" : callee.n ?? "";
}

function within(node, ancestor) {
  for (let at = node; at !== undefined; at = nodeOf(at.up)) if (at === ancestor) return true;
  return false;
}
