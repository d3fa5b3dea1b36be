// Follows a value from an expression to what it was made of.

const INPUTS = ["readFileSync", "readFile", "prompt", "question", "fetch", "createReadStream", "get_data", "readline"];
const LOOKUPS = ["find", "findLast", "findIndex", "findLastIndex", "indexOf", "lastIndexOf", "filter", "some", "every"];
const RETURN_NOTHING = ["forEach", "addEventListener", "clear"];

function follow(node, context, path = []) {
  if (node === undefined || steps.length >= MOST) return;
  if (!once(node.id, context.frame?.time ?? -1, context.until, path.map((part) => (part?.item !== undefined ? "*" : String(part))).join(":"))) return;
  const value = valueOf(node, context);
  // What an expression is made of was evaluated before it.
  const event = node.w ? last(node.id, context) : undefined;
  const inner = event === undefined ? context : contextOf(event);
  const handler = followers[node.k];
  if (handler !== undefined) handler(node, inner, path, value, event);
}

// A part of an expression: shown, and followed unless it is plain.
function part(node, context, role = "part", path = []) {
  if (node === undefined) return;
  step(role, node, valueOf(node, context));
  if (!isLiteral(node)) follow(node, context, path);
}

const followers = {
  __proto__: null,
  par: (node, context, path) => follow(nodeOf(node.a), context, path),
  chain: (node, context, path, value) => {
    const inner = nodeOf(node.a);
    // The link that ended the chain is where the object is missing.
    for (let at = bare(inner); at && value === undefined; at = bare(nodeOf(at.o))) {
      const object = nodeOf(at.o);
      if (object !== undefined && (at.opt || at.k === "mem") && isNullish(valueOf(object, context))) return part(object, context, "part");
    }
    follow(inner, context, path);
  },
  spread: (node, context, path) => follow(nodeOf(node.a), context, path),
  id: followName,
  mem: followMember,
  call: followCall,
  new: followCall,
  tag: (node, context, path, value) => returned(node, context, path, value) || part(nodeOf(node.c?.[0]), context),
  bin: followOperands,
  log(node, context, path, value) {
    const [left, right] = [nodeOf(node.l), nodeOf(node.r)];
    const event = right.w ? last(right.id, context) : undefined;
    const earlier = left.w ? last(left.id, context) : undefined;
    const rightRan = event !== undefined && (earlier === undefined || event.t > earlier.t);
    const plain = !right.w && !same(valueOf(left, context), value);
    part(rightRan || plain ? right : left, context, "part", path);
    if (isLiteral(right) && plain) part(left, context);
  },
  cond(node, context, path, value) {
    const [yes, no] = [nodeOf(node.y), nodeOf(node.z)];
    const [one, other] = [yes, no].map((branch) => (branch.w ? last(branch.id, context)?.t ?? -1 : -1));
    const taken = one >= other ? yes : no;
    step("part", taken, valueOf(taken, context));
    if (!isLiteral(taken)) return follow(taken, context, path);
    const test = nodeOf(node.t);
    step("condition", test, Boolean(taken === yes));
    conditionParts(test, context, 1);
  },
  un: (node, context) => part(nodeOf(node.a), context),
  tpl(node, context) {
    const parts = node.c.map(nodeOf);
    part(parts.find((one) => isNullish(valueOf(one, context))) ?? parts[0], context);
  },
  seq: (node, context, path) => follow(nodeOf(node.c[node.c.length - 1]), context, path),
  await: (node, context, path, value) => awaited(nodeOf(node.a), context, path, value),
  asg: (node, context, path) => part(nodeOf(node.r), context, "part", path),
  upd: (node, context) => follow(nodeOf(node.a), context),
  obj(node, context, path) {
    if (path.length > 0) inObject(node, context, path);
  },
  arr(node, context, path) {
    if (path.length > 0) inArray(node, context, path);
  },
  this(node, context, path, value) {
    if (path.length > 0 && isObject(value)) origin(value, path, context, node);
    else if (value === undefined) lostThis(node, context);
  },
};

// `this` is undefined: how the function was handed on without its object.
function lostThis(node, context) {
  const fn = table.functions[context.frame?.fn];
  let owner = fn;
  while (owner !== undefined && owner.arrow) owner = table.functions[owner.up];
  const name = owner?.name;
  if (!name) return;
  let frame = context.frame;
  while (frame !== null && frame !== undefined && frame.fn !== owner.id) frame = frame.up;
  const call = frame === undefined || frame === null ? undefined : callOf(frame.site);
  const callee = call === undefined ? undefined : bare(nodeOf(call.o));
  if (callee?.k === "id") {
    step("made", call, NOTHING);
    return follow(callee, new Context(frame.up, frame.time));
  }
  const handed = table.nodes.filter((one) => one.k === "mem" && one.n === name && one.w && last(one.id, new Context(null, context.until)));
  if (handed.length > 0) step("passed", handed[handed.length - 1], NOTHING);
}

function followOperands(node, context, path, value) {
  const sides = [nodeOf(node.l), nodeOf(node.r)];
  const values = sides.map((side) => valueOf(side, context));
  let chosen = sides.filter((side) => !isLiteral(side));
  if (typeof value === "number" && Number.isNaN(value)) {
    // Whatever is no number made it none.
    const wrong = sides.filter((_, at) => {
      const number = values[at];
      return number === undefined || Number.isNaN(number) || typeof number === "string" || isObject(number);
    });
    chosen = wrong.length > 0 ? wrong.slice(0, 1) : chosen;
    if (chosen.length === 0) chosen = sides;
  } else if (node.op === "+" && typeof value === "string") {
    const text = sides.filter((side, at) => typeof values[at] === "string" && !isLiteral(side));
    chosen = text.length > 0 ? text.slice(0, 1) : chosen;
  } else if (["/", "%", "*"].includes(node.op)) {
    const zero = sides.filter((side, at) => values[at] === 0 && !isLiteral(side));
    chosen = zero.length > 0 ? zero.slice(0, 1) : chosen;
  }
  for (const side of chosen.slice(0, 2)) {
    const before = steps.length;
    part(side, context);
    if (steps.length > before + 1) break;
  }
}

function followName(node, context, path, value) {
  const found = binding(node, context, value);
  if (found === undefined) {
    if (node.n === "undefined") return;
    return;
  }
  const { write, event } = found;
  if (path.length > 0 && isObject(value) && origin(value, path, context, node)) return;
  switch (write.k) {
    case "param":
      return passed(write, event, path);
    case "item":
      return item(write, event, path);
    case "changed": {
      const source = nodeOf(write.n);
      step("changed", source, found.value);
      const right = nodeOf(source.r);
      const inner = contextOf(event);
      const before = bare(nodeOf(source.l ?? source.a));
      if (Number.isNaN(found.value) && right !== undefined) {
        const wrong = valueOf(right, inner);
        if (typeof wrong === "number" && !Number.isNaN(wrong)) return follow(before, inner);
      }
      if (right !== undefined && !isLiteral(right)) part(right, inner);
      return;
    }
    case "assigned":
      return assigned(write, event, path);
    case "declared":
      return unset(node, table.symbols[node.y], context);
    case "imported":
      return imported(write, path, context);
    default:
      step(write.k === "caught" ? "caught" : "defined", nodeOf(write.n), NOTHING);
  }
}

function assigned(write, event, path) {
  const source = nodeOf(write.n);
  if (event === undefined) return step("assigned", source, NOTHING);
  const where = after(event);
  if (write.path.length === 0) {
    step("assigned", source, event.value);
    if (!isLiteral(source)) follow(source, where, path);
    return;
  }
  const keys = write.path;
  const default_ = nodeOf(write.d);
  if (default_ !== undefined && getPath(event.value, keys) === undefined) return step("default", default_, valueOf(default_, where));
  step("assigned", source, event.value);
  const rest = keys.indexOf(null);
  if (rest >= 0) return follow(source, where);
  const whole = [...keys, ...path];
  if (isObject(event.value) && origin(event.value, whole, where, source)) return;
  follow(source, where, whole);
}

// A variable that nothing was assigned to: the assignments that did not run.
function unset(node, symbol, context) {
  const other = symbol.writes.find((write) => write.k === "assigned" && nodeOf(write.n).f === node.f) ?? symbol.writes.find((write) => write.k === "assigned");
  if (other === undefined) return step("defined", nodeOf(symbol.writes[0].n), undefined);
  const target = nodeOf(nodeOf(other.n).up) ?? nodeOf(other.n);
  step("unbound", target, NOTHING);
  reachedOnlyIf(target, context);
}

// Why a statement did not run: the condition around it.
function reachedOnlyIf(node, context) {
  for (let inner = node, at = nodeOf(node.up); at !== undefined && at.f === node.f; inner = at, at = nodeOf(at.up)) {
    if (at.k === "if" || at.k === "while" || at.k === "for") {
      const test = nodeOf(at.t);
      if (test === undefined || within(node, test)) continue;
      const inYes = at.ts <= inner.s && inner.e <= at.te;
      step("condition", test, !inYes);
      return conditionParts(test, context, 1);
    }
    if (at.k === "case") {
      const tested = nodeOf(at.d);
      return part(tested, context);
    }
    if (at.k === "forof" || at.k === "forin") return part(nodeOf(at.r), context, "iterated");
  }
}

// The values that a condition depends on.
function conditionParts(test, context, most) {
  const names = namesIn(test).filter((one) => valueOf(one, context) !== NOTHING);
  for (const one of names.slice(0, most)) part(one, context);
  return names.length > 0;
}

// Names and members in an expression, the outermost of each; not what is called.
function namesIn(node) {
  const found = [];
  const visit = (one) => {
    if (one === undefined || found.length > 5) return;
    if (one.k === "id") found.push(one);
    else if (one.k === "mem") {
      const key = nodeOf(one.c);
      if (one.target !== true) found.push(one);
      if (key !== undefined) visit(key);
    } else if (one.k === "call" || one.k === "new") {
      const callee = bare(nodeOf(one.o));
      if (callee?.k === "mem") visit(nodeOf(callee.o));
      for (const argument of one.a ?? []) visit(nodeOf(argument));
    } else if (one.k !== "fn" && one.k !== "cls") {
      for (const field of ["l", "r", "t", "a", "y", "z"]) if (typeof one[field] === "number") visit(nodeOf(one[field]));
      if (Array.isArray(one.c) && one.k !== "obj") for (const inner of one.c) visit(nodeOf(inner));
    }
  };
  visit(node);
  return found;
}

function imported(write, path, context) {
  const source = nodeOf(write.n);
  const target = exported(source.file, write.from, write.as);
  if (target === undefined) return step("imported", source, NOTHING);
  const node = target.node;
  const now = new Context(null, context.until);
  if (node.k === "fn" || node.k === "cls") return step("defined", node, NOTHING);
  step("assigned", node, valueOf(node, now));
  if (!isLiteral(node)) follow(node, now, path);
}

// What a module exports under a name.
function exported(from, specifier, name, depth = 0) {
  const file = moduleFile(from, specifier);
  if (file === undefined || depth > 5) return undefined;
  const target = file.exports[name];
  const index = table.files.indexOf(file);
  if (target === undefined) {
    for (const [key, all] of Object.entries(file.exports)) {
      const found = key.startsWith("*") ? exported(index, all.from, name, depth + 1) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (target.from !== undefined) return exported(index, target.from, target.as, depth + 1);
  if (target.n !== undefined) return { node: nodeOf(target.n) };
  const symbol = table.symbols.find((one) => one.name === target.name && table.functions[one.f]?.file === index && table.functions[one.f].up === null);
  const write = symbol?.writes.find((one) => one.k === "assigned") ?? symbol?.writes[0];
  return write === undefined ? undefined : { node: nodeOf(write.n) };
}

function moduleFile(from, specifier) {
  if (typeof specifier !== "string" || !specifier.startsWith(".")) return undefined;
  const parts = table.files[from].path.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  const path = parts.join("/");
  const stem = path.replace(/\.[cm]?[jt]s$/, "");
  return table.files.find((file) => file.path === path || file.path === `${path}/index.js` || file.path.replace(/\.[cm]?[jt]sx?$/, "") === stem);
}
