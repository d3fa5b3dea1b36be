// Results of calls, back to what was returned.

// The activations of the program's own functions that a call led to.
function calledFrom(call, context) {
  const frames = [];
  for (const frame of byFrame.keys()) {
    if (frame.up === context.frame && frame.up !== null && callOf(frame.site) === call && frame.time < context.until) frames.push(frame);
  }
  frames.sort((a, b) => b.time - a.time);
  return frames;
}

// The return of the program's own function that a call got its value from.
function returned(call, context, path, value) {
  const frames = calledFrom(call, context);
  const frame = frames.find((frame) => frame.done && same(frame.value, value) && !mediated(call, table.functions[frame.fn]));
  if (frame === undefined) return false;
  ofReturn(frame, path);
  return true;
}

function ofReturn(frame, path) {
  const fn = table.functions[frame.fn];
  const node = nodeOf(frame.ret);
  if (node.k === "end") {
    step("ended", nodeOf(fn.node), undefined, fn.name || assignedName(fn) || "the function");
    return;
  }
  if (node.k === "ret") return step("returned", node, undefined, "return");
  step("returned", node, frame.value);
  if (!isLiteral(node)) follow(node, new Context(frame, frame.ended + 0.5), path);
}

// The name that an arrow function was given.
function assignedName(fn) {
  const symbol = table.symbols.find((one) => one.writes.some((write) => write.n === fn.node));
  return symbol?.name;
}

// What a promise was fulfilled with.
function awaited(node, context, path, value) {
  node = bare(node);
  if (node === undefined) return;
  if (node.k === "call" || node.k === "new") {
    const event = node.w ? last(node.id, context) : undefined;
    const inner = event === undefined ? context : contextOf(event);
    const frames = calledFrom(node, inner).filter((frame) => !mediated(node, table.functions[frame.fn]));
    const frame = frames.find((frame) => frame.done && table.functions[frame.fn].async && same(frame.value, value)) ?? frames.find((frame) => frame.done && table.functions[frame.fn].async);
    if (frame !== undefined) return ofReturn(frame, path);
    const plain = frames.find((frame) => frame.done);
    if (plain !== undefined) {
      const result = nodeOf(plain.ret);
      return awaited(result, new Context(plain, context.until), path, value);
    }
    if (calledName(node) === "then") {
      const callback = table.functions[bare(nodeOf(node.a[0]))?.fi];
      const ran = [...byFrame.keys()].filter((frame) => callback && frame.fn === callback.id && frame.done && same(frame.value, value)).pop();
      if (ran !== undefined) return ofReturn(ran, path);
    }
    if (calledName(node) === "all" && path.length > 0 && typeof path[0] === "number") {
      const wanted = get(value, path[0]);
      const source = callOf(node.a[0]);
      const ran = [...byFrame.keys()].filter((frame) => frame.done && table.functions[frame.fn]?.async && callOf(frame.site) === source && same(frame.value, wanted)).pop();
      if (ran !== undefined) return ofReturn(ran, path.slice(1));
    }
    if (calledName(node) === "resolve" || calledName(node) === "all") return part(nodeOf(node.a[0]), inner, "part", path);
    if (INPUTS.includes(calledName(node)) || calledName(node) === "json" || calledName(node) === "text") return step("input", node, value);
    if (node.k === "new") return resolvedWith(node, value, context);
  }
  if (node.k === "id") {
    const found = binding(node, context);
    if (found?.event !== undefined && found.write.k === "assigned") {
      step("assigned", nodeOf(found.write.n), NOTHING);
      return awaited(nodeOf(found.write.n), after(found.event), path, value);
    }
  }
  follow(node, context, path);
}

// `new Promise((resolve) => resolve(value))`
function resolvedWith(node, value, context) {
  const executor = table.functions[bare(nodeOf(node.a[0]))?.fi];
  const name = table.symbols[executor?.params[0]?.y]?.id;
  let best;
  for (const call of table.nodes) {
    if (call.k !== "call" || name === undefined || bare(nodeOf(call.o))?.y !== name) continue;
    const event = last(call.id, new Context(null, context.until));
    if (event !== undefined && (best === undefined || event.t > best.t)) best = event;
  }
  const argument = best === undefined ? undefined : nodeOf(nodeOf(best.site).a[0]);
  if (argument !== undefined) part(argument, contextOf(best), "returned");
  else step("made", node, NOTHING);
}

function followCall(node, context, path, value) {
  if (returned(node, context, path, value)) return;
  if (path.length > 0 && isObject(value) && origin(value, path, context, node)) return;
  const name = calledName(node);
  const callee = bare(nodeOf(node.o));
  const text = textOf(node);
  const object = callee?.k === "mem" ? nodeOf(callee.o) : undefined;
  if (INPUTS.includes(name)) return step("input", node, value);
  if (types.isPromise(value)) return ofPromise(node, context, value);
  const given = node.a.map(nodeOf);
  if ((name === "reduce" || name === "reduceRight") && reduced(node, context, value, path)) return;
  if (name === "require") {
    const file = moduleFile(node.file, given[0]?.v);
    if (file !== undefined && path.length > 0) return step("imported", node, NOTHING);
  }
  if (text.startsWith("JSON.parse(") || ["Number", "parseInt", "parseFloat", "String", "BigInt", "structuredClone"].includes(name)) {
    // What was read from a text has no keys in it.
    return part(given[0], context, "part", name === "structuredClone" ? path : []);
  }
  if (object !== undefined && types.isMap(valueOf(object, context)) && name === "get") return lookedUp(object, given[0], context, path);
  if (isNullish(value) && RETURN_NOTHING.includes(name)) return step("nothing", node, undefined);
  if (object !== undefined && !isLibrary(object)) {
    part(object, context);
    if (LOOKUPS.includes(name)) soughtIn(node, context);
    return;
  }
  part(given.find((one) => !isLiteral(one) && one.k !== "fn") ?? given[0], context);
}

// The result of `reduce` is what its callback returned last.
function reduced(call, context, value, path) {
  const frame = calledFrom(call, context).find((one) => one.done && same(one.value, value));
  if (frame === undefined) return false;
  ofReturn(frame, path);
  return true;
}

// A promise where a value was expected: the call that was not awaited.
function ofPromise(node, context) {
  const frame = calledFrom(node, context).find((one) => table.functions[one.fn].async);
  if (frame !== undefined) return step("defined", nodeOf(table.functions[frame.fn].node), NOTHING, signature(table.functions[frame.fn]));
  step("made", node, NOTHING);
}

function signature(fn) {
  const node = nodeOf(fn.node);
  const text = textOf(node);
  const end = text.search(/\{|=>/);
  return (end > 0 ? text.slice(0, end) : text).trim().slice(0, 80);
}

function isLibrary(object) {
  const inner = bare(object);
  return inner.k === "id" && (inner.y === null || inner.y === undefined) && !inner.w;
}

// `map.get(key)`: the key where it is not there, else where its value was set.
function lookedUp(object, key, context, path) {
  const map = valueOf(object, context);
  const wanted = key === undefined ? undefined : valueOf(key, context);
  if (wanted !== NOTHING && !Map.prototype.has.call(map, wanted)) {
    step("absent", object, map);
    if (key !== undefined && !isLiteral(key)) {
      step("key", key, wanted);
      follow(key, context);
    } else follow(object, context);
    return;
  }
  if (!origin(map, [{ key: wanted }, ...path], context, object)) part(object, context);
}

// What was looked for by a callback or an argument, which was not found.
function soughtIn(node, context) {
  const first = bare(nodeOf(node.a[0]));
  if (first === undefined) return;
  if (first.k !== "fn") return part(first, context, "key");
  const fn = table.functions[first.fi];
  const body = fn.rets.map(nodeOf)[0];
  const own = new Set(fn.params.map((one) => one.y));
  const frame = calledFrom(node, context)[0];
  const root = (one) => {
    let at = one;
    while (at?.k === "mem") at = bare(nodeOf(at.o));
    return at;
  };
  const outer = namesIn(body).find((one) => root(one)?.y !== undefined && !own.has(root(one).y) && !isLibrary(root(one)));
  if (outer !== undefined && frame !== undefined) part(outer, new Context(frame, Infinity), "key");
}
