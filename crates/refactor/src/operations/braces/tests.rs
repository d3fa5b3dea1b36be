//! Extract and inline of JavaScript, TypeScript and Java: what they make, what they refuse.

use crate::operations::{Refactored, Refused, extract_function, extract_variable, inline};
use formicary_search::Source;
use formicary_syntax::Dialect;

/// The code between two `¦`.
fn selected(path: &str, text: &str) -> (Source, std::ops::Range<usize>) {
    let start = text.find('¦').unwrap();
    let end = text.rfind('¦').unwrap();
    let end = if end > start { end - '¦'.len_utf8() } else { start };
    let dialect = Dialect::of_file(path, text).unwrap();
    (Source::new(path, dialect, text.replace('¦', "")), start..end)
}

#[track_caller]
fn check(done: Result<Refactored, Refused>, expected: Result<&str, &str>, case: &str) {
    match (done, expected) {
        (Ok(done), Ok(expected)) => assert_eq!(done.changes[0].after, expected, "{case}"),
        (Err(found), Err(expected)) => assert!(found.to_string().contains(expected), "{case}: {found}"),
        (found, expected) => panic!("{case}: {found:?} in place of {expected:?}"),
    }
}

#[test]
fn expressions_become_variables() {
    let cases = [
        (
            "a.js",
            "function f(a) {\n  return g(¦a.b + 1¦);\n}\n",
            Ok("function f(a) {\n  const made = a.b + 1;\n  return g(made);\n}\n"),
        ),
        ("a.js", "const x = h(¦[1,\n 2]¦);\n", Ok("const made = [1,\n 2];\nconst x = h(made);\n")),
        ("a.js", "if (¦a()¦ && b) c();\n", Ok("const made = a();\nif (made && b) c();\n")),
        ("a.js", "x = g() + ¦h()¦;\n", Err("would run after it")),
        ("a.js", "let y = 1; y = 2;\nx = y + ¦h()¦;\n", Err("would be read after it")),
        ("a.js", "x = a && ¦b()¦;\n", Err("may run never")),
        ("a.js", "x = a?.b(¦c()¦);\n", Err("may run never")),
        ("a.js", "x = ¦a?.b¦.c;\n", Err("rest of its chain")),
        ("a.js", "x = c ? ¦b()¦ : d;\n", Err("may run never")),
        ("a.js", "while (¦a()¦) {}\n", Err("may run never")),
        ("a.js", "x = y.map(v => ¦v + 1¦);\n", Err("may run never")),
        ("a.js", "¦a.b¦();\n", Err("before its dot")),
        ("a.js", "¦a.b¦ = 1;\n", Err("put there")),
        ("a.js", "'use strict'\n¦a()¦;\n", Err("whole statement")),
        ("a.js", "let a = 1, b = ¦a + 1¦;\n", Err("defined by the statement")),
        ("a.js", "f(¦a + b¦);\nlet made = 1;\n", Err("taken")),
        ("a.js", "x = ¦a +¦ b;\n", Err("not one whole expression")),
        (
            "a.tsx",
            "function F(a: number) {\n  return <P x={¦a + 1¦}/>;\n}\n",
            Ok("function F(a: number) {\n  const made = a + 1;\n  return <P x={made}/>;\n}\n"),
        ),
        (
            "A.java",
            "class A { int f(int a) {\n    return g(¦a + 1¦);\n  } }\n",
            Ok("class A { int f(int a) {\n    int made = a + 1;\n    return g(made);\n  } }\n"),
        ),
        (
            "A.java",
            "class A { void f(String s) {\n    g(¦s.length()¦);\n  } }\n",
            Ok("class A { void f(String s) {\n    int made = s.length();\n    g(made);\n  } }\n"),
        ),
        (
            "A.java",
            "class A { java.util.List<String> f() {\n    return ¦x.y()¦;\n  } }\n",
            Ok(
                "class A { java.util.List<String> f() {\n    java.util.List<String> made = x.y();\n    return made;\n  } }\n",
            ),
        ),
        ("A.java", "class A { void f(B b) {\n    g(¦b.c()¦);\n  } }\n", Err("does not follow")),
        (
            "A.java",
            "class A { void f(int b) {\n    switch (b) { case ¦1¦: break; }\n  } }\n",
            Err("no value"),
        ),
    ];
    for (path, text, expected) in cases {
        let (source, range) = selected(path, text);
        check(extract_variable(&source, range, "made"), expected, text);
    }
}

#[test]
fn statements_become_functions() {
    let cases = [
        (
            "a.js",
            "/** Says. */\nfunction f(a) {\n  ¦const b = a + 1;\n  log(b);¦\n  return b;\n}\n",
            Ok(
                "function made(a) {\n  const b = a + 1;\n  log(b);\n  return b;\n}\n\n/** Says. */\nfunction f(a) {\n  const b = made(a);\n  return b;\n}\n",
            ),
        ),
        (
            "a.js",
            "function f(a) {\n  let n = 0;\n  for (const x of a) {\n    ¦n += x;¦\n  }\n  return n;\n}\n",
            Ok(
                "function made(n, x) {\n  n += x;\n  return n;\n}\n\nfunction f(a) {\n  let n = 0;\n  for (const x of a) {\n    n = made(n, x);\n  }\n  return n;\n}\n",
            ),
        ),
        (
            "a.js",
            "function f(a) {\n  ¦const b = a;\n  const c = 2;¦\n  return b + c;\n}\n",
            Ok(
                "function made(a) {\n  const b = a;\n  const c = 2;\n  return { b, c };\n}\n\nfunction f(a) {\n  const { b, c } = made(a);\n  return b + c;\n}\n",
            ),
        ),
        ("a.js", "function f(a) {\n  ¦return a;¦\n}\n", Err("returns")),
        ("a.js", "function f(a) {\n  for (;;) {\n    ¦break;¦\n  }\n}\n", Err("leaves the loop")),
        ("a.js", "function f() {\n  ¦g(this.a);¦\n}\n", Err("looks at the function around")),
        ("a.js", "function f() {\n  ¦g(() => arguments);¦\n}\n", Err("looks at the function around")),
        ("a.js", "async function f(a) {\n  ¦await a;¦\n}\n", Err("waits")),
        ("a.js", "function f(a) {\n  let n = 0;\n  ¦g(() => n++);¦\n  return n;\n}\n", Err("keeps n")),
        (
            "a.js",
            "function f(a) {\n  let n = 0;\n  const h = () => n++;\n  ¦h(n);¦\n}\n",
            Err("another function sees n"),
        ),
        ("a.js", "¦a();¦\n", Err("only statements of a function")),
        ("a.js", "function f(a) {\n  ¦g(`\n${a}`);¦\n}\n", Err("several lines")),
        (
            "a.ts",
            "function f(a: number, b) {\n  ¦g(a);¦\n}\n",
            Ok("function made(a: number) {\n  g(a);\n}\n\nfunction f(a: number, b) {\n  made(a);\n}\n"),
        ),
        ("a.ts", "function f(a: number, b) {\n  ¦g(b);¦\n}\n", Err("not written")),
        (
            "A.java",
            "class A {\n  static int f(int a) throws E {\n    ¦int b = a + 1;\n    g(b);¦\n    return b;\n  }\n}\n",
            Ok(
                "class A {\n  static int f(int a) throws E {\n    int b = made(a);\n    return b;\n  }\n\n  private static int made(int a) throws E {\n    int b = a + 1;\n    g(b);\n    return b;\n  }\n}\n",
            ),
        ),
        (
            "A.java",
            "class A {\n  void f(String... a) {\n    try {\n      ¦this.x = a;¦\n    } catch (B | C e) {}\n  }\n}\n",
            Ok(
                "class A {\n  void f(String... a) {\n    try {\n      made(a);\n    } catch (B | C e) {}\n  }\n\n  private void made(String[] a) throws B, C {\n    this.x = a;\n  }\n}\n",
            ),
        ),
        (
            "A.java",
            "class A {\n  void f(int a) {\n    int b;\n    ¦if (a > 1) b = 2;¦\n    g(b);\n  }\n}\n",
            Err("may have no value"),
        ),
        (
            "A.java",
            "class A {\n  A(int a) {\n    ¦this.x = a;¦\n  }\n}\n",
            Err("only statements of a method"),
        ),
        (
            "A.java",
            "class A {\n  void f(int a) {\n    int b = 1, c = 1;\n    ¦b++; c++;¦\n    g(b, c);\n  }\n}\n",
            Err("come out of it"),
        ),
    ];
    for (path, text, expected) in cases {
        let (source, range) = selected(path, text);
        check(extract_function(&source, range, "made"), expected, text);
    }
}

#[test]
fn variables_become_what_they_stand_for() {
    let cases = [
        (
            "a.js",
            "function f(a) {\n  const ¦x = a + 1;\n  return x * x;\n}\n",
            Ok("function f(a) {\n  return (a + 1) * (a + 1);\n}\n"),
        ),
        (
            "a.js",
            "function f() {\n  var ¦x = g();\n  return x;\n}\n",
            Ok("function f() {\n  return g();\n}\n"),
        ),
        (
            "a.js",
            "function f(a) {\n  const ¦x = a;\n  return { x };\n}\n",
            Ok("function f(a) {\n  return { x: a };\n}\n"),
        ),
        ("a.js", "function f() {\n  const ¦x = g();\n  h();\n  return x;\n}\n", Err("may happen between")),
        ("a.js", "function f() {\n  const ¦x = g();\n  return x + x;\n}\n", Err("every time")),
        ("a.js", "function f(a) {\n  const ¦x = a;\n  a = 2;\n  return x;\n}\n", Err("may happen between")),
        ("a.js", "function f() {\n  let ¦x = 1;\n  x = 2;\n  return x;\n}\n", Err("written again")),
        (
            "a.js",
            "function f(a) {\n  const ¦x = a;\n  return y.map(a => x);\n}\n",
            Err("means something else"),
        ),
        ("a.js", "function f() {\n  const ¦x = g();\n  return a && x;\n}\n", Err("may run never")),
        ("a.js", "function f() {\n  const ¦x = g();\n  if (a) { h(x); }\n}\n", Err("may run never")),
        ("a.js", "function f() {\n  const ¦x = 1;\n}\n", Err("never read")),
        ("a.js", "const ¦x = 1;\nlog(x);\n", Err("not a variable of a function")),
        ("a.js", "function f(a) {\n  const ¦g = a.b;\n  g();\n}\n", Err("before its dot")),
        ("a.js", "function f() {\n  g()\n  const ¦x = [1]\n  x.map(h)\n}\n", Err("beginning of a statement")),
        ("a.js", "function f() {\n  const { ¦x } = g();\n  return x;\n}\n", Err("plain declaration")),
        (
            "A.java",
            "class A { int f(int a) {\n    int ¦x = a + 1;\n    return x * x;\n  } }\n",
            Ok("class A { int f(int a) {\n    return (a + 1) * (a + 1);\n  } }\n"),
        ),
        (
            "A.java",
            "class A { long f(int a) {\n    long ¦x = a * 2;\n    return x * x;\n  } }\n",
            Err("very type"),
        ),
        (
            "A.java",
            "class A { B f() {\n    B ¦x = g.h();\n    return x;\n  } }\n",
            Ok("class A { B f() {\n    return g.h();\n  } }\n"),
        ),
        ("A.java", "class A { void f() {\n    B ¦x = g.h();\n    k(x);\n  } }\n", Err("very type")),
    ];
    for (path, text, expected) in cases {
        let (source, range) = selected(path, text);
        check(inline(&source, range.start), expected, text);
    }
}
