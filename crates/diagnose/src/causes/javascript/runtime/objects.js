// Objects: what set a field or an item of one, else where the object was made.

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
  if (value === undefined && index !== undefined && !isLiteral(index) && (!isList(whole) || typeof key === "string") && !hasOwn(whole, key)) part(index, context, "key");
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
    if (types.isMap(whole) || types.isSet(whole)) {
      part(nodeOf(made.a?.[0]), inner);
      return true;
    }
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
