// program: directives stay
"use strict"
function f() {
  'use strict'
  return this === undefined;
}
console.log(f(), (function () { "use strict"; return typeof this; })());
try { undeclared = 1; } catch (e) { console.log(e.name); }
// program: hashbang
#!/usr/bin/env node
console.log("hash", typeof require);
// program: hashbang and directive
#!/usr/bin/env node
"use strict";
console.log(this === module.exports);
// program: no semicolons
const a = 1
const b = [1, 2, 3]
let c = a
++c
console.log(a, b, c)
;[1, 2].forEach((x) => console.log(x))
const f = x => x * 2
const g = function () { return 3 }
;(function () { console.log('iife') })()
const s = `t${a}`
console.log(f(a), g(), s)
do c--; while (c > 0) console.log(c)
if (a) console.log('yes')
else console.log('no')
// program: return and line breaks
function f() {
  return
  1;
}
function g() {
  return (
    // a comment
    1 + 2
  )
}
console.log(f(), g());
// program: labels
outer: for (let i = 0; i < 4; i++) {
  inner: for (const j of [1, 2, 3]) {
    if (j === 2) continue outer;
    if (i === 2) break outer;
    console.log(i, j);
  }
}
block: { console.log("in"); if (true) break block; console.log("never"); }
lone: for (const k in { a: 1, b: 2 }) console.log(k);
// program: loops without blocks
for (const x of [1, 2]) console.log(x);
for (const k in { p: 1 }) if (k) console.log(k); else console.log("no");
for (let i = 0, n = 2; i < n; i++) console.log(i)
let w = 3
while (w--) console.log(w)
do w++; while (w < 2)
for (var v of [[1, 2], [3, 4]]) for (const u of v) console.log(u);
let z; for (z of "ab"); console.log(z);
for (const q of []) ;
for (;;) { break }
// program: switch
function kind(x) {
  switch (typeof x) {
    case "number": if (x > 5) return "big";
    case "string": return "small or text";
    default: return "other";
    case "boolean": { return "bool"; }
  }
}
console.log(kind(9), kind(1), kind("s"), kind(null), kind(true));
switch (1) { }
// program: try and finally
function f(x) {
  try {
    if (x === 0) throw new TypeError("zero");
    if (x === 1) return "try";
  } catch ({ message, name }) {
    return name + message;
  } finally {
    console.log("finally", x);
    if (x === 2) return "from finally";
  }
  return "end";
}
console.log(f(0), f(1), f(2), f(3));
try { try { throw 1 } finally { console.log("f") } } catch { console.log("none") }
// program: hoisting
console.log(typeof early, early());
function early() { return "hoisted"; }
console.log(late); var late = 1;
{ function inBlock() { return 1 } }
console.log(inBlock());
try { tooEarly; } catch (e) { console.log(e.constructor.name, e.message); } let tooEarly = 1;
// program: var and closures
var fs = [];
for (var i = 0; i < 3; i++) fs.push(() => i);
console.log(fs.map((f) => f()));
const gs = [];
for (let j = 0; j < 3; j++) gs.push(() => j);
console.log(gs.map((g) => g()));
// program: empty and odd statements
;;;
{}
if (1);
else;
debugger;
"not a directive" + 1;
(0, console.log)("comma");
void console.log("void");
// program: exit code
console.log("before");
process.exitCode = 3;
// program: exit at once
console.log("a");
process.exit(4);
// program: uncaught
console.log("start");
function f(o) { return o.a.b; }
f({});
// program: uncaught own error
class Bad extends Error { constructor(m) { super(m); this.name = "Bad"; } }
throw new Bad("x");
// program: rejected
async function f() { await null; null.x; }
f();
// program: thrown text
throw "text";
