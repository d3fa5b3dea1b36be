// Chooses what of a failed expression is to be explained: the part that carries the failure by its kind.

class Failure {
  constructor(kind, message, frames) {
    this.kind = kind;
    this.message = message;
    this.frames = frames;
    this.file = frames[0].file;
    this.offset = frames[0].offset;
  }

  explain() {
    const { file, offset } = this;
    const assertion = this.kind.includes("AssertionError");
    const thrown = around(file, offset, ["throw"]);
    if (assertion && thrown === undefined) return this.asserted();
    if (thrown !== undefined && thrown.f === around(file, offset)?.f && this.isMade(thrown)) return this.thrown(thrown);
    if (this.kind === "ReferenceError") return this.unbound();
    const found = this.culprits().filter((one) => one.node !== undefined).slice(0, 2);
    if (found.length === 0) return;
    const fn = found[0].node.f;
    const fits = found[0].fits ?? (() => true);
    const frame = activation(fn, (context) => fits(valueOf(found[0].node, context))) ?? null;
    this.context = new Context(frame, Infinity);
    chains(found.map((one) => () => this.start(one)));
  }

  // Whether the error is the one that the `throw` makes, not one that arose while it was made.
  isMade(thrown) {
    const made = bare(nodeOf(thrown.a));
    return made !== undefined && (made.k === "new" || made.k === "call") && (made.s === this.offset || nodeOf(made.o)?.q === this.offset);
  }

  start({ role = "failing", node, text, path = [] }) {
    const value = valueOf(node, this.context);
    step(role, node, path.length > 0 && value !== NOTHING ? getPath(value, path) : value, text);
    if (path.length > 0 && isObject(value) && origin(value, path, this.context, node)) return;
    if (!isLiteral(node)) follow(node, this.context, path);
  }

  culprits() {
    const { message } = this;
    if (/^Cannot read properties of /.test(message)) return this.reading();
    if (/^Cannot set properties of /.test(message)) return this.setting();
    if (/^Cannot destructure/.test(message)) return this.destructured();
    if (/ is not iterable|not an entry object|object is not iterable|iterator/i.test(message)) return this.iterated();
    if (/ is not a function/.test(message)) return this.called();
    if (/ is not a constructor/.test(message)) {
      const node = innermost(this.file, (node) => node.k === "new" && node.s === this.offset);
      return node === undefined ? [] : [{ node: nodeOf(node.o) }];
    }
    if (/^Assignment to constant/.test(message)) return [];
    if (/read only property|not extensible|Cannot (?:delete|add|redefine) property/.test(message)) return this.changing();
    if (/'in' operator|instanceof/.test(message)) {
      const node = this.operator();
      return node === undefined ? [] : [{ node: nodeOf(node.r) }];
    }
    if (/mix BigInt|Cannot convert a Symbol/.test(message)) {
      const node = this.operator();
      return node === undefined ? [] : [{ node: nodeOf(node.l) }, { node: nodeOf(node.r) }].filter((one) => !isLiteral(one.node));
    }
    return this.given();
  }

  operator() {
    return innermost(this.file, (node) => node.k === "bin" && node.q <= this.offset && this.offset <= nodeOf(node.r).s);
  }

  member() {
    const { file, offset } = this;
    return innermost(file, (node) => node.k === "mem" && !node.target && nodeOf(node.o)?.e <= offset && offset <= node.q);
  }

  reading() {
    const { file, offset } = this;
    const target = innermost(file, (node) => (node.k === "asg" || node.k === "upd") && node.s === offset && nodeOf(node.l ?? node.a)?.k === "mem");
    const member = this.member() ?? nodeOf(target?.l ?? target?.a);
    if (member !== undefined) return [{ node: nodeOf(member.o), fits: isNullish }];
    return this.destructured();
  }

  setting() {
    const { file, offset } = this;
    const node = innermost(file, (node) => node.k === "asg" && node.q <= offset && offset <= nodeOf(node.r).s);
    const target = nodeOf(node?.l);
    return target?.k === "mem" ? [{ node: nodeOf(target.o), fits: isNullish }] : [];
  }

  // An object that is frozen.
  changing() {
    const node = around(this.file, this.offset, ["asg", "upd", "un"]);
    const object = nodeOf(bare(nodeOf(node?.l ?? node?.a))?.o);
    return object === undefined ? this.given() : [{ node: object }];
  }

  destructured() {
    const { file, offset } = this;
    const declared = innermost(file, (node) => node.k === "decl" && node.ts <= offset && offset <= node.e);
    const reading = /\(reading '(.*)'\)/.exec(this.message)?.[1] ?? /property '(.*?)' of/.exec(this.message)?.[1];
    if (declared?.r !== undefined && offset < declared.te) {
      const source = nodeOf(declared.r);
      const path = pathBefore(source.id, reading);
      return [{ node: source, path, text: path.length > 0 ? `${textOf(source)}.${path.join(".")}` : undefined }];
    }
    const assigned = innermost(file, (node) => node.k === "asg" && nodeOf(node.l).k === "pattern" && node.s <= offset && offset <= node.e);
    if (assigned !== undefined) return [{ node: nodeOf(assigned.r) }];
    const loop = innermost(file, (node) => ["forof", "forin"].includes(node.k) && node.s <= offset && offset < node.ts);
    if (loop !== undefined) return [{ node: nodeOf(loop.r) }];
    return this.parameter(reading);
  }

  // A parameter that is taken apart: the argument is at the next place of the stack.
  parameter(reading) {
    const { file, offset } = this;
    const node = innermost(file, (node) => node.k === "fn" && node.fi !== undefined && node.s <= offset && offset < node.e);
    const fn = table.functions[node?.fi];
    if (fn === undefined) return this.given();
    const at = fn.params.find((one) => one.path.length > 0 && (reading === undefined || one.path.includes(reading)));
    if (at === undefined) return this.given();
    const path = reading === undefined ? [] : at.path.slice(0, Math.max(0, at.path.indexOf(reading)));
    const rest = this.frames.slice(1);
    for (const { file, offset } of rest) {
      const call = callAt(file, offset);
      if (call === undefined) continue;
      if (mediated(call, fn)) {
        const object = nodeOf(bare(nodeOf(call.o))?.o);
        const whole = object === undefined ? NOTHING : valueOf(object, new Context(activation(call.f, () => true) ?? null, Infinity));
        const missing = isList(whole) ? firstMissing(whole, path) : -1;
        return missing < 0 ? [{ node: object }] : [{ node: object, path: [missing, ...path], text: `${textOf(object)}[${missing}]${path.map((key) => "." + key).join("")}` }];
      }
      const argument = nodeOf(call.a[at.i]);
      if (argument === undefined) return [{ node: call }];
      return [{ node: argument, path, text: path.length > 0 ? `${textOf(argument)}.${path.join(".")}` : undefined }];
    }
    return [];
  }

  iterated() {
    const { file, offset } = this;
    const wrong = (value) => value !== NOTHING && (isNullish(value) || typeof value === "number" || typeof value === "boolean" || (isObject(value) && !types.isProxy(value) && get(value, Symbol.iterator) === undefined));
    const places = file.nodes.filter((node) => node.s === offset && ["forof", "spread", "decl", "asg", "call", "new", "arr", "yield"].includes(nodeOf(node.up)?.k ?? ""));
    const here = places.filter((node) => ![node.k].includes("fn"));
    here.sort((a, b) => b.e - b.s - (a.e - a.s));
    const direct = here.find((node) => ["forof", "spread", "decl"].includes(nodeOf(node.up).k) && nodeOf(node.up).s !== node.s);
    if (direct !== undefined) return [{ node: direct, fits: wrong }];
    const call = callAt(file, offset);
    if (call !== undefined) {
      const arguments_ = call.a.map(nodeOf).map((one) => (one.k === "spread" ? nodeOf(one.a) : one));
      const frame = activation(call.f, () => true) ?? null;
      const context = new Context(frame, Infinity);
      const found = arguments_.find((one) => wrong(valueOf(one, context))) ?? arguments_.find((one) => !isLiteral(one));
      if (found !== undefined) return [{ node: found, fits: wrong }];
    }
    const loop = innermost(file, (node) => node.k === "forof" && node.s <= offset && offset <= node.ts);
    if (loop !== undefined) return [{ node: nodeOf(loop.r), fits: wrong }];
    return this.destructured();
  }

  called() {
    const { file, offset } = this;
    const call = callAt(file, offset);
    if (call === undefined) return this.given();
    const callee = bare(nodeOf(call.o));
    const frame = activation(call.f, () => true) ?? null;
    const context = new Context(frame, Infinity);
    if (typeof valueOf(callee, context) === "function" || (callee.k === "mem" && isLibrary(nodeOf(callee.o)))) {
      const wrong = call.a.map(nodeOf).find((one) => one.k !== "fn" && typeof valueOf(one, context) !== "function");
      return wrong === undefined ? [] : [{ node: wrong, fits: (value) => typeof value !== "function" }];
    }
    const fits = (value) => typeof value !== "function";
    if (callee.k !== "mem") return [{ node: callee, fits }];
    const object = nodeOf(callee.o);
    const whole = valueOf(object, context);
    // A field that somebody set is followed; a method that is not there is a question of what the object is.
    if (isObject(whole) && !isList(whole) && !types.isPromise(whole) && (hasOwn(whole, callee.n ?? "") || callee.c !== undefined || fieldOfClass(whole, callee.n))) return [{ node: callee, fits }];
    return [{ node: object }];
  }

  // A call of the language or of a library: what it was given.
  given() {
    const call = callAt(this.file, this.offset) ?? around(this.file, this.offset, ["call", "new"]);
    if (call === undefined || !Array.isArray(call.a)) {
      const removed = around(this.file, this.offset, ["un"]);
      const object = nodeOf(bare(nodeOf(removed?.a))?.o);
      return object === undefined ? [] : [{ node: object }];
    }
    const frame = activation(call.f, () => true) ?? null;
    const context = new Context(frame, Infinity);
    const given = call.a.map(nodeOf).map((one) => (one.k === "spread" ? nodeOf(one.a) : one));
    const varying = given.filter((one) => !isLiteral(one) && one.k !== "fn");
    if (/undefined|null/.test(this.message)) {
      const nothing = varying.find((one) => isNullish(valueOf(one, context)));
      if (nothing !== undefined) return [{ node: nothing, fits: isNullish }];
    }
    const callee = bare(nodeOf(call.o));
    const object = callee?.k === "mem" && !isLibrary(nodeOf(callee.o)) ? nodeOf(callee.o) : undefined;
    const found = [...varying, object].filter((one) => one !== undefined && !isLiteral(one));
    return (found.length > 0 ? found : given).map((node) => ({ node }));
  }

  asserted() {
    const call = callAt(this.file, this.offset);
    if (call === undefined) return;
    const frame = activation(call.f, () => true) ?? null;
    const context = (this.context = new Context(frame, Infinity));
    const given = call.a.map(nodeOf);
    const name = calledName(call);
    const test = bare(given[0]);
    if (["assert", "ok"].includes(name) && test !== undefined) {
      if (test.k === "bin") return this.sides(nodeOf(test.l), nodeOf(test.r));
      const inner = test.k === "un" ? nodeOf(test.a) : test;
      return chains([() => this.start({ node: inner })]);
    }
    if (given.length >= 2) return this.sides(given[0], given[1]);
    void context;
    if (test !== undefined) chains([() => this.start({ node: test })]);
  }

  sides(left, right) {
    const context = this.context;
    chains([["left", left], ["right", right]].map(([role, node]) => () => {
      step(role, node, valueOf(node, context));
      if (!isLiteral(node)) follow(node, context, parting(valueOf(left, context), valueOf(right, context)));
    }));
  }

  // An error that the program throws itself: because of the condition around it.
  thrown(node) {
    const frame = activation(node.f, () => true) ?? null;
    const context = (this.context = new Context(frame, Infinity));
    for (let inner = node, at = nodeOf(node.up); at !== undefined && at.f === node.f; inner = at, at = nodeOf(at.up)) {
      const test = nodeOf(at.t);
      if (at.k === "if" && !within(node, test)) {
        step("condition", test, at.ts <= inner.s && inner.e <= at.te);
        return void conditionParts(test, context, 2);
      }
      if (at.k === "case") {
        const value = nodeOf(at.d);
        return this.start({ node: value });
      }
      if (["cond", "log"].includes(at.k)) break;
    }
    const made = bare(nodeOf(node.a));
    const parts = (made.a ?? []).map(nodeOf).filter((one) => !isLiteral(one));
    if (parts.length > 0) {
      const names = parts.flatMap(namesIn);
      if (names.length > 0) chains(names.slice(0, 2).map((one) => () => this.start({ node: one })));
    }
  }

  unbound() {
    const { file, offset } = this;
    const name = /^(?:Cannot access ')?([\w$]+)/.exec(this.message)?.[1];
    const node = innermost(file, (node) => node.k === "id" && node.s === offset && node.n === name);
    if (node === undefined && name === undefined) return;
    const symbol = table.symbols[node?.y];
    if (symbol !== undefined) {
      const write = symbol.writes.find((one) => ["assigned", "declared", "defined"].includes(one.k));
      const from = nodeOf(write?.n);
      const declared = from?.k === "fn" || from?.k === "cls" ? from : nodeOf(from?.up);
      if (declared !== undefined) step("unbound", declared, NOTHING, name);
      return;
    }
    const other = table.symbols.find((one) => one.name === name && one.f !== null);
    const fn = table.functions[other?.f];
    const at = nodeOf(other?.writes[0]?.n);
    if (fn !== undefined && at !== undefined && fn.up !== null) step("elsewhere", at, NOTHING, fn.name || assignedName(fn) || "another function");
  }
}

// The keys before the one that was read in a pattern.
function pathBefore(source, reading) {
  for (const symbol of table.symbols) {
    for (const write of symbol.writes) {
      if (write.n !== source || !Array.isArray(write.path)) continue;
      const at = write.path.indexOf(reading);
      if (at > 0) return write.path.slice(0, at);
    }
  }
  return [];
}

function firstMissing(list, path) {
  for (let at = 0; at < list.length && at < 20000; at++) if (isNullish(path.length > 0 ? getPath(own(list, at), path) : own(list, at))) return at;
  return -1;
}

function fieldOfClass(whole, name) {
  const kind = className(whole);
  return table.nodes.some((node) => node.k === "cls" && node.n === kind && node.fields.some((field) => field[0] === name));
}

// The call whose callee ends or begins at a place.
function callAt(file, offset) {
  return innermost(file, (node) => {
    if (node.k !== "call" && node.k !== "new") return false;
    if (node.s === offset && (node.k === "new" || nodeOf(node.o)?.k !== "mem")) return true;
    const callee = bare(nodeOf(node.o));
    if (callee === undefined) return false;
    if (callee.k === "mem") return (nodeOf(callee.o)?.e <= offset && offset <= callee.q) || nodeOf(node.o).e === offset;
    return callee.s === offset || nodeOf(node.o).e === offset;
  });
}

// Where two compared values part: the keys that lead to the first difference.
function parting(left, right, depth = 0) {
  if (!isObject(left) || !isObject(right) || types.isProxy(left) || types.isProxy(right) || depth > 4) return [];
  if (ArrayBuffer.isView(left) || ArrayBuffer.isView(right)) return [];
  for (const key of Reflect.ownKeys(left).slice(0, 1000)) {
    if (typeof key !== "string" || key === "length") continue;
    const [one, other] = [own(left, key), own(right, key)];
    if (same(one, other)) continue;
    const deeper = parting(one, other, depth + 1);
    if (isObject(one) && isObject(other) && deeper.length === 0) continue;
    return [isList(left) ? Number(key) : key, ...deeper];
  }
  return [];
}
