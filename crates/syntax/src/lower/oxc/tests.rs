//! Both ways say the same: over code that is written for it, and over the code of this host.

use crate::lower::{by_grammar, empty};
use crate::{
    Bounds, CallKind, Class, ClassKind, Dialect, Expr, ExprKind, NoteKind, Operator, Unit, parse,
    parse_bounded,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file by the grammar, which may take its time: a machine under load is no difference.
fn by_tree(dialect: Dialect, source: &str) -> Unit<'_> {
    by_grammar(empty(dialect, source), patient())
}

fn patient() -> Bounds {
    Bounds { time: Duration::from_secs(600), ..Bounds::default() }
}

/// The file by oxc's parser, where it goes that way.
fn by_oxc(dialect: Dialect, source: &str) -> Option<Unit<'_>> {
    super::read(dialect, source, Bounds::default())
}

/// The first thing that the two do not say alike.
fn difference(tree: &Unit<'_>, oxc: &Unit<'_>) -> Option<String> {
    fn first<T: std::fmt::Debug>(what: &str, tree: &[T], oxc: &[T]) -> Option<String> {
        let show = |one: Option<&T>| one.map(|one| format!("{one:?}"));
        (0..tree.len().max(oxc.len())).find_map(|index| {
            let (tree, oxc) = (show(tree.get(index)), show(oxc.get(index)));
            (tree != oxc).then(|| format!("{what} {index}:\n  tree {tree:?}\n  oxc  {oxc:?}"))
        })
    }
    if format!("{tree:?}") == format!("{oxc:?}") {
        return None;
    }
    first("note", &tree.notes, &oxc.notes)
        .or_else(|| first("expression", &tree.expressions, &oxc.expressions))
        .or_else(|| first("statement", &tree.statements, &oxc.statements))
        .or_else(|| first("function", &tree.functions, &oxc.functions))
        .or_else(|| first("class", &tree.classes, &oxc.classes))
        .or_else(|| first("import", &tree.imports, &oxc.imports))
        .or_else(|| first("comment", &tree.comments, &oxc.comments))
        .or_else(|| first("line of code", &tree.code_lines, &oxc.code_lines))
        .or_else(|| Some("something else".to_owned()))
}

#[expect(clippy::disallowed_methods, reason = "a test asks whether it may take long, and over what")]
fn told(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|value| value != "0" && !value.is_empty())
}

/// The packages that this host keeps.
fn modules() -> Vec<(Dialect, PathBuf)> {
    let long = told("FORMICARY_LONG").is_some();
    let entries =
        |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = match told("FORMICARY_JAVASCRIPT_FILES") {
        Some(named) => named.split(':').map(PathBuf::from).collect(),
        None => ["/usr/share/nodejs", "/usr/lib/node_modules", "/usr/local/lib/node_modules"]
            .map(PathBuf::from)
            .into(),
    };
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else {
                let dialect = Dialect::of_file(&path.to_string_lossy(), "");
                let ours = [Dialect::JavaScript, Dialect::TypeScript, Dialect::Tsx];
                found.extend(dialect.filter(|dialect| ours.contains(dialect)).map(|dialect| (dialect, path)));
            }
        }
    }
    found.sort();
    let step = if long { 1 } else { found.len() / 60 + 1 };
    found.into_iter().step_by(step).collect()
}

/// Why the grammar is wrong about a file, where it is known to be.
fn grammar_is_wrong(tree: &Unit<'_>) -> Option<&'static str> {
    let source = tree.source.as_bytes();
    let followed = |expr: &Expr<'_>, mark: &[u8]| {
        source
            .get(expr.span.end as usize..)
            .is_some_and(|rest| rest.starts_with(mark) && !rest.starts_with(b"!="))
    };
    let misbound = |expr: &&Expr<'_>| match &expr.kind {
        ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Logical { .. }
        | ExprKind::Compare { .. }
        | ExprKind::Update { .. }
        | ExprKind::Await(_)
        | ExprKind::Call { kind: CallKind::New, .. } => followed(expr, b"!"),
        _ => false,
    };
    let cast = |expr: &&Expr<'_>| matches!(expr.kind, ExprKind::Cast { .. }) && followed(expr, b".");
    let awaited = |expr: &&Expr<'_>| match expr.kind {
        ExprKind::Call { callee, .. } => tree.name_of(callee) == Some("await"),
        _ => false,
    };
    // `await f<T>(a)`, `await a as B`, `a ?? b as C`.
    let loosely = |expr: &&Expr<'_>| match &expr.kind {
        ExprKind::Await(_) => followed(expr, b"<"),
        ExprKind::Logical { operator: Operator::Coalesce, .. } => followed(expr, b" as "),
        ExprKind::Cast { .. } => {
            source.get(..expr.span.start as usize).is_some_and(|before| before.ends_with(b"await "))
        }
        _ => false,
    };
    if tree.expressions.iter().any(|expr| loosely(&expr)) {
        return Some("it binds `await` and `??` otherwise than the language does, before types");
    }
    if tree.expressions.iter().any(|expr| awaited(&expr)) {
        return Some("it reads `await (a)` as if `await` were called");
    }
    let marked = |class: &&Class<'_>| {
        let text = tree.text(class.span);
        class.kind == ClassKind::Alias && text.contains("readonly ") && text.contains('|')
    };
    if tree.classes.iter().any(|class| marked(&class)) {
        return Some("it reads `readonly a[] | b` as if it were `readonly (a[] | b)`");
    }
    if tree.expressions.iter().any(|expr| misbound(&expr)) {
        return Some("it reads `a + b!` as if it were `(a + b)!`");
    }
    if tree.expressions.iter().any(|expr| cast(&expr)) {
        return Some("it reads `a as b.c` as if it were `(a as b).c`");
    }
    None
}

#[test]
fn both_ways_say_the_same_of_real_code() {
    let (mut same, mut by_grammar, mut broken, mut more, mut different) = (0, 0, 0, 0, Vec::new());
    let mut wrong = 0;
    let modules = modules();
    for (dialect, path) in &modules {
        let Ok(source) = std::fs::read_to_string(path) else { continue };
        if crate::lower::refused(&source, Bounds::default()).is_some() {
            continue;
        }
        let tree = by_tree(*dialect, &source);
        match by_oxc(*dialect, &source) {
            // The grammar does not know all of the language.
            Some(_) if !tree.notes.is_empty() => more += 1,
            Some(oxc) => match difference(&tree, &oxc) {
                Some(_) if grammar_is_wrong(&tree).is_some() => wrong += 1,
                Some(difference) => different.push(format!("{}: {difference}", path.display())),
                None => same += 1,
            },
            None if tree.notes.is_empty() => by_grammar += 1,
            None => broken += 1,
        }
    }
    let all = different.len();
    different.truncate(40);
    let listed = different.join("\n");
    assert!(
        all == 0,
        "{all} differ, {same} do not, {by_grammar} sound and {broken} broken go by the grammar, it cannot read \
         {more} and misreads {wrong}:\n{listed}"
    );
    assert!(
        modules.is_empty() || by_grammar * 5 < same,
        "{by_grammar} of {same} sound files go by the grammar"
    );
}

/// Both ways, of code that this way must be able to read.
fn alike(dialect: Dialect, code: &str) {
    let oxc = by_oxc(dialect, code);
    assert!(oxc.is_some(), "goes by the grammar: {code}");
    let different = oxc.and_then(|oxc| difference(&by_tree(dialect, code), &oxc));
    assert!(different.is_none(), "{code}\n{}", different.unwrap_or_default());
}

/// Code in all the places where code stands.
fn everywhere(dialect: Dialect, code: &str) {
    alike(dialect, code);
    alike(dialect, &code.replace('\n', "\r\n"));
    if !code.starts_with("#!") {
        alike(dialect, &format!("\u{feff}// ö\n{code}"));
    }
    if code.contains("import ")
        || code.contains("export ")
        || code.contains("#!")
        || code.contains("declare ")
    {
        return;
    }
    let indented: String = code.lines().map(|line| format!("\t{line}\n")).collect();
    alike(dialect, &format!("async function* around() {{\n{indented}}}\n"));
    alike(dialect, &format!("class Around {{ static {{\n{indented}}} }}\n"));
    alike(dialect, &format!("x = {{ around: async () => {{\n{indented}}} }};\n"));
}

#[test]
fn every_kind_of_statement_and_expression_is_alike() {
    let cases = [
        "'use strict';\n\"use\\nstrict\";\na = 'b';\n",
        "import a from 'b';\nimport * as c from \"d\";\nimport e, { f, g as h, default as i } from './j.js';\nimport 'k';\n",
        "export { a, b as c, d as default };\nexport * from 'e';\nexport * as f from 'g';\nexport { h, default as i } from 'j';\n",
        "export const a = 1, { b, c: [d] } = e;\nexport let f;\nexport function g() {}\nexport class H {}\nexport async function* i() {}\n",
        "export default function () {}\n",
        "export default class extends A {}\n",
        "export default function a() {}\n",
        "export default (a) => a;\n",
        "export default { a, b() {} };\n",
        "export default a = b;\n",
        "const a = require('b'), { c, d: e } = require('f').g;\nx = require('h');\nconst i = await import('j');\n",
        "var a, b = 1, c = function () {}, d = (e) => e;\nlet { f, g: h, i = 2, j: k = 3, [l]: m, ...n } = o;\nconst [p, , q = 4, [r], ...s] = t;\nconst{u}=v;\n",
        "a = b = c;\na += b -= c;\na.b = () => 1;\na['b'] = class { c() {} };\n(a) = 1;\n({ a, b: c.d, e = 1, ...f.g } = h);\n[a, b.c = 2, ...d] = e;\na ||= b;\nc &&= d;\ne ??= f;\ng **= h;\ni >>>= j;\n",
        "if (a) b; else if (c) { d } else if (e) f(); else { g }\nif (h) {} else i = 1\nif (j)\n  k()\n",
        "while (a) b++;\ndo c--; while (d)\ndo { e } while (f);\nfor (;;) {}\nfor (let i = 0, j = 1; i < j; i++, j--) ;\nfor (a = 1; ; ) break\nfor (f(); g;) continue\n",
        "for (const a of b) c;\nfor (let [d, e] of f) {}\nfor (g in h) i;\nfor (var j in k) {}\nfor (l.m in n, o) {}\nfor ({ p } of q) r()\n",
        "for await (const a of b) {}\nawait c;\n",
        "switch (a) {\n  case 1:\n  case b.c: d(); break;\n  case 'e': { f }\n  default:\n    g\n}\nswitch (h) {}\n",
        "try { a } catch { b } finally { c }\ntry { d } catch (e) { f }\ntry { g } catch ({ h, i }) {}\ntry {} finally {}\n",
        "a: for (;;) { b: { continue a; break b } }\nc: d\n",
        "throw new A(b), c;\nthrow d\n",
        "debugger;\n;;\n{ a }\n{}\n",
        "function a(b, c = 1, { d, e: f } = {}, [g] = [], ...h) { 'use strict'; return b, c }\nfunction* i() { yield; yield j; yield* k }\nasync function l() { await m }\n(function () {})();\n(function n(undefined) { return })\n!function () {}()\n",
        "a => b;\n(a, b) => (c);\nasync a => { await b };\nasync ({ a }, [b] = c) => ({});\n() => (a, b);\n() => a = b;\n",
        "class A extends (B, C) {\n  a = 1; #b; static c = () => {}; 'd'; 1 = 2; [e] = f\n  constructor() { super(); }\n  get g() { return this.#b }\n  set g(h) {}\n  static async *i() {}\n  #j() { return #b in k }\n  [l]() {}\n  'm'() {}\n  static { n }\n  async o() { super.p() }\n  static\n}\n",
        "x = class B extends A { a() {} };\nf(class {});\n",
        "a.b.c?.d[e]?.[f]?.(g)(...h, i,);\nnew A;\nnew B.C(d, ...e);\nnew (f())();\nimport.meta.url;\nnew.target;\nsuper.x;\n",
        "a + b * c - d ** e ** f;\na && b || c;\n(a ?? b) || c;\na < b == c > d;\na in b instanceof c;\n-a + +b - ~c;\n!a;\ntypeof void delete a.b;\na++ + ++b;\na ? b : c ? d : e;\n(a, b);\na | b & c ^ d << 1 >> 2 >>> 3;\na !== b != c;\n",
        "undefined;\nnull;\ntrue;\nfalse;\nthis;\n1_000 + 0xFF + 0b11 + 0o17 + 1.5e3 + .5 + 10n;\n/a[/]b/gi.test(c);\n'a\\n\\'b' + \"\\u{61}\\x41\" + 'c\\\nd';\n",
        "`a`;\n``;\n`a\\n${b}c${`d${e}`}\\u{61}\\\\\n\n  f`;\ntag`a${b}`;\na.b`c\\0d`;\n`\\`$ $a {}`;\n",
        "x = { a, b: 1, 'c': 2, 3: 4, [d]: 5, e() {}, get f() {}, set f(g) {}, async h() {}, *i() {}, async *j() {}, ...k, l: function () {}, m: () => {}, undefined, get: 1, set, async };\n[1, , 2, ...a, [3]];\n({});\n[];\n",
        "// a\nb // c\n/* d */ e /* f */; // g\n/** h */\nfunction i() {}\n\n/**\n * j\n */\nexport class K { /** l */ m() {} // n\n}\n/*! o */\n",
        "#!/usr/bin/env node\na\n",
        "a\nb // c\n// d\ne\nif (f) return g // h\ni = j /* k */\nreturn l // m\n",
        "var a = function () { // b\n  return c // d\n} // e\nf(function () {\n} // g\n)\nx = () => { } // h\n",
        "if (a) { b } // c\nfunction d() { e } // e\nfunction d() {} // e\nclass F { g() { i } // h\n  static i() {} // j\n} // k\nfor (;;) {} // l\nfor (;;) { m; } // l\nwhile (n) { o() } // l\ntry { } // m\ncatch { } // n\nfinally { } // o\n{ } // p\nswitch (a) { case 1: b // c\n  default: { } // d\n}\n",
        "x = { a() {} // b\n  , c: function () {} // d\n  , get e() {} // f\n}\ny = { g() {} // h\n}\nreturn () => { } // i\n/* j */\nz(() => { } /* k */ )\n",
        "é = 'ö' + `ü${ñ}ß`; // ä\nconst 变量 = { 键: é };\n",
        "x = <a b='c' d={e} f {...g} h-i=\"j\" k:l={<m />}>\n  text it's\n\n  more {n} &amp; o <p.q.r />\n  {/* s */}\n  {...t}\n  <></>\n  <>u</>\n</a>;\ny = <v:w>\n  <x></x>\n</v:w>;\nz = <b>{' '}</b>;\nf(<c />, <d>e</d>);\n",
    ];
    for code in cases {
        let top = |code: &str| alike(Dialect::JavaScript, code);
        if code.contains("{...t}") {
            top(&code.replace("  {...t}\n", ""));
        } else if code.starts_with("x = { a()") {
            top(code);
        } else if code.contains("super.x") || code.contains("return l") {
            alike(Dialect::JavaScript, &format!("class A extends B {{ constructor() {{\n{code}}} }}\n"));
        } else {
            everywhere(Dialect::JavaScript, code);
        }
    }
}

#[test]
fn every_kind_of_type_is_alike() {
    let cases = [
        "const a: number = 1, b: string | undefined = c as any, d = <T>(e: T): T => e;\nlet f!: G<H>[];\n",
        "function a<T extends B>(this: C, d?: number, e: string = 'f', ...g: H[]): asserts d is I { return j! }\nfunction k(): void;\nfunction k(l?: any) {}\n",
        "abstract class A<T> extends B<T> implements C, D.E, F<G> {\n  private readonly a: number = 1;\n  static b?: string;\n  declare c: D;\n  protected constructor(private d: E, public readonly f?: G, @h() i?: J) { super(); }\n  abstract k(): void;\n  abstract l: string;\n  get m(): number { return 1 }\n  override n(): void {}\n  private async *o<T>(p: T) {}\n  [q: string]: any;\n  r!: S;\n  #t = 1;\n  u();\n  u(v?: any) {}\n  accessor w = 1;\n}\n",
        "@a\n@b.c()\nclass D {\n  @e f: G;\n  @h() i() {}\n  @j @k(l) static m() {}\n}\n",
        "@a() export class B {}\n@c\nexport default class D {}\n",
        "export @a class B {}\n",
        "interface A extends B, C.D, E<F> {\n  a: string;\n  readonly b?: number,\n  c(d: E): F\n  g?<H>(): void;\n  [i: string]: any;\n  (j: K): L;\n  new (m: N): O;\n  get p(): Q;\n  set p(r: Q);\n  'q': string\n  [s]: T\n}\n",
        "enum A { B, C = 1, 'D', 'E' = 'f', G = B | C, }\nconst enum H { I = 'j' }\n",
        "type A = B;\ntype C<D> = E<D>;\ntype F = 'a' | 'b';\ntype G = { a: string };\ntype H = I & J & K;\ntype L = M extends N ? O : P;\ntype Q = R['s'];\ntype T = keyof U;\ntype V = typeof w.x;\ntype Y = [Z, a?, ...b[]];\ntype c = (d);\ntype e = readonly f[];\ntype g = h.i;\ntype j = 'k';\ntype l = 1;\ntype m = null;\ntype n = true;\ntype o = string;\ntype p = q[];\ntype r = () => void;\ntype s = { [K in T]: U };\ntype t = A extends (infer U)[] ? U : never\ntype u = bigint & unknown;\n",
        "namespace A { export const b = 1; }\nnamespace C.D.E { f() }\nmodule G {}\n",
        "declare const a: number;\ndeclare function b(): void;\ndeclare class C { d(): void }\ndeclare module 'e' { export function f(): void }\ndeclare module 'g';\ndeclare global { interface H {} }\ndeclare namespace I { let j: K }\ndeclare enum L { M }\ndeclare type N = O;\ndeclare let p, q: R;\n",
        "import type { A } from 'b';\nimport { type C, type D as E } from 'f';\nimport type G from 'h';\nexport type { I } from 'j';\nexport type { K };\nexport type L = M;\nexport interface N {}\nexport enum O {}\nexport declare const p: Q;\nexport abstract class R {}\nexport namespace S {}\n",
        "import a = require('b');\nimport c = d.e;\nexport = f;\n",
        "export as namespace A;\n",
        "a as const;\n[b] as const;\n({ c }) as D;\ne satisfies F;\ng!.h;\ni![j]!();\nk<L>(m);\nnew N<O>();\n(p as any).q = 1;\n(r!) = s;\n(t as U)++;\nfor (const v of w as X[]) {}\n",
        "if (a) { b } // c\nelse { d } // e\nfunction f() {} // g\nclass H { i() {} // j\n  k() {} // l\n} // m\nn(() => { } // o\n)\np // q\n/* r */\nlet s: T // u\ntype V = W // x\nfor (;;) {} // y\n",
        "const a = (b?: C, { d }: E = {}, [f]: G[] = []): H => ({} as I);\nconst j = async <T,>(k: T) => k;\n",
        "let a: { b: string; c?: number } | null = null, d: (e: F) => G, h: [I, J], k: L.M<N>;\n",
        "try { a } catch (b: unknown) { c }\n",
    ];
    for code in cases {
        everywhere_typed(code);
    }
}

fn everywhere_typed(code: &str) {
    for dialect in [Dialect::TypeScript, Dialect::Tsx] {
        // The grammar of TypeScript with JSX reads the rest of these as tags.
        let unclear = code.contains("<T>(") || code.contains("<T,>(") || code.contains("?<H>");
        if dialect == Dialect::TypeScript {
            alike(dialect, code);
            alike(dialect, &code.replace('\n', "\r\n"));
        } else if !unclear {
            alike(dialect, code);
        }
    }
}

#[test]
fn what_oxc_cannot_read_goes_by_the_grammar_with_its_notes() {
    for (dialect, code, noted) in [
        (Dialect::JavaScript, "x = (1\n", true),
        (Dialect::JavaScript, "function f( { return }\nz = 1\n", true),
        (Dialect::JavaScript, "/* @flow */ function f(a: number) { return a }\nz = 1\n", true),
        (Dialect::JavaScript, "a = b <!-- c\n", false),
        (Dialect::JavaScript, "{ using a = b() }\n", false),
        (Dialect::TypeScript, "let a: = 1;\nlet b = 2;\n", true),
        (Dialect::TypeScript, "type A = `a${B}`;\n", false),
    ] {
        assert!(by_oxc(dialect, code).is_none(), "{code}");
        let unit = parse_bounded(dialect, code, patient());
        assert!(difference(&by_tree(dialect, code), &unit).is_none(), "{code}");
        assert!(!noted || !unit.notes.is_empty(), "{code}");
    }
}

#[test]
fn deep_code_is_never_recursed_into() {
    let many = |piece: &str| piece.repeat(3_000);
    let cases = [
        ("brackets", format!("x = {}{}\n", many("("), many(")"))),
        ("mixed brackets", format!("x = {}{}\n", many("[{a:("), many(")}]"))),
        ("open brackets", many("f(")),
        ("unary", format!("x = {}1\n", many("- "))),
        ("not", format!("x = {}a\n", many("!"))),
        ("words", format!("x = {}a\n", many("typeof "))),
        ("arrows", format!("x = {}0\n", many("a => "))),
        ("calls", format!("x = a{}\n", many(".b(c)"))),
        ("subscripts", format!("x = a{}\n", many("[0]"))),
        ("sum", format!("x = {}a\n", many("a + "))),
        ("powers", format!("x = {}a\n", many("a ** "))),
        ("and", format!("x = {}a\n", many("a && "))),
        ("choices", format!("x = {}a\n", many("a ? b : "))),
        ("templates", format!("x = {}a{}\n", "`${".repeat(200), "}`".repeat(200))),
        ("assignments", format!("{}1\n", many("a = "))),
        ("blocks", format!("{}{}\n", many("{"), many("}"))),
        ("functions", format!("{}{}\n", many("function f() {"), many("}"))),
        ("labels", format!("{}b\n", many("a: "))),
        ("else if", format!("if (a) b\n{}", many("else if (a) b\n"))),
        ("do", format!("{}a\n", many("do "))),
        ("classes", format!("x = {}{{}}\n", many("class extends "))),
        ("elements", format!("x = {}{}\n", many("<a>"), many("</a>"))),
        ("attributes", format!("x = {}{}\n", many("<a b={"), many("}/>"))),
        ("new", format!("x = {}a\n", many("new "))),
    ];
    for (name, code) in cases {
        // Enough lines that nobody takes it for minified.
        let code = format!("{}{code}", "\n".repeat(1_000));
        assert!(by_oxc(Dialect::JavaScript, &code).is_none(), "{name}");
        let unit = parse_bounded(Dialect::JavaScript, &code, patient());
        let deep = ["unary", "not", "calls", "subscripts", "powers", "functions"];
        let noted = unit.notes.iter().any(|note| note.kind == NoteKind::TooDeep);
        assert!(noted || !deep.contains(&name), "{name}: {:?}", unit.notes);
    }
}

/// As deep as the count lets through, on a stack like that of the threads that review.
#[test]
fn what_the_count_lets_through_fits_the_stack() {
    let deepest = |before: &str, piece: &str, after: &str, closing: &str| {
        let code = |times: usize| format!("{before}{}{after}{}", piece.repeat(times), closing.repeat(times));
        let fits = |times: &usize| super::depth::is_shallow(Dialect::TypeScript, &code(*times));
        code((1..600).rev().find(fits).unwrap_or(1))
    };
    for code in [
        deepest("x = ", "(", "1", ")"),
        deepest("x = ", "[", "1", "]"),
        deepest("x = ", "{a:", "1", "}"),
        deepest("x = ", "(a=", "1", ")"),
        deepest("x = ", "(a,b=", "1", ")"),
        deepest("x = ", "(a?:b=>", "1", ")"),
        deepest("x = ", "async(a=", "1", ")"),
        deepest("x = ", "a?(b):", "1", ""),
        deepest("x = ", "a?(b=>", "1", "):c"),
        deepest("x = ", "<A>(", "1", ")"),
        deepest("x = ", "a<b<c>(", "1", ")"),
        deepest("x = ", "f(() => {", "1", "})"),
        deepest("x = ", "- ", "1", ""),
        deepest("x = ", "!", "1", ""),
        deepest("x = ", "typeof ", "1", ""),
        deepest("x = ", "await ", "1", ""),
        deepest("x = ", "new ", "a", ""),
        deepest("x = ", "a => ", "1", ""),
        deepest("x = ", "a ? 1 : ", "1", ""),
        deepest("x = ", "a ? ", "1", " : 1"),
        deepest("x = ", "a ** ", "1", ""),
        deepest("", "a = ", "1", ""),
        deepest("x = a", ".b", "", ""),
        deepest("x = a", "!", "", ""),
        deepest("x = a", " as b", "", ""),
        deepest("x = a", "`b`", "", ""),
        deepest("x = ", "`${", "1", "}`"),
        deepest("x = ", "class extends ", "a {}", "{}"),
        deepest("", "do ", "a;", " while (b);"),
        deepest("", "a: ", "b", ""),
        deepest("", "if (a) ", "b", ""),
        deepest("", "if (a) b; else ", "c", ""),
        deepest("", "{", "", "}"),
        deepest("", "function f() {", "", "}"),
        deepest("type A = ", "B<", "C", ">"),
        deepest("type A = ", "keyof ", "C", ""),
        deepest("type A = ", "() => ", "C", ""),
        deepest("type A = ", "A extends B ? C : ", "C", ""),
        deepest("type A = ", "(", "C", ")"),
        deepest("type A = ", "{a:", "C", "}"),
        deepest("type A = B", "[]", "", ""),
        deepest("type A = ", "A extends infer B extends ", "C", ""),
    ] {
        let unit = parse_bounded(Dialect::TypeScript, &code, patient());
        assert!(unit.was_read(), "{code}");
        parse(Dialect::JavaScript, &code);
        parse(Dialect::Tsx, &code);
    }
}
