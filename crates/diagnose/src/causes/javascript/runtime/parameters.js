// Parameters, back to the arguments and to the items that a library went through.

const ITERATING = ["map", "forEach", "filter", "find", "findIndex", "findLast", "some", "every", "flatMap", "sort", "reduce", "reduceRight", "from"];

// A parameter: on to the argument in the caller.
function passed(write, event, path) {
  const fn = table.functions[event.frame.fn];
  const parameter = fn.params[write.i];
  const value = event.value[write.i];
  const frame = outermost(event.frame, fn, parameter);
  const where = new Context(frame.up, frame.time);
  let call = frame.up === null ? undefined : callOf(frame.site);
  if (fn.gen) call = generatorCall(fn, frame.time) ?? call;
  const later = call === undefined ? handedTo(fn) : undefined;
  call ??= later;
  if (call === undefined) return;
  const context = fn.gen || later !== undefined ? contextOfCall(call, frame.time) : where;
  if (mediated(call, fn)) return givenBy(call, fn, parameter, value, context, path, frame.time);
  const given = call.a.map(nodeOf);
  const spread = given.findIndex((one) => one.k === "spread");
  const inner = [...(parameter.path ?? [])];
  let argument = given[parameter.i];
  let keys = inner;
  if (parameter.rest) {
    const at = typeof path[0] === "number" ? path[0] : 0;
    argument = given[parameter.i + at];
    keys = [];
    path = path.slice(1);
  }
  if (spread >= 0 && spread <= parameter.i) {
    argument = nodeOf(given[spread].a);
    keys = [parameter.i - spread, ...inner];
  }
  const default_ = nodeOf(parameter.d);
  const whole = argument === undefined ? undefined : valueOf(argument, context);
  const found = keys.length > 0 && argument !== undefined ? getPath(whole, keys) : whole;
  if (default_ !== undefined && (argument === undefined || found === undefined)) {
    step("default", default_, value);
    if (!isLiteral(default_)) follow(default_, new Context(null, frame.time));
    return;
  }
  if (argument === undefined) {
    step("passed", call, undefined);
    return;
  }
  if (keys.includes(null)) return step("passed", argument, whole);
  // Something else called it, and gave it something else.
  if (found !== NOTHING && value !== NOTHING && !same(found, value)) return givenLater(call, parameter.i, value, context, path);
  step("passed", argument, keys.length > 0 ? whole : value);
  if (!isLiteral(argument)) follow(argument, context, [...keys, ...path]);
}

// A function that only hands its parameter on to itself: the activation that got it from elsewhere.
function outermost(frame, fn, parameter) {
  while (frame.up !== null && frame.up.fn === fn.id) {
    const call = callOf(frame.site);
    const argument = call === undefined || mediated(call, fn) ? undefined : nodeOf(call.a[parameter.i]);
    if (argument?.k !== "id" || argument.y !== parameter.y || parameter.path.length > 0) break;
    frame = frame.up;
  }
  return frame;
}

// The call that a function was handed to, where it was called from nowhere: by the event loop.
function handedTo(fn) {
  return table.nodes.find((node) => (node.k === "call" || node.k === "new") && Array.isArray(node.a) && mediated(node, fn));
}

function contextOfCall(call, until) {
  const event = last(call.id, new Context(null, until));
  return event === undefined ? new Context(null, until) : contextOf(event);
}

// A generator begins at its first item; the call that made it came before.
function generatorCall(fn, until) {
  const calls = table.nodes.filter((node) => node.k === "call" && node.w && calledName(node) === fn.name);
  const events = calls.map((node) => last(node.id, new Context(null, until))).filter((event) => event !== undefined);
  events.sort((a, b) => b.t - a.t);
  return nodeOf(events[0]?.site);
}

// Whether a function was handed to what is called, which then called it.
function mediated(call, fn) {
  return call.a.some((id) => {
    const given = bare(nodeOf(id));
    if (given === undefined) return false;
    if (given.k === "fn") return given.fi === fn.id;
    if (given.k === "mem") return given.n === fn.name && fn.name !== "" && calledName(call) !== fn.name;
    if (given.k === "id") return isNamed(given, fn);
    // `this.handle.bind(this)`
    return given.k === "call" && calledName(given) === "bind" && bare(nodeOf(bare(nodeOf(given.o)).o))?.n === fn.name;
  });
}

// Whether a name stands for a function of the program.
function isNamed(name, fn) {
  const symbol = table.symbols[name.y];
  return symbol !== undefined && symbol.writes.some((write) => write.n === fn.node);
}

// A parameter of a function that a library called: an item of what the library went through.
function givenBy(call, fn, parameter, value, context, path, entered) {
  const name = calledName(call);
  const callee = bare(nodeOf(call.o));
  const at = parameter.i;
  let source = callee?.k === "mem" ? nodeOf(callee.o) : undefined;
  if (name === "from" && call.a.length > 1) source = nodeOf(call.a[0]);
  if (source === undefined) return givenLater(call, at, value, context, path);
  if (name === "then" || name === "catch" || name === "finally") {
    step("part", source, NOTHING);
    return awaited(source, context.before(entered), [...(parameter.path ?? []), ...path], value);
  }
  if (name === "reduce" || name === "reduceRight") {
    if (at === 0) return accumulated(call, fn, value, context, path);
    if (at === 1) return itemOf(source, value, context, parameter.path ?? [], path);
    if (at === 2) return step("index", source, valueOf(source, context));
  }
  if (ITERATING.includes(name) && (at === 0 || name === "sort")) return itemOf(source, value, context, parameter.path ?? [], path);
  if (ITERATING.includes(name) && at === 1) return step("index", source, valueOf(source, context));
  givenLater(call, at, value, context, path);
}

// `setTimeout(f, 10, argument)` and other functions that are called with what was given beside them.
function givenLater(call, at, value, context, path) {
  const given = call.a.map(nodeOf).find((one) => one.k !== "fn" && same(valueOf(one, context), value) && value !== undefined);
  if (given !== undefined) return part(given, context, "passed", path);
  step("made", call, NOTHING);
}

// The first parameter of `reduce`: what it returned the last time, or the value it began with.
function accumulated(call, fn, value, context, path) {
  const round = [...byFrame.keys()].filter((frame) => frame.fn === fn.id && frame.done && frame.site === call.id && frame.ended <= context.until && same(frame.value, value));
  const frame = round.pop();
  if (frame !== undefined) {
    const node = nodeOf(frame.ret);
    if (node.k === "end") return step("ended", nodeOf(fn.node), undefined, fn.name || "the callback");
    step("returned", node, frame.value);
    return follow(node, new Context(frame, frame.ended + 0.5), path);
  }
  const start = nodeOf(call.a[1]);
  if (start !== undefined) return part(start, context, "passed", path);
  const source = nodeOf(bare(nodeOf(call.o)).o);
  itemOf(source, value, context, [], path);
}

// An item of what is iterated: on to where it was put there.
function itemOf(source, value, context, keys, path) {
  const whole = valueOf(source, context);
  step("item", source, whole);
  const found = indexOf(whole, value, keys);
  const parts = found === undefined ? [{ item: value }, ...path] : [found, ...keys, ...path];
  if (isObject(whole) && origin(whole, parts, context, source)) return;
  follow(source, context, found === undefined ? [] : parts);
}

// The place of an item, or of the item that holds a value under some keys. The last one was iterated last.
function indexOf(whole, value, keys) {
  if (!isList(whole)) return undefined;
  for (let at = Math.min(whole.length, 20000) - 1; at >= 0; at--) {
    const one = own(whole, at);
    if (one === NOTHING) continue;
    if (same(keys.length > 0 ? getPath(one, keys) : one, value)) return at;
  }
  return undefined;
}

function item(write, event, path) {
  const loop = nodeOf(write.n);
  const value = event.value[write.i];
  const context = contextOf(event);
  let source = nodeOf(write.of);
  let keys = write.path ?? [];
  if (keys.includes(null)) keys = [];
  const call = bare(source);
  if (loop.k === "forin") {
    step("item", source, valueOf(source, context));
    return follow(source, context);
  }
  const name = call.k === "call" ? calledName(call) : "";
  if (["entries", "values", "keys"].includes(name)) {
    const callee = bare(nodeOf(call.o));
    // `Object.entries(o)` and `map.entries()`
    const given = call.a.length > 0 ? nodeOf(call.a[0]) : nodeOf(callee.o);
    const whole = valueOf(given, context);
    step("item", source, whole);
    const deeper = keys[0] === 1 || name === "values" ? [{ item: value, deep: keys.slice(name === "values" ? 0 : 1) }, ...path] : [];
    if (deeper.length === 0 || !isObject(whole) || !origin(whole, keyed(whole, deeper), context, given)) follow(given, context);
    return;
  }
  const whole = valueOf(source, context);
  if (types.isMap(whole)) {
    step("item", source, whole);
    if (keys[0] === 1) origin(whole, keyed(whole, [{ item: value, deep: keys.slice(1) }, ...path]), context, source);
    return;
  }
  if (types.isGeneratorObject(whole)) return yielded(source, whole, value, context, [...keys, ...path]);
  itemOf(source, value, context, keys, path);
}

// The key under which an object or a map holds an item.
function keyed(whole, path) {
  const [{ item, deep }, ...rest] = path;
  const fits = (value) => same(deep.length > 0 ? getPath(value, deep) : value, item);
  if (types.isMap(whole)) {
    for (const iterator = Map.prototype.entries.call(whole), count = { n: 0 }; count.n < 20000; count.n++) {
      const round = iterator.next();
      if (round.done) break;
      if (fits(round.value[1])) return [{ key: round.value[0] }, ...deep, ...rest];
    }
  } else if (isObject(whole) && !types.isProxy(whole)) {
    for (const key of Reflect.ownKeys(whole).slice(0, 20000)) if (fits(own(whole, key))) return [key, ...deep, ...rest];
  }
  return path;
}

// The last `yield` of a value.
function yielded(source, generator, value, context, path) {
  let best;
  for (const node of table.nodes) {
    if (node.k !== "yield" || node.a === undefined || node.star) continue;
    const inner = nodeOf(node.a);
    const event = inner.w ? last(inner.id, new Context(null, context.until)) : undefined;
    const fits = event !== undefined && (same(event.value, value) || (path.length > 0 && same(getPath(event.value, path), value)));
    if (fits && (best === undefined || event.t > best.t)) best = event;
  }
  if (best === undefined) return follow(source, context);
  const node = nodeOf(best.site);
  step("yielded", node, best.value);
  if (!isLiteral(node)) follow(node, after(best), path);
}
