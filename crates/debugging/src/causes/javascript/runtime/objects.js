// Objects: what set a field or an item of one, else where the object was made.

const ADDING = ["push", "unshift", "add"];

function followMember(node, context, path, value) {
  const object = nodeOf(node.o);
  const whole = valueOf(object, context);
  const text = textOf(node);
  if (/^process\.(env|argv|stdin)\b/.test(text)) return step("input", node, value);
  const key = keyOf(node, context);
  const named = nodeOf(node.c);
  if (key === NOTHING && isObject(whole) && named !== undefined && isNullish(valueOf(named, context))) return part(named, context, "key");
  if (isNullish(whole) || key === NOTHING || whole === NOTHING) return part(object, context);
  if (!isObject(whole)) {
    part(object, context);
    return;
  }
  if (isList(whole) && typeof key === "number" && (key < 0 || key >= whole.length || !Number.isInteger(key)) && value === undefined) return pastTheEnd(node, whole, context);
  if (isList(whole) && key === "length") {
    // It is as long as it was made: what is in it is not asked for.
    if (whole.length > 0 || !removed(whole, context)) return part(object, context);
    return;
  }
  if (getter(node, context, value, path)) return;
  if (!origin(whole, [key, ...path], context, object)) part(object, context);
  const index = nodeOf(node.c);
  if (value === undefined && index !== undefined && !isLiteral(index) && !isList(whole) && !hasOwn(whole, key)) part(index, context, "key");
}

function pastTheEnd(node, whole, context) {
  const index = nodeOf(node.c);
  const object = nodeOf(node.o);
  const plain = index === undefined || isLiteral(index);
  if (plain || whole.length === 0) {
    step("collection", object, whole);
    if (!removed(whole, context)) follow(object, context);
    return;
  }
  step("index", index, valueOf(index, context));
  follow(index, context);
  step("collection", object, whole);
}

// An accessor of the program: what it returned.
function getter(node, context, value, path) {
  const frames = [...byFrame.keys()].filter((frame) => {
    const fn = table.functions[frame.fn];
    return fn?.kind === "get" && fn.name === node.n && frame.done && frame.ended <= context.until && same(frame.value, value);
  });
  const frame = frames.pop();
  if (frame === undefined || isObject(value)) return false;
  ofReturn(frame, path);
  return true;
}

// Follows a field or an item of an object; false if nothing is known of the object.
function origin(whole, path, context, node) {
  if (!once("origin", idOf(whole), path.map(String).join(), context.until)) return true;
  const [key, ...rest] = path;
  const store = lastStore(whole, key, context);
  if (store !== undefined) {
    const { role, source, event, keys } = store;
    step(role, source, role === "deleted" ? NOTHING : event.value);
    if (role === "deleted") return true;
    if (role === "changed") {
      const right = nodeOf(source.r);
      if (right !== undefined && !isLiteral(right)) part(right, contextOf(event));
      return true;
    }
    if (!isLiteral(source)) follow(source, after(event), [...keys, ...rest]);
    return true;
  }
  if (typeof key === "string" && parameterField(whole, key, rest)) return true;
  const event = firstOf.get(whole);
  if (event === undefined || event.t >= context.until) return fromClass(whole, key, context);
  return fromMaking(whole, path, event, context, node);
}

// TypeScript's field that is a parameter of the constructor.
function parameterField(whole, key, rest) {
  for (const frame of byFrame.keys()) {
    const fn = table.functions[frame.fn];
    const at = fn?.kind === "ctor" ? fn.params.findIndex((one) => one.field === key) : -1;
    if (at < 0) continue;
    let made = frame;
    while (callOf(made.site)?.k === "call" && made.up !== null) made = made.up;
    const call = callOf(made.site);
    if (call === undefined || !(bySite.get(call.id) ?? []).some((event) => event.value === whole && event.frame === made.up)) continue;
    const entry = (bySite.get(ENTER + frame.fn) ?? []).find((event) => event.frame === frame);
    if (entry === undefined) continue;
    passed({ i: at }, entry, rest);
    return true;
  }
  return false;
}

const ids = new Map();
function idOf(object) {
  if (!ids.has(object)) ids.set(object, ids.size);
  return ids.get(object);
}

// The first that was seen of an object: the literal that made it, or the expression that it came in by.
function fromMaking(whole, path, event, context, node) {
  const before = steps.length;
  if (listed(event.site)) {
    // It came in as a parameter or as an item.
    if (event.site >= ENTER) {
      const fn = table.functions[event.site - ENTER];
      const at = indexIn(event.value, whole);
      passed({ i: at }, event, path);
      return steps.length > before || fn === undefined;
    }
    const loop = nodeOf(event.site);
    const at = indexIn(event.value, whole);
    const symbol = table.symbols.find((one) => one.writes.some((write) => write.n === loop.id && write.i === at));
    const write = symbol?.writes.find((one) => one.n === loop.id && one.i === at);
    if (write?.k === "item") item(write, event, path);
    return steps.length > before;
  }
  const made = nodeOf(event.site);
  const inner = after(event);
  if (made.k === "new" || made.k === "this") {
    if (fromClass(whole, path[0], context)) return true;
    return missing(whole, path, made, node);
  }
  if (made.k === "obj" || made.k === "arr") {
    const found = made.k === "obj" ? inObject(made, inner, path) : inArray(made, inner, path);
    return found || missing(whole, path, made, node);
  }
  if (made.k === "call" && isList(whole) && madeOfItems(made, whole, path, inner)) return true;
  const absent = typeof path[0] === "string" && !hasOwn(whole, path[0]);
  if (absent) step("absent", made, whole);
  follow(made, inner, absent ? [] : path);
  return steps.length > before;
}

function indexIn(list, value) {
  for (let at = 0; at < list.length; at++) if (list[at] === value) return at;
  return -1;
}

// A key that was never there.
function missing(whole, path, made, node) {
  const key = path[0];
  if ((typeof key !== "string" && typeof key !== "number") || hasOwn(whole, key)) return false;
  if (get(whole, key) !== undefined) return false;
  step("absent", made, whole);
  // What was copied into it did not have it either.
  const copied = made.k === "obj" ? made.c.filter(([name]) => name === null).pop() : undefined;
  if (copied !== undefined) {
    const source = nodeOf(nodeOf(copied[1]).a);
    const event = (bySite.get(made.id) ?? []).find((one) => one.value === whole);
    if (event !== undefined) follow(source, contextOf(event));
  }
  return true;
}

// `xs.map(f)`, `xs.filter(f)` and their kin: an item of the result is what the function returned, or an item of `xs`.
function madeOfItems(call, whole, path, context) {
  const key = path[0];
  const found = typeof key === "number" ? own(whole, key) : (key?.item ?? NOTHING);
  const name = calledName(call);
  const callee = bare(nodeOf(call.o));
  if (callee?.k !== "mem") return false;
  const object = nodeOf(callee.o);
  if (name === "map" || name === "flatMap" || name === "from") {
    const callback = bare(nodeOf(call.a[name === "from" ? 1 : 0]));
    const frames = [...byFrame.keys()].filter((frame) => frame.done && table.functions[frame.fn]?.node === (callback?.fi === undefined ? -1 : callback.id) && same(frame.value, found));
    const frame = frames.pop();
    if (frame !== undefined) {
      ofReturn(frame, path.slice(1));
      return true;
    }
    const fn = table.functions[callback?.fi];
    if (fn?.async && types.isPromise(found)) {
      step("defined", callback, NOTHING, signature(fn));
      return true;
    }
  }
  if (["filter", "slice", "sort", "reverse", "concat", "toSorted", "toReversed"].includes(name)) {
    const source = valueOf(object, context);
    const at = indexOf(source, found, []);
    if (at !== undefined && source !== whole && origin(source, [at, ...path.slice(1)], context, object)) return true;
  }
  if (name === "split" || name === "match" || name === "keys" || name === "entries" || name === "values") {
    part(object !== undefined && !isLibrary(object) ? object : nodeOf(call.a[0]), context);
    return true;
  }
  return false;
}

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

// A field that the class gives to its objects.
function fromClass(whole, key, context) {
  if (typeof key !== "string" || !isObject(whole)) return false;
  for (let at = whole, depth = 0; at !== null && depth < 6 && !types.isProxy(at); at = getPrototypeOf(at), depth++) {
    const made = own(at, "constructor");
    const name = typeof made === "function" && !types.isProxy(made) ? nameOf(made) : "";
    for (const node of name ? table.nodes : []) {
      if (node.k !== "cls" || node.n !== name) continue;
      const field = node.fields.find((one) => one[0] === key);
      if (field === undefined) continue;
      const value = nodeOf(field[1]);
      step("class", value, value.k === "field" ? undefined : valueOf(value, new Context(null, context.until)));
      return true;
    }
  }
  return false;
}
