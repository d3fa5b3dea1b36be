// program: operators
let a = 5, b = 2, s = "x";
console.log(a + b, a - b, a * b, a / b, a % b, a ** b, (-a) ** 0, +s, -s, ~a, !a, a << b, a >> 1, a >>> 1, a & b, a | b, a ^ b);
console.log(a < b, a <= b, a == "5", a === "5", a != b, a !== b, s + a + b, "x" in { x: 1 }, [] instanceof Array);
console.log(typeof a, typeof undeclaredName, void 0, delete { q: 1 }.q, typeof null?.x);
a += 2; a -= 1; a *= 3; a /= 2; a %= 7; a **= 2; a <<= 1; a >>= 1; a >>>= 0; a &= 15; a |= 1; a ^= 2;
console.log(a, a++, ++a, a--, --a);
// program: logical assignment
let n = null, u, z = 0, o = { k: null };
n ??= 5; u ||= 6; z &&= 7; o.k ??= "set"; o["k"] ||= "no";
console.log(n, u, z, o, n ?? 1, z || 2, (n && u) ?? 3);
// program: names of functions
const f = () => {}, g = function () {}, C = class {}, h = (function () {}), k = (() => {});
let later; later = () => {};
const o = { m: () => {}, n() {}, p: class {}, ["q" + 1]: function () {}, get r() { return 1; } };
const { d = () => {} } = {};
function p(x = () => {}) { return x.name; }
console.log(f.name, g.name, C.name, h.name, k.name, later.name, o.m.name, o.n.name, o.p.name, o.q1.name, d.name, p());
console.log((() => {}).name === "", [function () {}][0].name === "", f.length, ((a, b = 1, ...c) => {}).length);
// program: this in calls
const o = { v: 1, m() { return this && this.v; }, n: { v: 2, m() { return this.v; } } };
console.log(o.m(), (o.m)(), (0, o.m)(), o["m"](), o?.m(), o.n?.m(), (o?.m)(), o.m?.(), o.n.m`x`, new (function () { this.v = 4; })().v);
const m = o.m; console.log(m() === undefined, m.call({ v: 3 }), m.apply({ v: 5 }), m.bind({ v: 6 })());
// program: optional chains
const o = { a: { b: () => ({ c: 1 }) }, z: null };
let count = 0; const tick = () => ++count;
console.log(o?.a?.b()?.c, o.z?.x.y.z, o.z?.[tick()], o.z?.(tick()), o.q?.w(tick()).e, o.a.b?.().c, count);
console.log(delete o?.a?.b, delete o.z?.x, o.a, o.nothing?.deep);
// program: spread and rest
const xs = [1, 2], o = { a: 1 };
function f(a, ...rest) { return [a, rest, arguments.length]; }
console.log([...xs, 3, ...xs], { ...o, b: 2, ...null }, f(...xs, 4), Math.max(...xs), new Date(...[2020, 1]).getFullYear());
console.log([, 1, , 2].length, [, 1, , 2]);
// program: destructuring
const { a, b: { c = 5, ...d } = {}, ["k" + 1]: e = 2, ...rest } = { a: 1, b: { x: 1 }, k1: undefined, y: 1, z: 2 };
const [p, , q = 3, [r], ...s] = [1, 2, undefined, [4], 5, 6];
console.log(a, c, d, e, rest, p, q, r, s);
let x = 1, y = 2; [x, y] = [y, x]; const o = {};
({ m: o.m, n: o["n"], l: [o.l] } = { m: 1, n: 2, l: [3] });
[o.first = 9, ...o.others] = [undefined, 2, 3];
console.log(x, y, o);
function f({ a, b = a + 1 } = {}, [c] = [7]) { return [a, b, c]; }
console.log(f(), f({ a: 1 }), f({ a: 1, b: 5 }, [8]));
for (const [k, { v }] of Object.entries({ a: { v: 1 } })) console.log(k, v);
const g = ({ x }) => x, h = ([x, y]) => x + y; console.log(g({ x: 1 }), h([1, 2]));
// program: templates
const n = 3, tag = (parts, ...values) => parts.raw.join("|") + values.join(",");
console.log(`a${n}b${n + 1}${`in${n}`}`, tag`x${n}\n${n * 2}y`, `line
${n}`, String.raw`\u${n}`);
// program: objects
const k = "key", v = 1, __proto__ = { inherited: 1 };
const o = { v, k, [k]: 2, "quoted key": 3, 4: 5, get g() { return this.v; }, set g(x) { this.v = x; }, async am() {}, *gm() {}, async *agm() {}, [`c${v}`]() { return 1; } };
o.g = 10;
console.log(o.g, o, Object.keys({ __proto__ }), { __proto__: { p: 1 } }.p, { __proto__ }.inherited === undefined);
// program: numbers and literals
console.log(0x10, 0b11, 0o17, 1_000, 1e3, .5, 10n ** 20n, /a\/[/]b/gi.flags, 'a\u{1F600}', null, true, NaN, Infinity, undefined);
console.log(/=/.test("a=b"), 4 / 2 / 1, [/x/, /y/].length);
// program: conditional and sequence
const t = 1;
const r = t ? t === 1 ? "one" : "other" : "none", s = (1, 2, 3);
let i = 0; const w = (i++, i++, i);
for (let a = 0, b = 5; a < b; a++, b--) console.log(a, b);
const f = (x) => (console.log(x), x + 1);
console.log(r, s, w, f(1), (() => (1, 2))());
function g() { return console.log("seq"), 7; }
console.log(g());
// program: arrows
const a = x => x, b = (x, y) => ({ x, y }), c = () => { }, d = async x => x, e = x => y => z => x + y + z, f = () => [1], g = () => (1), h = (x) => x ? 1 : 2;
const i = () => function () { return 5 }, j = () => class { static z = 1 };
console.log(a(1), b(1, 2), c(), e(1)(2)(3), f(), g(), h(0), i()(), j().z, [1, 2].map(x => x * 2).filter(x => x > 2));
d(1).then(console.log);
const k = (x) =>
  x + 1;
console.log(k(1)); const l = async () => await 1; l().then((x) => console.log("l", x));
// program: arguments and new target
function f() { return [arguments.length, [...arguments], new.target === undefined]; }
function G(a) { if (!new.target) return new G(a); this.a = a; arguments[0] = 9; this.b = a; }
console.log(f(1, 2), G(1), new G(2), new G, new (class A { constructor() { this.t = new.target.name; } })());
function s(a) { "use strict"; arguments[0] = 2; return a; } console.log(s(1));
// program: eval and function constructor
var x = 1; let y = 2;
console.log(eval("x + y"), eval("var q = 5; q"), q, new Function("a", "return a * 2")(4), (0, eval)("typeof y"));
function f() { const secret = 3; return eval("secret + 1"); } console.log(f());
// program: delete in and has
const o = { a: 1, b: { c: 2 } }, k = "a";
console.log(delete o[k], delete o.b.c, k in o, "b" in o, o, delete o?.b);
var g = 1; console.log(delete g, typeof delete o.x);
// program: getters and setters are called as often
let n = 0;
const o = { get x() { n++; return { y: 1 }; }, set x(v) { n += 10; } };
o.x; o.x.y; o.x = 1; o.x += 1; o["x"]; o?.x; const { x } = o;
console.log(n);
const p = new Proxy({}, { get(t, k) { n++; return k === "call" ? () => 1 : 2; }, has(t, k) { n += 100; return true; } });
p.a + p.b; "z" in p; p.call(); console.log(n);
// program: conversions are called as often
let log = [];
const o = { toString() { log.push("s"); return "o"; }, valueOf() { log.push("v"); return 7; }, [Symbol.toPrimitive]: undefined };
o + 1; `${o}`; o * 2; o < 3; ({})[o]; String(o); o == 7; console.log(log.join(""));
// program: deep member calls
const b = { v: [], add(x) { this.v.push(x); return this; }, get self() { return this; }, make() { return () => this; } };
console.log(b.add(1).add(2).self.add(3).v, b.make()().v.length, b["add"](4)["v"]["length"], (b.add)(5).v.at(-1));
// program: unicode in the source
const größe = "né", 名前 = "名", emoji = "😀";
console.log(größe + 名前 + emoji, `${emoji}${größe}`, { größe, 名前 }); const ünder = { ä: { ö: 1 } };
console.log(ünder.ä.ö, [..."😀é"].length);
// program: comments everywhere
const f = (/* none */) => /* value */ 1 /* end */; // done
function g(/* a */ a /* b */, b = /* default */ 2) /* body */ { return /* r */ a /* plus */ + b; /* tail */ }
console.log(f(/* x */), g(/* y */ 1 /* z */) /* last */); // end
const h = a => a // no semicolon
console.log(h(1)) // comment at the end
