// Questions to the events: what an expression was, which write a name's value is from, where an object was made.

let bySite = null;
let byFrame = null;
let firstOf = null;

function arrange() {
  recording = false;
  const all = [...evicted.values()];
  if (!lean) for (const event of ringEvents()) all.push(event);
  all.sort((a, b) => a.t - b.t);
  bySite = new Map();
  byFrame = new Map();
  firstOf = new Map();
  const note = (value, event) => {
    if (isObject(value) && !firstOf.has(value)) firstOf.set(value, event);
  };
  for (const event of all) {
    if (!bySite.has(event.site)) bySite.set(event.site, []);
    bySite.get(event.site).push(event);
    byFrame.set(event.frame, event);
    if (listed(event.site)) for (let at = 0; at < event.value.length; at++) note(event.value[at], event);
    else note(event.value, event);
  }
}

// Whether the events of a place hold a list of names' values.
function listed(site) {
  return site >= ENTER || ["forof", "forin", "catch"].includes(nodeOf(site)?.k);
}

// Where and until when something is asked.
class Context {
  constructor(frame, until) {
    this.frame = frame;
    this.until = until;
  }
  before(t) {
    return new Context(this.frame, t);
  }
}

function contextOf(event) {
  return new Context(event.frame, event.t);
}

function after(event) {
  return new Context(event.frame, event.t + 0.5);
}

// The last event of a place: of the same activation, or where it belongs to another function, of any.
function last(site, context, accept, anywhere = false) {
  const list = bySite.get(site);
  if (list === undefined) return undefined;
  const fn = site >= ENTER ? site - ENTER : nodeOf(site).f;
  const mine = !anywhere && context.frame !== null && fn === context.frame.fn;
  for (let at = list.length - 1; at >= 0; at--) {
    const event = list[at];
    if (event.t < context.until && (!mine || event.frame === context.frame) && (!accept || accept(event))) return event;
  }
  return undefined;
}

// The last activation that was not over, of those for which a test holds.
function activation(fn, test) {
  const events = [...byFrame.values()].filter((event) => event.frame.fn === fn && !event.frame.done);
  events.sort((a, b) => b.t - a.t);
  const frames = events.map((event) => event.frame);
  return frames.find((frame) => test(new Context(frame, Infinity))) ?? frames[0];
}

function valueOf(node, context, depth = 0) {
  if (node === undefined || depth > 20) return NOTHING;
  switch (node.k) {
    case "lit":
      return "v" in node ? node.v : NOTHING;
    case "const":
      return node.n === "undefined" ? undefined : node.n === "NaN" ? NaN : Infinity;
    case "par":
    case "spread":
      return valueOf(nodeOf(node.a), context, depth + 1);
  }
  if (node.w) {
    const event = last(node.id, context);
    if (event !== undefined) return event.value;
  }
  switch (node.k) {
    case "chain":
      return valueOf(nodeOf(node.a), context, depth + 1);
    case "id": {
      const found = binding(node, context);
      return found === undefined ? NOTHING : found.value;
    }
    case "mem": {
      const key = keyOf(node, context, depth);
      return key === NOTHING ? NOTHING : get(valueOf(nodeOf(node.o), context, depth + 1), key);
    }
    case "un": {
      const inner = valueOf(nodeOf(node.a), context, depth + 1);
      return node.op === "-" && typeof inner === "number" ? -inner : NOTHING;
    }
    default:
      return NOTHING;
  }
}

// The key of a member; a key that is no text and no number would run code to become one.
function keyOf(node, context, depth = 0) {
  if (node.n !== undefined) return node.n;
  const key = valueOf(nodeOf(node.c), context, depth + 1);
  return typeof key === "string" || typeof key === "number" || typeof key === "symbol" ? key : NOTHING;
}

// The write that gave a name its value, with its event if there is one. `expected` is the value that was read.
function binding(node, context, expected = NOTHING) {
  const symbol = table.symbols[node.y];
  if (symbol === undefined) return undefined;
  let best, fitting;
  for (const write of symbol.writes) {
    const site = write.k === "param" ? ENTER + write.f : write.n;
    // A variable of a function around may have been written by another activation.
    const anywhere = write.k !== "param" && symbol.f !== nodeOf(site)?.f;
    const fits = (event) => expected === NOTHING || same(writtenValue(write, event), expected);
    const event = last(site, context, fits, anywhere) ?? last(site, context, undefined, anywhere);
    if (event === undefined) {
      // It has no event of its own; whatever has one came later.
      if (["declared", "imported", "defined"].includes(write.k) || !nodeOf(write.n)?.w) best ??= { write, value: NOTHING };
      continue;
    }
    const value = writtenValue(write, event);
    const found = { write, event, value };
    if (expected !== NOTHING && same(value, expected) && (fitting === undefined || event.t > fitting.event.t)) fitting = found;
    if (best?.event === undefined || event.t > best.event.t) best = found;
  }
  best = fitting ?? best;
  if (best !== undefined && best.write.k === "declared") best.value = undefined;
  return best;
}

// What a write gave the name.
function writtenValue(write, event) {
  switch (write.k) {
    case "param":
    case "item":
    case "caught":
      return event.value[write.i];
    case "changed": {
      const node = nodeOf(write.n);
      if (node.k !== "upd" || node.prefix || typeof event.value !== "number") return event.value;
      return node.op === "++" ? event.value + 1 : event.value - 1;
    }
    default:
      return write.path && write.path.length > 0 ? getPath(event.value, write.path) : event.value;
  }
}
