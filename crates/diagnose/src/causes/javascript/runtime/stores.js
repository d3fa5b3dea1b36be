// What set a field or an item of an object, and what its literal says.

const ADDING = ["push", "unshift", "add"];

// The last statement that set a field or an item of an object.
function lastStore(whole, key, context) {
  let best;
  const consider = (found) => {
    if (found.event !== undefined && found.event.t < context.until && (best === undefined || found.event.t > best.event.t)) best = found;
  };
  const of = (object, frame, until) => {
    const list = object?.w ? bySite.get(object.id) : undefined;
    return list === undefined ? [] : list.filter((event) => event.value === whole);
  };
  const next = (node, from) => bySite.get(node.id)?.find((event) => event.t > from.t && event.frame === from.frame);
  for (const node of stores()) {
    const target = nodeOf(node.l ?? (node.k === "call" ? bare(nodeOf(node.o))?.id : node.a));
    const object = bare(nodeOf(target?.o));
    for (const event of of(object)) {
      if (event.t >= context.until) continue;
      if (node.k === "call") {
        const found = addedBy(node, event, whole, key, next);
        if (found !== undefined) consider(found);
        continue;
      }
      const stored = keyOf(target, new Context(event.frame, (next(nodeOf(node.r) ?? node, event)?.t ?? event.t) + 0.5));
      if (key?.key !== undefined || (key?.item === undefined && String(stored) !== String(key))) continue;
      if (node.k === "un") consider({ role: "deleted", source: node, event, keys: [] });
      else if (node.k === "upd" || node.op !== "=") {
        const done = next(node, event);
        if (done !== undefined) consider({ role: "changed", source: node, event: done, keys: [] });
      } else {
        const right = nodeOf(node.r);
        const done = right.w ? next(right, event) : event;
        if (key?.item !== undefined && !same(done?.value, key.item)) continue;
        if (done !== undefined) consider({ role: "stored", source: right, event: right.w ? done : { ...event, value: NOTHING }, keys: [] });
      }
    }
  }
  return best;
}

let storing = null;
// All places that may change an object.
function stores() {
  storing ??= table.nodes.filter((node) => {
    if (node.k === "asg" || node.k === "upd") return nodeOf(node.l ?? node.a)?.k === "mem";
    if (node.k === "un") return node.op === "delete" && nodeOf(node.a)?.k === "mem";
    if (node.k !== "call") return false;
    return [...ADDING, "set"].includes(calledName(node));
  });
  return storing;
}

// What a call of `push`, `set` and their kin put into a collection.
function addedBy(node, event, whole, key, next) {
  const given = node.a.map(nodeOf);
  const name = calledName(node);
  const valueAt = (argument) => (argument.w ? next(argument, event) : { ...event, value: valueOf(argument, contextOf(event)) });
  if (name === "set") {
    if (key?.key === undefined || given.length < 2) return undefined;
    const stored = valueOf(given[0], new Context(event.frame, (valueAt(given[1])?.t ?? event.t) + 0.5));
    const done = same(stored, key.key) ? valueAt(given[1]) : undefined;
    return done === undefined ? undefined : { role: "stored", source: given[1], event: done, keys: [] };
  }
  for (const argument of given) {
    if (argument.k === "spread") continue;
    const done = valueAt(argument);
    if (done === undefined) continue;
    const wanted = key?.item !== undefined ? key.item : typeof key === "number" ? own(whole, key) : NOTHING;
    if (wanted !== NOTHING && same(done.value, wanted)) return { role: "added", source: argument, event: done, keys: [] };
  }
  return undefined;
}

// The last call that took items out of a list.
function removed(whole, context) {
  let best;
  for (const node of table.nodes) {
    if (node.k !== "call" || !["pop", "shift", "splice", "clear", "delete"].includes(calledName(node))) continue;
    const object = bare(nodeOf(bare(nodeOf(node.o))?.o));
    for (const event of object?.w ? (bySite.get(object.id) ?? []) : []) {
      const done = event.value === whole && event.t < context.until ? bySite.get(node.id)?.find((one) => one.t > event.t) : undefined;
      if (done !== undefined && done.value !== undefined && (best === undefined || event.t > best.t)) best = { t: event.t, node, done };
    }
  }
  if (best === undefined) return false;
  step("deleted", best.node, best.done.value);
  return true;
}

// A property of an object literal.
function inObject(node, context, path) {
  const [key, ...rest] = path;
  let value = NOTHING, spread;
  for (let at = node.c.length - 1; at >= 0; at--) {
    const [name, inner, accessor] = node.c[at];
    if (name === null) {
      const source = nodeOf(nodeOf(inner).a);
      const whole = valueOf(source, context);
      if (typeof key === "string" && hasOwn(whole, key)) {
        spread = source;
        break;
      }
      continue;
    }
    const written = typeof name === "object" ? valueOf(nodeOf(name.c), context) : name;
    if (accessor || (key?.item === undefined && String(written) !== String(key))) continue;
    if (key?.item !== undefined && !same(valueOf(nodeOf(inner), context), key.item)) continue;
    value = nodeOf(inner);
    break;
  }
  if (spread !== undefined) {
    step("part", spread, valueOf(spread, context));
    origin(valueOf(spread, context), path, context, spread);
    return true;
  }
  if (value === NOTHING) return false;
  return element(value, context, rest);
}

function inArray(node, context, path) {
  const [key, ...rest] = path;
  const items = node.c.map(nodeOf);
  if (items.some((one) => one?.k === "spread")) {
    const first = items.find((one) => one?.k === "spread");
    follow(nodeOf(first.a), context, path);
    return true;
  }
  const found = key?.item !== undefined ? items.find((one) => one !== undefined && same(valueOf(one, context), key.item)) : items[key];
  // A pair of the list that a map is made from.
  const pair = key?.key !== undefined ? items.find((one) => one?.k === "arr" && same(valueOf(nodeOf(one.c[0]), context), key.key)) : undefined;
  if (pair !== undefined) return element(nodeOf(pair.c[1]), context, rest);
  return found === undefined ? false : element(found, context, rest);
}

function element(node, context, path) {
  if (path.length > 0) {
    const value = valueOf(node, context);
    if (isObject(value) && origin(value, path, context, node)) return true;
    follow(node, context, path);
    return true;
  }
  const literal = isLiteral(node) || node.k === "obj" || node.k === "arr";
  step(literal ? "literal" : "stored", node, valueOf(node, context));
  if (!literal) follow(node, context);
  return true;
}
