// program: getters that throw and print | 3 | null
const o = { get a() { console.log('ran'); throw new Error('no'); }, b: { get c() { console.log('ran'); for (;;); } } };
const zero = null;
const box = { o, zero };
console.log(box.zero.x);
// program: proxies | 3 | null
const trap = () => { console.log('ran'); for (;;); };
const p = new Proxy({}, new Proxy({}, { get: () => trap }));
const xs = [p, null];
for (const x of xs) {
  if (x !== p) x.go();
}
// program: a proxy of a function | 2 | undefined
const f = new Proxy(function () {}, { get() { console.log('ran'); for (;;); }, apply() { return undefined; } });
const r = f(1);
r.x;
// program: overwritten built-ins | 1 | undefined
const zero = undefined;
for (const k of ['push','map','filter','forEach','find','join','indexOf','includes','slice','sort','pop','some','flat','flatMap','concat','shift','keys','values','entries']) Array.prototype[k] = () => { console.log('ran'); throw 1; };
Array.prototype[Symbol.iterator] = () => { console.log('ran'); };
JSON.stringify = JSON.parse = Object.getOwnPropertyDescriptor = Object.getPrototypeOf = Reflect.ownKeys = Object.keys = () => { console.log('ran'); throw 2; };
Map.prototype.get = Map.prototype.set = Map.prototype.has = Set.prototype.has = WeakMap.prototype.get = () => { console.log('ran'); };
String.prototype.slice = String.prototype.split = String.prototype.replace = RegExp.prototype.exec = () => { console.log('ran'); };
Number.isNaN = Math.min = Array.isArray = () => { console.log('ran'); };
zero.x;
// program: overwritten call and apply | 1 | null
const zero = null;
Function.prototype.call = Function.prototype.apply = Function.prototype.bind = function () { console.log('ran'); };
Object.defineProperty = () => { console.log('ran') };
zero.x;
// program: setters on the prototype | 3 | null
Object.defineProperty(Object.prototype, 'value', { set() { console.log('ran'); }, get() { console.log('ran'); return 1; }, configurable: true });
Object.prototype.other = 1;
const n = null;
n.x;
// program: ten million assignments | 5 | null
let a;
for (let i = 0; i < 1e7; i++) {
  a = i;
}
const limit = null;
console.log(limit.x);
// program: a flood | 1 | undefined
const limit = undefined;
for (let i = 0; i < 200000; i++) console.log('x'.repeat(50));
limit.x;
// program: deep recursion that fits | 4 | null
function down(n, zero) {
  return n ? down(n - 1, zero) : zero.x;
}
const zero = null;
console.log(down(3000, zero));
// program: recursion without end | 0
function f(n) {
  return f(n + 1);
}
f(0);
// program: toString that loops | 2 | null
const o = { toString() { for (;;); }, valueOf() { for (;;); }, [Symbol.toPrimitive]() { for (;;); }, toJSON() { for (;;); }, [Symbol.for('nodejs.util.inspect.custom')]() { for (;;); } };
const box = { o, n: null };
box.n.x;
// program: frozen objects | 2 | null
'use strict';
const o = Object.freeze({ a: null });
function f(x) { return x.a.b; }
f(o);
// program: sloppy mode | 0
x = null;
function f(a, a) { arguments[0] = 1; return this.x.y; }
f(1, 2);
// program: eval | 0
const limit = null;
eval('var q = limit');
q.x;
// program: code in a string | 0
const o = { n: null };
const f = new Function('o', 'return o.n.x');
f(o);
// program: huge arrays | 2 | []
const xs = Array.from({ length: 1e6 }, (_, i) => i);
const ys = xs.filter((x) => x > 1e7);
console.log(ys[0].x);
// program: huge strings | 1 | 'xxx
const s = 'x'.repeat(1e7);
const t = s + s;
t.foo();
// program: many strings | 4 | null
let n = null;
for (let i = 0; i < 30000; i++) {
  const s = 'y'.repeat(100000) + i;
  n = s.length > 5 ? null : s;
}
n.x;
// program: many buffers | 1 | null
let n = 0, last = null;
for (let i = 0; i < 3000; i++) {
  const b = Buffer.alloc(1000000);
  n += b.length;
}
last.x;
// program: the last of many rows | 2 | null
const rows = Array.from({ length: 60000 }, (_, i) => ({ n: { i } }));
rows[59999].n = null;
let total = 0;
for (const row of rows) {
  total += row.n.i;
}
// program: a hundred thousand calls | 2 | null
function f(x) {
  return x || null;
}
let y;
for (let i = 100000; i >= 0; i--) y = f(i);
y.x;
// program: endless generator | 1 | null
function* ones() { while (true) yield null; }
for (const x of ones()) {
  x.y;
}
// program: cyclic objects | 2 | null
const a = { name: 'a' };
a.self = a; a.n = null;
a.self.self.n.x;
// program: own error with accessors | 2 | 3
class Odd extends Error { get name() { console.log('ran name'); return 'Odd'; } get message() { return 'm'; } }
const n = 3;
if (n > 2) {
  throw new Odd();
}
// program: prepareStackTrace | 0
Error.prepareStackTrace = () => 'nothing';
const n = null;
n.x;
// program: no stacks | 0
Error.stackTraceLimit = 0;
const n = null;
n.x;
// program: a symbol as key | 2 | null
const k = Symbol('k');
const o = { [k]: null };
o[k].x;
// program: an object as key | 0
const k = { toString() { console.log('once'); return 'k'; } };
const o = { k: null };
o[k].x;
// program: own handler | 2 | null
process.on('uncaughtException', (e) => { console.error(e.stack); process.exit(9); });
const n = null;
n.x;
// program: another directory | 2 | null
process.chdir('/tmp');
const n = null;
n.x;
// program: a worker | 4 | null
const { Worker, isMainThread } = require('worker_threads');
if (isMainThread) {
  const w = new Worker(__filename);
  w.on('error', (e) => { const n = null; n.y; });
} else {
  throw new Error('w');
}
// program: a replaced process | 1 | null
const n = null;
globalThis.process = null; globalThis.require = null; globalThis.console = null;
n.x;
// program: the recorder used by the program | 2 | null
try { __f$.v(1, 2, 3); __f$.n(5000, 7); __f$.b(null, 99999, null); __f$.t(); __f$.e(); __f$.k(); __f$.p(); } catch {}
const n = null;
n.x;
// program: the report forged | 2 | null
require('fs').writeFileSync('formicary-causes.json', '{"types":["TypeError"],"file":"main.js","line":3,"steps":[]}');
const n = null;
n.x;
// program: words of the runtime in the source | 2 | null
const words = "FORMICARY_RUNTIME FORMICARY_TABLE FORMICARY_ENTER __f$ __c$ \u2028 </script>";
const n = null;
console.log(words, n.x);
