//! Patterns against code, in every language.

use super::explain::explain;
use super::pattern::{Pattern, PatternError};
use super::{PatternMatcher, read_rules};
use crate::source::Source;
use formicary_model::Language;
use formicary_syntax::Dialect;

fn found(dialect: Dialect, pattern: &str, code: &str) -> Vec<String> {
    let matcher = PatternMatcher::of_pattern(pattern, Some(dialect.language())).unwrap();
    let matches = matcher.search(&Source::new("a", dialect, code)).unwrap();
    matches.into_iter().map(|found| found.text).collect()
}

#[track_caller]
fn check(dialect: Dialect, pattern: &str, code: &str, expected: &[&str]) {
    assert_eq!(found(dialect, pattern, code), expected, "{dialect:?} `{pattern}` in `{code}`");
}

#[test]
fn python() {
    let check = |pattern, code, expected: &[&str]| check(Dialect::Python, pattern, code, expected);
    check("print($X)", "print(1)\nprint(1, 2)\nprint()", &["print(1)"]);
    check("print($$$)", "print(1)\nprint(1, 2)\nprint()", &["print(1)", "print(1, 2)", "print()"]);
    check("$X == $X", "a == a\na == b\nf( x ) == f(x)", &["a == a", "f( x ) == f(x)"]);
    check("$_ == $_", "a == b", &["a == b"]);
    check("f('a')", "f(\"a\")\nf(b'a')\nf('''a''')", &["f(\"a\")", "f('''a''')"]);
    check("f($X,)", "f(1)\nf(1,)", &["f(1)", "f(1,)"]);
    check("f(a, b)", "f(a, # why\n  b)", &["f(a, # why\n  b)"]);
    check(
        "try:\n    $$$A\nexcept:\n    pass",
        "try:\n  a()\n  b()\nexcept:\n  pass",
        &["try:\n  a()\n  b()\nexcept:\n  pass"],
    );
    check("except $E:\n    pass", "try:\n  a()\nexcept B:\n  pass", &["except B:\n  pass"]);
    check(
        "def $F($$$P):\n    return $X",
        "def f(a, b=1, *c):\n    return 1",
        &["def f(a, b=1, *c):\n    return 1"],
    );
    check("x[$A:]", "x[1:]\nx[:1]", &["x[1:]"]);
    check(
        "class $C($$$): $$$B",
        "class A: pass\nclass B(C):\n  x = 1\n  y = 2",
        &["class A: pass", "class B(C):\n  x = 1\n  y = 2"],
    );
    check("@app.route($P)", "@app.route('/')\ndef f(): pass", &["@app.route('/')"]);
    check("if $C: $X", "if a: b()\nif a:\n  b()\n  c()", &["if a: b()"]);
    check("await $X", "async def f(): await g()", &["await g()"]);
    check("'$X'", "a = 'b'", &["'b'"]);
    check("pass", "def f(): pass", &["pass"]);
    check("def $F(): pass", "async def f(): pass", &[]);
}

#[test]
fn keywords_come_in_any_order_and_may_be_left_out() {
    let check = |pattern, code, expected: &[&str]| check(Dialect::Python, pattern, code, expected);
    check("f($$$A, shell=True, $$$B)", "f(cmd, shell=True)", &["f(cmd, shell=True)"]);
    check(
        "f($$$, shell=True)",
        "f(shell=True, a=1)\nf(shell=False)\nf(x, b=2, shell=True, *c)",
        &["f(shell=True, a=1)", "f(x, b=2, shell=True, *c)"],
    );
    check("f(a=$A, b=$B)", "f(b=1, a=2)\nf(a=1)\nf(a=1, b=2, c=3)", &["f(b=1, a=2)"]);
    check("f($X, a=1)", "f(1, a=1)\nf(a=1)\nf(b=2, a=1)", &["f(1, a=1)", "f(b=2, a=1)"]);
    super::tests::check(
        Dialect::JavaScript,
        "f({a: $X, $$$})",
        "f({b: 1, a: 2})\nf({b: 1})",
        &["f({b: 1, a: 2})"],
    );
    super::tests::check(Dialect::Go, "T{A: $X, $$$}", "package p\nvar x = T{B: 1, A: 2}", &["T{B: 1, A: 2}"]);
}

#[test]
fn imports_may_call_it_otherwise() {
    let check = |pattern, code, expected: &[&str]| check(Dialect::Python, pattern, code, expected);
    check("subprocess.run($$$)", "import subprocess as sp\nsp.run(1)\nother.run(1)", &["sp.run(1)"]);
    check("subprocess.run($$$)", "from subprocess import run as r\nr(1)", &["r(1)"]);
    check(
        "os.path.join($$$)",
        "from os import path\npath.join(1)\nos.path.join(2)",
        &["path.join(1)", "os.path.join(2)"],
    );
    super::tests::check(
        Dialect::Go,
        "fmt.Println($$$)",
        "package p\nimport f \"fmt\"\nfunc a() { f.Println(1) }",
        &["f.Println(1)"],
    );
    super::tests::check(
        Dialect::JavaScript,
        "fs.readFileSync($$$)",
        "import {readFileSync as r} from 'fs'\nr(1)",
        &["r(1)"],
    );
    super::tests::check(
        Dialect::Java,
        "java.util.List.of($$$)",
        "import java.util.List;\nclass A { Object a = List.of(1); }",
        &["List.of(1)"],
    );
    super::tests::check(
        Dialect::Rust,
        "std::fs::read($X)",
        "use std::fs;\nfn a() { fs::read(1); }",
        &["fs::read(1)"],
    );
}

#[test]
fn fragments_of_several_statements() {
    let check = |pattern, code, expected: &[&str]| check(Dialect::Python, pattern, code, expected);
    let code = "def f():\n  a = open(p)\n  x = a.read()\n  a.close()\n  return x\n";
    check("$F = open($P)\n$$$\n$F.close()", code, &["a = open(p)\n  x = a.read()\n  a.close()"]);
    check("$F = open($P)\n$F.close()", code, &[]);
    check("$A = $X\n$A = $Y", "a = 1\na = 2\nb = 3\n", &["a = 1\na = 2"]);
    super::tests::check(
        Dialect::C,
        "free($P);\n$$$\nfree($P);",
        "void f() { free(a); g(); free(a); }",
        &["free(a); g(); free(a);"],
    );
    super::tests::check(
        Dialect::JavaScript,
        "let $A = $X; return $A;",
        "function f() { let b = 1; return b; }",
        &["let b = 1; return b;"],
    );
    super::tests::check(
        Dialect::Go,
        "mu.Lock()\ndefer mu.Unlock()",
        "package p\nfunc f() {\n mu.Lock()\n defer mu.Unlock()\n}",
        &["mu.Lock()\n defer mu.Unlock()"],
    );
}

#[test]
fn every_language_needs_no_tricks() {
    let cases: &[(Dialect, &str, &str, &[&str])] = &[
        (Dialect::C, "gets($A)", "void f(char *b) { gets(b); }", &["gets(b)"]),
        (Dialect::C, "if ($C) { $$$B }", "void f() { if (a) { b(); c(); } }", &["if (a) { b(); c(); }"]),
        (
            Dialect::C,
            "int $F($$$P) { $$$B }",
            "int f(int a, char *b) { return 1; }",
            &["int f(int a, char *b) { return 1; }"],
        ),
        (Dialect::C, "$T *$X = malloc($N);", "void f() { int *a = malloc(4); }", &["int *a = malloc(4);"]),
        (Dialect::C, "return $X", "int f() { return 1; }", &["return 1;"]),
        (Dialect::C, "#include <$H>", "#include <stdio.h>\n", &[]),
        (Dialect::Cpp, "std::move($X)", "void f() { g(std::move(a)); }", &["std::move(a)"]),
        (Dialect::Cpp, "delete $X;", "void f() { delete a; }", &["delete a;"]),
        (
            Dialect::Go,
            "fmt.Println($$$)",
            "package p\nfunc f() { fmt.Println(1, 2) }",
            &["fmt.Println(1, 2)"],
        ),
        (
            Dialect::Go,
            "if err != nil { $$$ }",
            "package p\nfunc f() { if err != nil { return err }\n if err != nil {} }",
            &["if err != nil { return err }", "if err != nil {}"],
        ),
        (
            Dialect::Go,
            "func $F($$$P) error { $$$B }",
            "package p\nfunc f(a int) error { return nil }",
            &["func f(a int) error { return nil }"],
        ),
        (
            Dialect::Java,
            "System.out.println($X)",
            "class A { void f() { System.out.println(1); } }",
            &["System.out.println(1)"],
        ),
        (
            Dialect::Java,
            "try { $$$A } catch ($E $N) { }",
            "class A { void f() { try { a(); } catch (B c) { } } }",
            &["try { a(); } catch (B c) { }"],
        ),
        (
            Dialect::Java,
            "public void $M($$$P) { $$$B }",
            "class A { public void f(int a, B b) { c(); } }",
            &["public void f(int a, B b) { c(); }"],
        ),
        (
            Dialect::Java,
            "class $C { $$$B }",
            "class A { int a; void f() {} }",
            &["class A { int a; void f() {} }"],
        ),
        (Dialect::Java, "new Thread($$$)", "class A { Object a = new Thread(b); }", &["new Thread(b)"]),
        (Dialect::Rust, "$X.unwrap()", "fn f() { a.b().unwrap(); }", &["a.b().unwrap()"]),
        (Dialect::Rust, "println!($$$)", "fn f() { println!(\"{}\", a); }", &["println!(\"{}\", a)"]),
        (
            Dialect::Rust,
            "fn $F($$$P) -> $R { $$$B }",
            "fn f(a: u8) -> u8 { let b = a; b }",
            &["fn f(a: u8) -> u8 { let b = a; b }"],
        ),
        (
            Dialect::Rust,
            "match $X { $$$A }",
            "fn f() { match a { 1 => b(), _ => c() } }",
            &["match a { 1 => b(), _ => c() }"],
        ),
        (
            Dialect::JavaScript,
            "console.log($$$)",
            "console.log(1); console.log()",
            &["console.log(1)", "console.log()"],
        ),
        (Dialect::JavaScript, "$A == null", "a == null; a === null; a == undefined", &["a == null"]),
        (
            Dialect::JavaScript,
            "($$$P) => $B",
            "let f = (a, b) => a + b; g(() => 1)",
            &["(a, b) => a + b", "() => 1"],
        ),
        (Dialect::JavaScript, "f('a')", "f(\"a\")", &["f(\"a\")"]),
        (Dialect::JavaScript, "function $F($$$P) { $$$B }", "function f() {}", &["function f() {}"]),
        (Dialect::TypeScript, "$X as any", "let a = b as any;", &["b as any"]),
        (Dialect::Tsx, "<div>$X</div>", "let a = <div>{b}</div>;", &["<div>{b}</div>"]),
        (
            Dialect::Bash,
            "rm -rf $X",
            "rm -rf \"$a\"\nrm -rf /tmp/b\nrm $c\n",
            &["rm -rf \"$a\"", "rm -rf /tmp/b"],
        ),
    ];
    for (dialect, pattern, code, expected) in cases {
        check(*dialect, pattern, code, expected);
    }
}

#[test]
fn what_is_no_pattern_is_refused_with_its_place() {
    let error = |dialect, text: &str| Pattern::new(dialect, text).unwrap_err();
    assert_eq!(error(Dialect::Python, " \n"), PatternError::Empty);
    assert_eq!(error(Dialect::Python, "$$$"), PatternError::Everything);
    let PatternError::Unreadable { line, column, .. } = error(Dialect::Python, "f(\n  $X +\n)") else {
        panic!("unreadable")
    };
    assert!(line >= 1 && column >= 1);
    assert!(matches!(error(Dialect::Java, "class {"), PatternError::Unreadable { .. }));
    assert_eq!(error(Dialect::Python, &"(".repeat(70_000)), PatternError::TooLarge);
    let deep = format!("{}1{}", "(".repeat(1_000), ")".repeat(1_000));
    assert_eq!(error(Dialect::Python, &deep), PatternError::TooLarge);
}

#[test]
fn the_nearest_miss_names_what_differs() {
    let explained = |pattern: &str, code: &str| {
        let matcher = PatternMatcher::of_pattern(pattern, Some(Language::Python)).unwrap();
        let source = Source::new("a.py", Dialect::Python, code);
        explain(&matcher, &[source]).remove(0)
    };
    let miss = explained("f(1, check=True)", "g(1)\nf(1, check=False)\nf(2)");
    assert_eq!((miss.found.as_deref(), miss.expected.as_deref()), (Some("False"), Some("True")), "{miss:?}");
    assert_eq!(miss.span.unwrap().start_line, 2);
    let miss = explained("f($X)", "f(1, 2)");
    assert!(miss.why.contains("`2` more") && miss.why.contains("$$$"), "{miss:?}");
    let miss = explained("nowhere($X)", "f(1, 2)");
    assert!(miss.why.contains("`nowhere`"), "{miss:?}");
    let miss = explained("while $X: pass", "pass # while\n");
    assert!(miss.why.contains("a while statement"), "{miss:?}");
}

#[test]
fn rules_join_conditions() {
    let text = "
id: nested
language: python
message: $A in a loop
rule:
  pattern: $A.append($X)
  inside: {kind: for_statement}
  not: {inside: {pattern: 'while $_: $$$'}}
constraints:
  A: {regex: '^[a-z]+$'}
tests: {valid: [], invalid: []}
---
id: first
language: python
rule:
  any:
    - {pattern: f($X), has: {kind: string}}
    - {kind: pass_statement, nthChild: 1}
";
    let matcher = PatternMatcher::new(read_rules("a.yml", text).unwrap());
    let code = "for a in b:\n  c.append(1)\n  C.append(1)\nd.append(2)\nwhile 1:\n  for e in f:\n    g.append(1)\nf('x')\nf(y)\ndef h():\n  pass\n  pass\n";
    let matches = matcher.search(&Source::new("a.py", Dialect::Python, code)).unwrap();
    let found: Vec<(String, u32, String)> =
        matches.into_iter().map(|m| (m.rule, m.span.start_line, m.message)).collect();
    let expected = [("nested", 2, "c in a loop"), ("first", 8, ""), ("first", 11, "")];
    assert_eq!(found, expected.map(|(rule, line, message)| (rule.to_owned(), line, message.to_owned())));
}

#[test]
fn wrong_rules_are_refused_with_the_reason() {
    let cases = [
        ("id: a\nlanguage: pyton\nrule: {pattern: a}", "did you mean python"),
        ("id: a\nlanguage: python\nrule: {kind: cal}", "did you mean call"),
        ("id: a\nlanguage: python\nrule: {}", "asks for nothing"),
        ("id: a\nlanguage: python\nrule: {pattern: 'f('}", "not Python"),
        ("id: a\nlanguage: python\nrule: {matches: b}", "no util is called b"),
        ("id: a\nlanguage: python\nutils: {b: {matches: b}}\nrule: {matches: b}", "leads back to itself"),
        (
            "id: a\nlanguage: python\nrule: {pattern: f($A)}\nfix: g($B)",
            "uses $B, which the pattern lacks; it has $A",
        ),
        ("id: a\nlanguage: python\nrule: {pattern: f($A)}\nconstraints: {B: {regex: a}}", "uses $B"),
        ("id: a\nlanguage: python\nrule: {regex: '('}", "regex"),
        ("id: a\nlanguage: python\nrule: {patern: a}", "a.yml"),
        ("", "a.yml"),
    ];
    for (text, part) in cases {
        let error = read_rules("a.yml", text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn what_stands_behind_an_index_is_found_in_every_language() {
    for (dialect, pattern, code) in [
        (Dialect::Python, "$X[$Y] = $X[$Y]", "d[k] \\\n    = d[k]\n"),
        (Dialect::Python, "$X[$Y] += 1", "d[(a, b)] += 1\n"),
        (Dialect::JavaScript, "$X[$Y] = $Z", "a[0] /* first */ = b;"),
        (Dialect::Java, "$X[$Y] = $Z;", "class A { void f() { a[0][1] = b; } }"),
        (Dialect::Go, "$X[$Y] = $Z", "package p\nfunc f() { m[k] = v }"),
        (Dialect::C, "$X[$Y] = $Z;", "void f(void) { a[i] = 0; }"),
        (Dialect::Rust, "$X[$Y] = $Z", "fn f() { a[0] = b; }"),
    ] {
        assert_eq!(found(dialect, pattern, code).len(), 1, "{dialect:?} {pattern} {code}");
    }
}

#[test]
fn brackets_that_are_the_meaning_are_compared() {
    let cases: &[(Dialect, &str, &str, &[&str])] = &[
        (Dialect::Cpp, "delete $X;", "void f() { delete a; delete[] b; }", &["delete a;"]),
        (Dialect::Cpp, "delete[] $X;", "void f() { delete a; delete[] b; }", &["delete[] b;"]),
        (
            Dialect::Java,
            "int[] $X = $Y;",
            "class A { void f() { int[] a = b; int[][] c = d; } }",
            &["int[] a = b;"],
        ),
        (Dialect::JavaScript, "yield $X", "function* f() { yield a; yield* b; }", &["yield a"]),
        (Dialect::Rust, "&$X", "fn f() { g(&a, &mut b); }", &["&a"]),
    ];
    for (dialect, pattern, code, expected) in cases {
        check(*dialect, pattern, code, expected);
    }
}

#[test]
fn implementations_with_any_members_are_found() {
    let code = "impl A for B { fn x(&self) {} fn y() {} }\nimpl A for C {}\nimpl B { fn z() {} }\nunsafe impl Send for B {}\n";
    let expected = ["impl A for B { fn x(&self) {} fn y() {} }", "impl A for C {}"];
    check(Dialect::Rust, "impl $T for $S { $$$B }", code, &expected);
    check(Dialect::Rust, "impl $S { $$$B }", code, &["impl B { fn z() {} }"]);
    check(Dialect::Rust, "trait $T { $$$B }", "trait A { fn x(); }", &["trait A { fn x(); }"]);
}

#[test]
fn the_module_of_an_import_may_be_a_metavariable() {
    let code = "import { a, b } from \"x\";\nimport d from 'y';\nimport 'z';\nexport { e } from 'w';\n";
    for dialect in [Dialect::JavaScript, Dialect::TypeScript, Dialect::Tsx] {
        check(dialect, "import { $$$I } from $S", code, &["import { a, b } from \"x\";"]);
        // One metavariable is whatever stands there, braces too.
        let both = ["import { a, b } from \"x\";", "import d from 'y';"];
        check(dialect, "import $D from $S;", code, &both);
        check(dialect, "import $S", code, &["import 'z';"]);
        check(dialect, "export { $$$ } from $S", code, &["export { e } from 'w';"]);
    }
    check(Dialect::TypeScript, "import { $$$I } from $S", "import type { a } from 'x';", &[]);
}

#[test]
fn a_kind_is_exactly_that_kind() {
    let rule = "id: a\nlanguage: javascript\nrule: {kind: identifier}";
    let matcher = PatternMatcher::new(read_rules("a.yml", rule).unwrap());
    let source = Source::new("a.js", Dialect::JavaScript, "a.b = { c, d: 1 };");
    let found: Vec<String> = matcher.search(&source).unwrap().into_iter().map(|one| one.text).collect();
    assert_eq!(found, ["a"]);
}

#[test]
fn conditions_on_other_nodes_are_asked_about_as_often_as_there_are_nodes() {
    let rule =
        "id: a\nlanguage: python\nrule: {kind: list, has: {kind: string}, not: {inside: {kind: call}}}";
    let matcher = PatternMatcher::new(read_rules("a.yml", rule).unwrap());
    let visited = |depth: usize| {
        let code = format!("x = {}1{}\n", "[".repeat(depth), "]".repeat(depth));
        matcher.visits(&Source::new("a.py", Dialect::Python, code.as_str()))
    };
    let (few, many) = (visited(40), visited(160));
    assert!(few > 0 && many <= few * 5, "{few} nodes, then {many} for four times the code");
}
