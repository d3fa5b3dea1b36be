//! The index over small projects.

use super::RepositoryIndex;
use crate::source::Source;
use formicary_syntax::Dialect;

fn index(files: &[(&str, &str)]) -> RepositoryIndex {
    let source =
        |(path, text): &(&str, &str)| Source::new(*path, Dialect::of_file(path, text).unwrap(), *text);
    RepositoryIndex::new(&files.iter().map(source).collect::<Vec<_>>())
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
