// Values, looked at and shown without running code of the program: no accessors, no traps, nothing overwritten.

const NOTHING = { nothing: true };
const MOST_ITEMS = 20;
const MOST_WIDTH = 200;
const types = host.types;
const { getOwnPropertyDescriptor, getPrototypeOf, is } = Object;

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function isList(value) {
  return isObject(value) && !types.isProxy(value) && Array.isArray(value);
}

function isNullish(value) {
  return value === undefined || value === null;
}

function isSimple(value) {
  return !isObject(value) && value !== NOTHING;
}

function same(one, other) {
  if (Long.is(one) && Long.is(other)) return one.length === other.length && one.start === other.start;
  return is(one, other) || one === other;
}

// A field that an object has itself.
function own(object, key) {
  if (!isObject(object) || types.isProxy(object)) return NOTHING;
  const found = getOwnPropertyDescriptor(object, key);
  return found !== undefined && "value" in found ? found.value : NOTHING;
}

function hasOwn(object, key) {
  return isObject(object) && !types.isProxy(object) && getOwnPropertyDescriptor(object, key) !== undefined;
}

// What reading a field gives, as far as that runs nothing; `undefined` where no prototype has it.
function get(object, key) {
  if (typeof object === "string") {
    if (key === "length") return object.length;
    return /^\d+$/.test(key) ? object[key] : NOTHING;
  }
  if (Long.is(object) || !isObject(object)) return NOTHING;
  for (let at = object, depth = 0; at !== null && depth < 20; depth++) {
    if (types.isProxy(at)) return NOTHING;
    const found = getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return "value" in found ? found.value : NOTHING;
    at = getPrototypeOf(at);
  }
  return undefined;
}

function getPath(value, path) {
  for (const key of path) {
    if (key === null) return NOTHING;
    value = get(value, key);
    if (value === NOTHING) return NOTHING;
  }
  return value;
}

function nameOf(fn) {
  const name = own(fn, "name");
  return typeof name === "string" ? name : "";
}

function className(object) {
  const proto = types.isProxy(object) ? null : getPrototypeOf(object);
  const made = proto === null || types.isProxy(proto) ? NOTHING : own(proto, "constructor");
  return typeof made === "function" && !types.isProxy(made) ? nameOf(made) : "";
}

function quotedText(text) {
  const escaped = text.replace(/[\\\n\r\t\0]/g, (c) => ({ "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" })[c] ?? "\\0");
  const quote = !escaped.includes("'") ? "'" : !escaped.includes('"') ? '"' : !escaped.includes("`") ? "`" : "'";
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

const sourceOf = getOwnPropertyDescriptor(RegExp.prototype, "source").get;
const sizeOfMap = getOwnPropertyDescriptor(Map.prototype, "size").get;
const sizeOfSet = getOwnPropertyDescriptor(Set.prototype, "size").get;

function shown(value, depth = 2) {
  switch (typeof value) {
    case "string":
      return value.length > MOST_WIDTH ? quotedText(value.slice(0, MOST_WIDTH)) + "…" : quotedText(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return Symbol.prototype.toString.call(value);
    case "number":
      return is(value, -0) ? "-0" : String(value);
    case "undefined":
    case "boolean":
      return String(value);
    case "function":
      if (types.isProxy(value)) return "[Proxy]";
      return getOwnPropertyDescriptor(value, "prototype")?.writable === false && nameOf(value)
        ? `[class ${nameOf(value)}]`
        : `[Function${nameOf(value) ? ": " + nameOf(value) : ""}]`;
  }
  if (value === null) return "null";
  if (value === NOTHING) return "";
  if (Long.is(value)) return `${quotedText(value.start)}…`;
  if (types.isProxy(value)) return "[Proxy]";
  if (Array.isArray(value)) return shownList(value, depth);
  if (types.isMap(value)) return shownMap(value, depth);
  if (types.isSet(value)) return `Set(${sizeOfSet.call(value)}) {${parts(Set.prototype.values.call(value), (one) => shown(one, depth - 1), depth)}}`;
  if (types.isDate(value)) {
    const at = Date.prototype.getTime.call(value);
    return Number.isNaN(at) ? "Invalid Date" : new Date(at).toISOString();
  }
  if (types.isRegExp(value)) return `/${sourceOf.call(value)}/`;
  if (types.isNativeError(value)) {
    const message = own(value, "message");
    return `${className(value) || "Error"}${typeof message === "string" && message ? ": " + message.slice(0, 100) : ""}`;
  }
  if (types.isBoxedPrimitive(value)) return `[${className(value)}]`;
  if (types.isPromise(value)) return "Promise";
  if (types.isTypedArray(value) || types.isAnyArrayBuffer(value) || types.isDataView(value)) return `[${className(value)}]`;
  return shownObject(value, depth);
}

function parts(iterator, show, depth) {
  if (depth <= 0) return "…";
  const list = [];
  for (let step = iterator.next(); !step.done; step = iterator.next()) {
    if (list.length >= MOST_ITEMS) {
      list.push("…");
      break;
    }
    list.push(show(step.value));
  }
  return list.join(", ");
}

function shownMap(map, depth) {
  const pair = ([key, value]) => `${shown(key, depth - 1)} => ${shown(value, depth - 1)}`;
  return `Map(${sizeOfMap.call(map)}) {${parts(Map.prototype.entries.call(map), pair, depth)}}`;
}

function shownList(list, depth) {
  if (list.length === 0) return "[]";
  if (depth <= 0) return "[…]";
  const items = [];
  for (let at = 0; at < list.length && at < MOST_ITEMS; at++) {
    const item = own(list, at);
    items.push(item === NOTHING ? "" : shown(item, depth - 1));
  }
  if (list.length > MOST_ITEMS) items.push("…");
  return `[${items.join(", ")}]`;
}

function shownObject(object, depth) {
  const kind = className(object);
  const before = kind && kind !== "Object" ? kind + " " : "";
  const keys = Reflect.ownKeys(object).filter((key) => typeof key === "string");
  if (keys.length === 0) return before + "{}";
  if (depth <= 0) return before + "{…}";
  const fields = [];
  for (const key of keys.slice(0, MOST_ITEMS)) {
    const field = getOwnPropertyDescriptor(object, key);
    if (field === undefined || !field.enumerable) continue;
    const name = /^[\w$]+$/.test(key) ? key : quotedText(key.slice(0, 60));
    fields.push(`${name}: ${"value" in field ? shown(field.value, depth - 1) : "[accessor]"}`);
  }
  if (keys.length > MOST_ITEMS) fields.push("…");
  return `${before}{${fields.join(", ")}}`;
}

function safe(value) {
  try {
    const text = shown(value);
    return text.length > MOST_WIDTH ? text.slice(0, MOST_WIDTH) + "…" : text;
  } catch {
    return "";
  }
}
