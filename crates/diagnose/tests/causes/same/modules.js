// program: esm
import fs, { readFileSync } from "node:fs";
import * as path from "node:path";
export const a = 1, b = () => a;
export default class Shape { area() { return a; } }
export { a as renamed };
export function f() { return b(); }
console.log(typeof readFileSync, fs.existsSync("/nothing"), path.join("a", "b"), f(), new Shape().area(), import.meta.url.length > 0, this);
const late = await Promise.resolve(3); console.log(late); for await (const x of [1]) console.log(x); const m = await import("node:os"); console.log(typeof m.EOL);
// program: esm default expression
export default ("x" in {} ? 1 : 2);
console.log("default");
// program: esm default arrow
import { EventEmitter } from "events"
export default () => 1
const e = new EventEmitter()
e.on("x", (v) => console.log(v))
e.emit("x", 3)
// program: commonjs
const fs = require("fs"), { join } = require("path"); module.exports = { a: 1 }; exports.b = 2; exports.c = () => module.exports.a;
console.log(typeof __dirname, typeof __filename, require.main === module, this === exports, module.exports.a, exports.c(), join("x", "y"), require("./formicary-no.js".slice(0, 0) || "util").inspect({ z: 1 }));
// program: input
const text = require("fs").readFileSync(0, "utf8"); console.log(JSON.stringify(text)); process.stdin.on("data", () => { });
// program: arguments of the process
console.log(process.argv.length, process.argv.slice(2), Object.keys(globalThis).length > 5, Object.keys(globalThis).includes("__f$"));
// program: events and timers
const { EventEmitter } = require("events"); class Bus extends EventEmitter { } const b = new Bus(); b.once("a", function (x) { console.log(x, this === b); }); b.emit("a", 1); console.log(b.emit("a", 2)); let n = 0; const t = setInterval(() => { if (++n === 3) { clearInterval(t); console.log("done"); } }, 1); setTimeout(console.log, 2, "late", n);
// program: symbols and reflection
const s = Symbol("s"); class T { static [Symbol.hasInstance](x) { return x === 1; } get [Symbol.toStringTag]() { return "T"; } [s]() { return 1; } } console.log(1 instanceof T, String(new T()), new T()[s](), Object.getOwnPropertyNames(T.prototype), Reflect.ownKeys({ [s]: 1, a: 2 }), Object.getOwnPropertyDescriptor({ get x() { return 1; } }, "x").set);
// program: frozen and sealed
"use strict"; const f = Object.freeze({ a: 1, n: { b: 2 } }); try { f.a = 2; } catch (e) { console.log(e.name); } f.n.b = 3; console.log(f, Object.isFrozen(f)); const l = Object.freeze([1, 2]); try { l.push(3); } catch (e) { console.log(e.name); } Object.freeze(Array.prototype); Object.freeze(Object.prototype); console.log([1, 2].map((x) => x + 1));
// program: overwritten built-ins
const real = console.log; Array.prototype.push = function () { real("push!"); return 0; };  Map.prototype.get = () => 1; JSON.stringify = () => "fake"; Object.getOwnPropertyDescriptor = () => { throw new Error("no"); }; Function.prototype.call = function () { real("call!"); }; WeakMap.prototype.get = Map.prototype.has = () => { real("map!"); };
const xs = [1, 2]; real(xs.length, [...xs], JSON.stringify(1)); function f(a, b) { return a + b; } real(f(1, 2)); for (const x of xs) real(x);
// program: labels and functions in odd places
a: { b: { break a; } } if (1) { var x = function () { return arguments.callee.length; }; } c: for (; ;) { d: for (const k of [1, 2]) { if (k > 1) break c; else continue d; } } var y = x(1), z = y ? { a: 1 }.a : []; console.log(y, z); with_: { break with_; }
// program: with
var o = { p: 1, q: { r: 2 } }; with (o) { console.log(p, q.r); p = 5; } console.log(o.p);
// program: with a proxy
with (new Proxy({}, { has(t, k) { if (typeof k === "string" && k.startsWith("__")) console.log("asked", k); return false; } })) { console.log("in"); }
// program: long arithmetic loop
let a = 0; for (let i = 0; i < 300000; i++) { a = (a * 31 + i) % 1000003; if (a % 7 === 0) a ^= i; } console.log(a);
