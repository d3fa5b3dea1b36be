//! The index over small projects.

use super::RepositoryIndex;
use crate::source::Source;
use formicary_syntax::Dialect;

fn index(files: &[(&str, &str)]) -> RepositoryIndex {
    let source =
        |(path, text): &(&str, &str)| Source::new(*path, Dialect::of_file(path, text).unwrap(), *text);
    RepositoryIndex::new(&files.iter().map(source).collect::<Vec<_>>(), &[])
}

fn callers(index: &RepositoryIndex, name: &str) -> Vec<String> {
    let calls = index.callers(name, 1, true);
    calls.iter().map(|call| format!("{}:{}", call.file, call.caller)).collect()
}

#[test]
fn calls_are_followed_through_imports() {
    let python = index(&[
        ("pkg/__init__.py", "from .core import work as work\n"),
        (
            "pkg/core.py",
            "def work():\n    helper()\ndef helper():\n    pass\nclass A:\n    def m(self):\n        self.n()\n    def n(self):\n        work()\n",
        ),
        (
            "main.py",
            "import pkg\nfrom pkg import core\nfrom pkg.core import helper as h\ndef main():\n    pkg.work()\n    core.helper()\n    h()\n    other.work()\n",
        ),
    ]);
    assert_eq!(callers(&python, "work"), ["main.py:main", "pkg/core.py:A.n"]);
    assert_eq!(callers(&python, "helper"), ["main.py:main", "main.py:main", "pkg/core.py:work"]);
    assert_eq!(callers(&python, "A.n"), ["pkg/core.py:A.m"]);
    assert_eq!(python.callers("work", 1, false).len(), 3);
    let callees = python.callees("main", 2, true);
    let names: Vec<&str> = callees.iter().map(|call| call.callee.as_str()).collect();
    assert_eq!(names, ["work", "helper", "helper", "helper"]);
    let script = index(&[
        ("a.js", "import { f as g } from './b.js';\nexport function main() { g(); }\n"),
        ("b.js", "export function f() {}\nexport class C { m() { this.n(); } n() {} }\n"),
    ]);
    assert_eq!(callers(&script, "f"), ["a.js:main"]);
    assert_eq!(callers(&script, "C.n"), ["b.js:C.m"]);
    let go = index(&[("m/a.go", "package m\nfunc f() { g() }\nfunc g() {}\n")]);
    assert_eq!(callers(&go, "g"), ["m/a.go:f"]);
}

#[test]
fn a_function_may_be_named_like_its_module() {
    let python = index(&[
        ("gcd.py", "def gcd(a, b):\n    return a\n"),
        ("other.py", "import gcd\ndef other():\n    gcd.gcd(1, 2)\n"),
        ("test_gcd.py", "from gcd import gcd\ndef test():\n    gcd(1, 2)\n"),
    ]);
    assert_eq!(callers(&python, "gcd"), ["other.py:other", "test_gcd.py:test"]);
}

#[test]
fn a_local_variable_is_no_reference() {
    let index = index(&[("a.py", "def f():\n    pass\ndef g(f):\n    f()\ndef h():\n    f()\n")]);
    assert_eq!(callers(&index, "f"), ["a.py:h"]);
    let symbol = index.symbols(Some("f"), None)[0];
    assert_eq!((symbol.references, symbol.signature.as_str()), (1, "def f()"));
}

#[test]
fn files_need_files() {
    let index = index(&[
        ("src/app/main.py", "import os\nfrom app.util import x\nfrom . import other\n"),
        ("src/app/util.py", "x = 1\n"),
        ("src/app/other.py", ""),
        ("js/a.ts", "import x from './b';\nimport y from 'react';\n"),
        ("js/b.ts", ""),
        ("c/a.c", "#include \"a.h\"\n#include <stdio.h>\n"),
        ("c/a.h", "int f(void);\n"),
        ("r/src/lib.rs", "mod a;\nuse crate::a::T;\n"),
        ("r/src/a.rs", "pub struct T;\n"),
    ]);
    let arrows: Vec<String> = index
        .dependencies()
        .into_iter()
        .map(|one| format!("{}→{}{}", one.from, one.to, if one.internal { "" } else { "!" }))
        .collect();
    for arrow in [
        "src/app/main.py→os!",
        "src/app/main.py→src/app/util.py",
        "src/app/main.py→src/app/other.py",
        "js/a.ts→js/b.ts",
        "js/a.ts→react!",
        "c/a.c→c/a.h",
        "c/a.c→stdio.h!",
        "r/src/lib.rs→r/src/a.rs",
    ] {
        assert!(arrows.iter().any(|one| one == arrow), "{arrow}: {arrows:?}");
    }
}

#[test]
fn calls_within_a_package_a_class_and_a_program_are_certain_and_told_once() {
    let c = index(&[
        ("h.h", "int add(int a, int b);\n"),
        ("h.c", "#include \"h.h\"\nint add(int a, int b) { return a + b; }\n"),
        ("m.c", "#include \"h.h\"\nint main(void) { return add(1, 2); }\n"),
    ]);
    let calls = c.callers("add", 1, false);
    let named: Vec<_> =
        calls.iter().map(|call| (call.file.as_str(), call.callee_file.as_deref(), call.certain)).collect();
    assert_eq!(named, [("m.c", Some("h.c"), true)]);
    assert_eq!(c.callees("main", 1, true)[0].callee_file.as_deref(), Some("h.c"));
    let only_declared = index(&[
        ("h.h", "int add(int a, int b);\n"),
        ("m.c", "#include \"h.h\"\nint main(void) { return add(1, 2); }\n"),
    ]);
    assert_eq!(only_declared.callers("add", 1, false).len(), 1);
    let statics = index(&[
        ("a.c", "static int f(void) { return 1; }\nint g(void) { return f(); }\n"),
        ("b.c", "static int f(void) { return 2; }\nint h(void) { return f(); }\n"),
    ]);
    assert_eq!(callers(&statics, "f"), ["a.c:g", "b.c:h"]);
    let go = index(&[
        ("m/a.go", "package m\nfunc add() {}\n"),
        ("m/b.go", "package m\nfunc use() { add() }\n"),
        ("n/c.go", "package n\nfunc use() { add() }\n"),
    ]);
    assert_eq!(callers(&go, "add"), ["m/b.go:use"]);
    let java = index(&[(
        "K.java",
        "class K { int add(int a) { return a; } int use() { return add(1) + this.add(2); } class In { int f() { return add(3); } } }\n",
    )]);
    assert_eq!(callers(&java, "K.add"), ["K.java:K.use", "K.java:K.use", "K.java:K.In.f"]);
    let java = index(&[
        (
            "p/K.java",
            "package p;\nclass K { static int add(int a) { return a; } static int add(long a) { return 1; } }\n",
        ),
        ("p/L.java", "package p;\nclass L { int use() { return K.add(1); } }\n"),
        ("q/K.java", "package q;\nclass K { static int add(int a) { return a; } }\n"),
        ("q/M.java", "package q;\nimport p.K;\nclass M { int use() { return K.add(1); } }\n"),
        ("r/N.java", "package r;\nclass N { int use() { return K.add(1); } }\n"),
    ]);
    let called = |name: &str| {
        let calls = java.callers(name, 1, true).into_iter();
        calls
            .map(|call| format!("{} {}", call.file, call.callee_file.unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(called("K.add"), ["p/L.java p/K.java", "q/M.java p/K.java"]);
    let go = index(&[
        ("m/a.go", "package m\nfunc Add() {}\nfunc own() { Add() }\n"),
        ("n/c.go", "package n\nimport \"example.org/x/m\"\nfunc use() { m.Add() }\n"),
    ]);
    assert_eq!(callers(&go, "Add"), ["m/a.go:own", "n/c.go:use"]);
}

/// `caller → path of the callee (its file)`, for all calls that are certain, in the order of files.
fn certain_calls(index: &RepositoryIndex, names: &[&str]) -> Vec<String> {
    let calls = names.iter().flat_map(|name| index.callers(name, 1, true));
    let shown = calls
        .map(|call| format!("{} → {} ({})", call.caller, call.callee, call.callee_file.unwrap_or_default()));
    shown.collect()
}

const MODULES: [(&str, &str); 3] = [
    (
        "src/m/mod.rs",
        "pub mod deep;\nmod hidden;\npub use hidden::secret as known;\npub use self::deep::*;\npub fn add(a: i32, b: i32) -> i32 { a + b }\npub fn sub(a: i32, b: i32) -> i32 { a - b }\n",
    ),
    (
        "src/m/deep.rs",
        "use super::add;\npub fn mul(a: i32, b: i32) -> i32 { add(a, b) }\npub struct Counter;\nimpl Counter {\n    pub fn new() -> Self { Self::start(); Counter }\n    fn start() {}\n    pub fn next(&self) { self.next_by(1) }\n}\n",
    ),
    (
        "src/m/hidden.rs",
        "use super::deep::Counter;\npub fn secret() {}\nimpl Counter {\n    pub fn next_by(&self, n: i32) { super::sub(n, 1); super::super::top(); }\n}\n",
    ),
];

#[test]
fn paths_of_rust_are_followed() {
    for (main, names, expected) in [
        ("mod m;\nuse m::add;\nfn main() { add(1, 2); }\n", &["add"][..], &["main → add (src/m/mod.rs)"][..]),
        ("mod m;\nfn main() { m::add(1, 2); }\n", &["add"], &["main → add (src/m/mod.rs)"]),
        (
            "mod m;\nuse m::{sub as minus, deep::{self, mul}};\nfn main() { minus(1, 2); mul(1, 2); deep::mul(3, 4); }\n",
            &["sub", "mul"],
            &["main → sub (src/m/mod.rs)", "main → mul (src/m/deep.rs)", "main → mul (src/m/deep.rs)"],
        ),
        (
            "mod m;\nuse crate::m::deep::mul;\nfn main() { mul(3, 4); }\n",
            &["mul"],
            &["main → mul (src/m/deep.rs)"],
        ),
        ("mod m;\nfn main() { crate::m::deep::mul(3, 4); }\n", &["mul"], &["main → mul (src/m/deep.rs)"]),
        ("mod m;\nfn main() { self::m::deep::mul(3, 4); }\n", &["mul"], &["main → mul (src/m/deep.rs)"]),
        (
            "mod m;\nuse m::*;\nfn main() { add(1, 2); mul(1, 2); known(); }\n",
            &["add", "mul", "secret"],
            &["main → add (src/m/mod.rs)", "main → mul (src/m/deep.rs)", "main → secret (src/m/hidden.rs)"],
        ),
        (
            "mod m;\nfn main() { m::known(); m::mul(1, 2); }\n",
            &["secret", "mul"],
            &["main → secret (src/m/hidden.rs)", "main → mul (src/m/deep.rs)"],
        ),
        (
            "mod m;\nfn main() { use m::{sub as minus}; minus(1, 2); }\n",
            &["sub"],
            &["main → sub (src/m/mod.rs)"],
        ),
        ("mod m;\nfn main() { use m::*; sub(1, 2); }\n", &["sub"], &["main → sub (src/m/mod.rs)"]),
        (
            "mod m;\nuse m::deep as d;\nfn main() { d::mul(1, 2); }\n",
            &["mul"],
            &["main → mul (src/m/deep.rs)"],
        ),
        // Inside of other calls, macros and closures.
        (
            "mod m;\nfn main() { assert!(m::add(1, 2) == 3 && m::sub(1, 2) < 0); let f = |x| m::sub(x, m::add(x, 1)); }\n",
            &["add", "sub"],
            &[
                "main → add (src/m/mod.rs)",
                "main → sub (src/m/mod.rs)",
                "main.f → add (src/m/mod.rs)",
                "main.f → sub (src/m/mod.rs)",
            ],
        ),
        (
            "mod m;\nuse m::deep::Counter;\nfn main() { let c = Counter::new(); Counter::next(&c); m::deep::Counter::next_by(&c, 2); }\n",
            &["Counter.new", "Counter.next", "Counter.next_by"],
            &[
                "main → Counter.new (src/m/deep.rs)",
                "main → Counter.next (src/m/deep.rs)",
                "main → Counter.next_by (src/m/hidden.rs)",
            ],
        ),
        // A name that something nearer has is not the imported one, and a module's own is not that of the file around it.
        ("mod m;\nuse m::add;\nfn main(add: fn()) { add(); }\n", &["add"], &[]),
        (
            "fn add() {}\nmod inner { fn add() {} fn own() { add(); super::add(); } }\nmod tests { use super::*; fn test() { add(); inner::own() } }\n",
            &["add", "own"],
            &[
                "inner.own → inner.add (src/main.rs)",
                "inner.own → add (src/main.rs)",
                "tests.test → add (src/main.rs)",
                "tests.test → inner.own (src/main.rs)",
            ],
        ),
    ] {
        let files: Vec<(&str, &str)> = [("src/main.rs", main)].into_iter().chain(MODULES).collect();
        let mut found = certain_calls(&index(&files), names);
        found.retain(|call| !call.starts_with("mul") && !call.starts_with("Counter"));
        let mut expected = expected.to_vec();
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{main}");
    }
    let within = index(&[&[("src/main.rs", "mod m;\nfn top() {}\n")][..], &MODULES].concat());
    for (name, expected) in [
        ("Counter.start", "Counter.new → Counter.start (src/m/deep.rs)"),
        ("Counter.next_by", "Counter.next → Counter.next_by (src/m/hidden.rs)"),
        ("sub", "Counter.next_by → sub (src/m/mod.rs)"),
        ("top", "Counter.next_by → top (src/main.rs)"),
        ("add", "mul → add (src/m/mod.rs)"),
    ] {
        assert_eq!(certain_calls(&within, &[name]), [expected]);
    }
}

#[test]
fn crates_of_rust_are_known_by_their_names() {
    let sources = [
        ("lib/src/lib.rs", "pub mod part;\npub use part::work;\n"),
        ("lib/src/part.rs", "pub fn work() {}\npub fn rest() {}\n"),
        ("lib/tests/all.rs", "mod common;\nuse my_lib::*;\nfn test() { work(); common::help(); std::fs::rest(); }\n"),
        ("lib/tests/common/mod.rs", "pub fn help() { my_lib::part::rest(); other::work(); }\n"),
        ("app/src/main.rs", "#[path = \"odd/name.rs\"]\nmod odd;\nuse my_lib::part as p;\nfn main() { p::rest(); odd::odd(); }\n"),
        ("app/src/odd/name.rs", "pub fn odd() { crate::main() }\n"),
        ("a.rs", "mod b { pub use super::c::*; } mod c { pub use super::b::*; }\nfn main() { b::nothing(); }\n"),
    ]
    .map(|(path, text)| Source::new(path, Dialect::Rust, text));
    let package = super::Package { name: "my_lib".into(), root: "lib/src/lib.rs".into() };
    let index = RepositoryIndex::new(&sources, &[package]);
    for (name, expected) in [
        ("work", &["test → work (lib/src/part.rs)"][..]),
        ("rest", &["main → rest (lib/src/part.rs)", "help → rest (lib/src/part.rs)"]),
        ("help", &["test → help (lib/tests/common/mod.rs)"]),
        ("odd", &["main → odd (app/src/odd/name.rs)"]),
        ("main", &["odd → main (app/src/main.rs)"]),
    ] {
        assert_eq!(certain_calls(&index, &[name]), expected, "{name}");
    }
    let by_name: Vec<String> = index
        .callers("rest", 1, false)
        .into_iter()
        .filter(|call| !call.certain)
        .map(|call| call.caller)
        .collect();
    assert_eq!(by_name, [""; 0], "what the compiler brings is nobody's here");
    let arrows: Vec<String> = index
        .dependencies()
        .into_iter()
        .filter(|one| one.internal)
        .map(|one| format!("{}→{}", one.from, one.to))
        .collect();
    for arrow in [
        "lib/tests/all.rs→lib/src/lib.rs",
        "app/src/main.rs→lib/src/part.rs",
        "app/src/main.rs→app/src/odd/name.rs",
    ] {
        assert!(arrows.iter().any(|one| one == arrow), "{arrow}: {arrows:?}");
    }
}

/// Two types with methods of the same names, so that a name alone proves nothing.
const SHAPES_OF_GO: &str = "package m
type T struct { inner *Inner; all []Inner; by map[string]*Inner }
type Inner struct { Base }
type Base struct{}
type Other struct{}
type Degrees float64
type Doer interface { Do() }
func (t *T) Do() {}
func (t T) Make() (*Inner, error) { return nil, nil }
func (b Base) Do() {}
func (o Other) Do() {}
func (d Degrees) Do() {}
func NewT() *T { return &T{} }
func Both() (t T, err error) { return }
var shared = NewT()
var typed Other
";

#[test]
fn a_method_of_a_value_is_known_by_the_type_of_the_value_in_go() {
    for (body, expected) in [
        ("var t T; t.Do()", "T.Do"),
        ("t := T{}; t.Do()", "T.Do"),
        ("t := &T{}; t.Do()", "T.Do"),
        ("t := new(T); t.Do()", "T.Do"),
        ("t := NewT(); t.Do()", "T.Do"),
        ("t, err := Both(); t.Do(); _ = err", "T.Do"),
        ("NewT().Do()", "T.Do"),
        ("(&T{}).Do()", "T.Do"),
        ("T{}.Do()", "T.Do"),
        ("shared.Do()", "T.Do"),
        ("typed.Do()", "Other.Do"),
        ("t := NewT(); t.inner.Do()", "Base.Do"),
        ("t := NewT(); u := t; u.inner.Base.Do()", "Base.Do"),
        ("i, err := NewT().Make(); _ = err; i.Do()", "Base.Do"),
        ("for _, i := range NewT().all { i.Do() }", "Base.Do"),
        ("for _, i := range []*T{} { i.Do() }", "T.Do"),
        ("t := T{}; t.by[\"x\"].Do()", "Base.Do"),
        ("all := make([]T, 3); all[1].Do()", "T.Do"),
        ("d := Degrees(3); d.Do()", "Degrees.Do"),
        ("var x any = 3; if t, ok := x.(*T); ok { t.Do() }", "T.Do"),
        ("t := T{}; func() { t.Do() }()", "T.Do"),
        // Who runs is decided later, two types have the name, or nothing is known.
        ("var d Doer = T{}; d.Do()", ""),
        ("{ x := T{}; x.Do() }; { x := Other{}; x.Do() }", ""),
        ("x := outside.New(); x.Do()", ""),
        ("x := x.y; x.Do()", ""),
    ] {
        let user = format!("package m\nfunc use() {{ {body} }}\n");
        let index = index(&[("m/shapes.go", SHAPES_OF_GO), ("m/use.go", &user)]);
        let names = ["T.Do", "Base.Do", "Other.Do", "Degrees.Do", "Doer.Do"];
        let found: Vec<String> = names
            .iter()
            .filter(|name| callers(&index, name).iter().any(|caller| caller.starts_with("m/use.go:use")))
            .map(|name| (*name).to_owned())
            .collect();
        assert_eq!(found.join(" "), expected, "{body}");
        let by_name = index.callers("T.Do", 1, false);
        let counted = by_name.iter().any(|call| call.caller.starts_with("use"));
        assert_eq!(counted, expected.is_empty() || expected == "T.Do", "{body}: {by_name:?}");
    }
    let parameters = index(&[
        ("m/shapes.go", SHAPES_OF_GO),
        (
            "m/use.go",
            "package m\nfunc one(t *T) { t.Do() }\nfunc (o *Other) two() { o.Do() }\nfunc some[T any](t T) { t.Do() }\n",
        ),
        ("n/c.go", "package n\nimport \"example.org/x/m\"\nfunc use(t *m.T) { t.Do(); m.NewT().Do() }\n"),
        ("o/c.go", "package o\ntype T struct{}\nfunc use(t *T) { t.Do() }\n"),
    ]);
    assert_eq!(callers(&parameters, "T.Do"), ["m/use.go:one", "n/c.go:use", "n/c.go:use"]);
    assert_eq!(callers(&parameters, "Other.Do"), ["m/use.go:Other.two"]);
}

#[test]
fn a_method_of_a_value_is_known_by_the_type_of_the_value_in_java() {
    let types = [
        (
            "p/K.java",
            "package p;\nclass K { L l = new L(); static K one = new K(); static K make() { return one; } int add(int a) { return a; } int add(long a) { return 1; } L part() { return l; } }\n",
        ),
        (
            "p/L.java",
            "package p;\nclass L extends Base { int add(int a) { return a; } class In { int add() { return 1; } } }\n",
        ),
        ("p/Base.java", "package p;\nclass Base { int low() { return 1; } int over() { return 1; } }\n"),
        (
            "p/Sub.java",
            "package p;\nclass Sub extends Base { int over() { return 2; } int use() { return low(); } }\n",
        ),
        ("p/I.java", "package p;\ninterface I { int add(int a); }\n"),
    ];
    for (body, expected) in [
        ("K k = new K(); k.add(1);", "K.add"),
        ("var k = new K(); k.add(1);", "K.add"),
        ("new K().add(1);", "K.add"),
        ("K.make().add(1);", "K.add"),
        ("K.one.add(1);", "K.add"),
        ("K.make().part().add(1);", "L.add"),
        ("K.one.l.add(1);", "L.add"),
        ("field.add(1);", "K.add"),
        ("this.field.add(1);", "K.add"),
        ("for (K k : all) k.add(1);", "K.add"),
        ("for (var k : all) k.add(1);", "K.add"),
        ("all.get(0).add(1);", ""),
        ("Object o = field; ((L) o).add(1);", "L.add"),
        ("L.In in = null; in.add();", "L.In.add"),
        ("new L().low();", "Base.low"),
        ("new Sub().over();", "Sub.over"),
        ("Base b = new Sub(); b.over();", ""),
        ("I i = null; i.add(1);", ""),
        ("Runnable r = () -> field.add(1);", "K.add"),
    ] {
        let user = format!(
            "package p;\nimport java.util.List;\nclass Use {{ K field; List<K> all; void use(Object x) {{ {body} }} }}\n"
        );
        let files: Vec<(&str, &str)> = types.into_iter().chain([("p/Use.java", user.as_str())]).collect();
        let index = index(&files);
        let names = ["K.add", "L.add", "L.In.add", "I.add", "Base.low", "Base.over", "Sub.over"];
        let found: Vec<&str> = names
            .into_iter()
            .filter(|name| callers(&index, name).iter().any(|caller| caller.starts_with("p/Use.java:")))
            .collect();
        assert_eq!(found.join(" "), expected, "{body}");
    }
    let all = index(&types);
    assert_eq!(callers(&all, "Base.low"), ["p/Sub.java:Sub.use"]);
}

#[test]
fn types_that_go_in_circles_end() {
    let java: String = (0..40)
        .map(|n| format!("class C{n} extends C{} implements C{}, C{} {{ C{} f; void m() {{ f.f.f.f.nothing(); nothing(); }} }}\n", (n + 1) % 40, (n + 7) % 40, (n + 13) % 40, (n + 3) % 40))
        .collect();
    let go = "package m\ntype A struct { B }\ntype B struct { A }\nvar a = b\nvar b = a\nfunc f() { x := y; y := x; x.Do(); a.Do(); var q A; q.Do() }\n";
    let index = index(&[("C.java", &java), ("m/a.go", go)]);
    assert_eq!(callers(&index, "nothing"), [""; 0]);
}

#[test]
fn a_function_of_c_is_named_once_however_often_it_is_declared() {
    let c = index(&[
        ("a.h", "int add(int a, int b);\nextern int add(int a, int b);\n"),
        ("b.h", "int add(int, int);\nstatic int own(int);\n"),
        (
            "h.c",
            "#include \"a.h\"\n#include \"b.h\"\nint add(int a, int b);\nint add(int a, int b) { return a + b; }\n",
        ),
        (
            "m.c",
            "#include \"a.h\"\nint add(int, int);\nstatic int own(int a);\nint main(void) { return add(1, 2) + own(3); }\nstatic int own(int a) { return a; }\n",
        ),
    ]);
    let shown = |name: &str| {
        let calls = c.callers(name, 1, false).into_iter();
        calls
            .map(|call| {
                format!(
                    "{}:{} {} {}",
                    call.file,
                    call.caller,
                    call.callee_file.unwrap_or_default(),
                    call.certain
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(shown("add"), ["m.c:main h.c true"]);
    assert_eq!(shown("own"), ["m.c:main m.c true"]);
    // Two programs with a function of one name each: whose is not known here, and none is left out.
    let two = index(&[
        ("x/add.h", "int add(int a);\n"),
        ("x/add.c", "int add(int a) { return a; }\n"),
        ("x/main.c", "#include \"add.h\"\nint add(int a);\nint main(void) { return add(1); }\n"),
        ("y/add.c", "int add(int a) { return -a; }\n"),
    ]);
    let calls = two.callers("add", 1, false);
    assert!(!calls.is_empty() && calls.iter().all(|call| !call.certain), "{calls:?}");
}
