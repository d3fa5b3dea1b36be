// program: classes
class A {
  static count = 0; #secret = 1; field = this.constructor.name; ["computed"] = 2; empty;
  static { A.count = 5; }
  constructor(x) { this.x = x; A.count++; }
  get secret() { return this.#secret; } set secret(v) { this.#secret = v; }
  #hidden() { return "hidden"; } reveal() { return this.#hidden() + (#secret in this); }
  static make(...args) { return new this(...args); } static async later() { return 1; } *[Symbol.iterator]() { yield this.x; yield* [1, 2]; }
  arrow = () => this.x;
}
class B extends A {
  field2 = super.reveal();
  constructor(x) { super(x * 2); this.y = super.secret; }
  reveal() { return "B" + super.reveal(); } get z() { return super.secret + 1; } toString() { return `B(${this.x})`; }
}
const a = new A(1), b = B.make(2); b.secret = 9;
console.log(a.x, a.field, A.count, b.x, b.y, b.reveal(), b.z, `${b}`, [...a], a.arrow.call(null), b.field2, b instanceof A, a);
A.later().then(console.log);
// program: derived constructors
class P { constructor() { this.kind = new.target.name; } }
class Q extends P { constructor(flag) { if (flag) { super(); return; } super(); this.after = 1; return { other: true }; } }
class R extends P { f = () => super.toString === Object.prototype.toString; }
class S extends Array { last() { return this[this.length - 1]; } } class T extends (class { m() { return 1; } }) { }
try { class U extends P { constructor() { this.x = 1; super(); } } new U(); } catch (e) { console.log(e.name); }
console.log(new Q(true), new Q(false), new R().f(), S.from([1, 2]).last(), new T().m(), new S(3).length);
class E extends Error { } try { throw new E("e"); } catch (e) { console.log(e instanceof E, e.message, String(e)); }
try { P(); } catch (e) { console.log(e.message); }
// program: generators
function* count(n) { for (let i = 0; i < n; i++) { const got = yield i; if (got) console.log("got", got); } return "end"; }
const g = count(3); console.log(g.next(), g.next("a"), g.next("b"), g.next(), g.next());
function* both() { const r = yield* count(1); console.log(r); try { yield 1; } finally { console.log("closed"); } }
for (const x of both()) { console.log(x); if (x === 1) break; }
const [p, q] = count(5); console.log(p, q, [...count(2)], Math.max(...count(4)));
const o = { *[Symbol.iterator]() { yield 1; yield f(yield 2); } }; function f(x) { return x; } console.log([...o]);
const t = both(); t.next(); t.next(); try { t.throw(new Error("in")); } catch (e) { console.log(e.message); } console.log(count(1).return(5));
// program: async order
const log = (x) => console.log(x);
async function a() { log(1); await null; log(4); await b(); log(7); return 8; }
async function b() { log(5); await new Promise((r) => setTimeout(r, 1)); log(6); }
a().then(log); log(2); Promise.resolve().then(() => log("m")); queueMicrotask(() => log("q")); log(3);
setTimeout(() => log("t"), 20); process.nextTick(() => log("n"));
// program: async errors
async function bad() { throw new Error("bad"); } async function wrap() { try { await bad(); } catch (e) { return e.message; } finally { console.log("f"); } }
wrap().then(console.log); bad().catch((e) => console.log("c", e.message)); Promise.allSettled([bad(), 1]).then((r) => console.log(r.map((x) => x.status)));
Promise.race([wrap(), bad()]).catch(() => { }).then(() => console.log("race")); Promise.any([bad(), wrap()]).then(console.log);
// program: async generators
async function* gen() { yield 1; yield Promise.resolve(2); try { yield 3; } finally { console.log("cleanup"); } }
(async () => { for await (const x of gen()) { console.log(x); if (x === 3) break; } for await (const y of [Promise.resolve("p"), "q"]) console.log(y);
  const it = gen(); console.log(await it.next(), await it.return(9)); label: for await (const z of gen()) { continue label; } })();
// program: async arrows and methods
const o = { async m(x) { return (await x) + 1; }, f: async (x) => await x * 2, async *g() { yield await 1; } };
class C { static async s() { return this.name; } async [`d${1}`]() { return await this.constructor.s(); } }
(async () => { console.log(await o.m(1), await o.f(Promise.resolve(2)), await new C().d1(), (await o.g().next()).value, await Promise.all([1, o.m(2)])); const { a, ...r } = await { a: 1, b: 2 }; console.log(a, r); })();
// program: await order matches
(async () => { for (const n of [1, 2]) { console.log("a", n); await n; } })(); (async () => { for (const n of [1, 2]) { console.log("b", n); await n; } })();
const thenable = { then(r) { console.log("then"); r(5); } }; (async () => { console.log(await thenable); return thenable; })().then(console.log);
async function direct() { return Promise.resolve(1); } async function waits() { return await Promise.resolve(2); } direct().then(console.log); waits().then(console.log); Promise.resolve().then(() => console.log(0)).then(() => console.log(1.5)).then(() => console.log(2.5)).then(() => console.log(3.5));
// program: default parameters
let n = 0; const next = () => ++n;
function f(a = next(), b = a + next(), { c = next() } = {}, [d = next(), ...e] = [undefined, 1], g = () => a) { a = 100; return [a, b, c, d, e, g()]; }
console.log(f(), f(1), f(1, 2, { c: 3 }, [4, 5]), f.length, n);
function self(x, y = x, z = arguments.length, w = this === undefined) { "no directive here"; return [x, y, z]; } console.log(self(1), self(undefined, 2));
const arrow = (x = (() => 3)(), y = x) => x + y; console.log(arrow(), arrow(1)); function late(a = hoisted()) { return a; function hoisted2() { } } function hoisted() { return "h"; } console.log(late());
// program: recursion and mutual recursion
const fact = (n) => n <= 1 ? 1 : n * fact(n - 1); function even(n) { return n === 0 || odd(n - 1); } function odd(n) { return n !== 0 && even(n - 1); }
const fib = function inner(n) { return n < 2 ? n : inner(n - 1) + inner(n - 2); }; console.log(fact(10), even(10), fib(15)); const Y = f => (x => x(x))(x => f(y => x(x)(y))); console.log(Y(f => n => n ? n * f(n - 1) : 1)(5));
// program: callbacks of the library
console.log([3, 1, 2].sort((a, b) => a - b), [1, 2, 3].reduce((a, x) => a + x), Array.from({ length: 3 }, (_, i) => i * i), "a-b".replace(/-/g, () => "+"), [..."abc"].map((c, i, all) => c + i + all.length), [[1], [2]].flatMap(x => x), JSON.stringify({ a: 1, b: [2] }, (k, v) => typeof v === "number" ? v + 1 : v), JSON.parse('{"x":1}', (k, v) => v), ["1", "2", "3"].map(Number), ["1", "2", "3"].map(parseInt));
new Map([[1, 2]]).forEach((v, k, m) => console.log(v, k, m.size)); new Set([1]).forEach((v) => console.log(v)); Object.entries({ a: 1 }).forEach(([k, v]) => console.log(k, v));
// program: iterators by hand
const it = { from: 1, to: 3, [Symbol.iterator]() { let c = this.from, t = this.to; return { next: () => c <= t ? { value: c++, done: false } : { value: undefined, done: true }, return() { console.log("returned"); return {}; } }; } };
for (const x of it) { if (x === 2) break; } console.log([...it], Math.max(...it)); const [one] = it; console.log(one); try { for (const x of it) throw new Error("t"); } catch (e) { console.log(e.message); }
// program: private methods and accessors
class Stack { #items = []; static #made = 0; static get made() { return Stack.#made; } constructor() { Stack.#made += 1; } push(x) { this.#items.push(x); return this; } get size() { return this.#items.length; } static isStack(o) { return #items in o; } set top(v) { this.#items[this.#items.length - 1] = v; } get top() { return this.#items.at(-1); } }
const s = new Stack().push(1).push(2); s.top = 5; s.top += 1; s.top++; console.log(s.size, s.top, Stack.made, Stack.isStack(s), Stack.isStack({}));
try { Stack.prototype.push.call({}, 1); } catch (e) { console.log(e.name); }
// program: function text is callable again
function add(a, b) { return a + b; } const o = { m() { return 1; } }; console.log(typeof add.toString(), add.call(null, 1, 2), add.apply(null, [3, 4]), Reflect.construct(function () { this.q = 1; }, []).q, Function.prototype.call.call(add, null, 5, 6));
// program: strict and sloppy this
function sloppy() { return this === globalThis; } function strict() { "use strict"; return this; } console.log(sloppy(), strict(), [1].map(function () { return this.k; }, { k: 2 })); var f = function g() { g = 1; return typeof g; }; console.log(f());
function dup(a, a) { return a; } console.log(dup(1, 2)); var undefinedLike; console.log(undefinedLike); if (true) { function cond() { return "c"; } } console.log(cond());
