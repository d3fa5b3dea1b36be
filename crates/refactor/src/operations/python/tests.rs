//! Refactorings: what they make, what they refuse.

use crate::operations::{Refactored, Refused, extract_function, extract_variable, inline, offset_of, rename};
use formicary_search::Source;
use formicary_syntax::Dialect;

/// A project of Python files; `¦` marks the place in the first of them.
fn project(files: &[(&str, &str)]) -> (Vec<Source>, usize) {
    let place = files[0].1.find('¦').unwrap();
    let source = |(path, text): &(&str, &str)| Source::new(*path, Dialect::Python, text.replace('¦', ""));
    (files.iter().map(source).collect(), place)
}

fn texts(done: Result<Refactored, Refused>) -> Result<Vec<(String, String)>, String> {
    let texts =
        |done: Refactored| done.changes.into_iter().map(|change| (change.path, change.after)).collect();
    done.map(texts).map_err(|refused| refused.to_string())
}

#[track_caller]
fn renamed(files: &[(&str, &str)], expected: &[(&str, &str)]) {
    let (sources, place) = project(files);
    let found = texts(rename(&sources, files[0].0, place, "new")).unwrap();
    let expected: Vec<_> =
        expected.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn not_renamed(files: &[(&str, &str)], why: &str) {
    let (sources, place) = project(files);
    let refused = texts(rename(&sources, files[0].0, place, "new")).unwrap_err();
    assert!(refused.contains(why), "{refused}");
}

#[test]
fn names_of_functions_change_with_their_scope() {
    renamed(
        &[(
            "a.py",
            "def f(x):\n    ¦old = x\n    return [old for y in old], g.old, h(old=1), 'old'\nold = 2\n",
        )],
        &[(
            "a.py",
            "def f(x):\n    new = x\n    return [new for y in new], g.old, h(old=1), 'old'\nold = 2\n",
        )],
    );
    renamed(
        &[(
            "a.py",
            "def f():\n    ¦old = 1\n    def g():\n        nonlocal old\n        old += 1\n    def h(old): return old\n",
        )],
        &[(
            "a.py",
            "def f():\n    new = 1\n    def g():\n        nonlocal new\n        new += 1\n    def h(old): return old\n",
        )],
    );
    renamed(
        &[("a.py", "def f(¦old, *, b=old): return [old for old in old]\n")],
        &[("a.py", "def f(new, *, b=old): return [old for old in new]\n")],
    );
}

#[test]
fn names_of_files_change_where_they_are_imported() {
    renamed(
        &[
            ("pkg/a.py", "__all__ = ['old']\ndef ¦old(): pass\nclass C:\n    def old(self): return old()\n"),
            ("pkg/b.py", "from .a import old\nfrom . import a\nold()\na.old()\nx.old()\n"),
            ("c.py", "import pkg.a as m\nfrom pkg.a import old as o\no()\nm.old()\ndef f(old): return old\n"),
            ("d.py", "old = 1\n"),
        ],
        &[
            ("pkg/a.py", "__all__ = ['new']\ndef new(): pass\nclass C:\n    def old(self): return new()\n"),
            ("pkg/b.py", "from .a import new\nfrom . import a\nnew()\na.new()\nx.old()\n"),
            ("c.py", "import pkg.a as m\nfrom pkg.a import new as o\no()\nm.new()\ndef f(old): return old\n"),
        ],
    );
}

#[test]
fn what_is_not_sure_is_not_renamed() {
    not_renamed(&[("a.py", "def f():\n    ¦old = 1\n    new = 2\n    return old\n")], "taken");
    not_renamed(&[("a.py", "def f():\n    ¦old = 1\n    return new(old)\n")], "captured");
    not_renamed(&[("a.py", "def f():\n    ¦old = 1\n    def g(new): return old\n")], "shadowed");
    not_renamed(&[("a.py", "def f():\n    ¦old = 1\n    return locals()\n")], "looked up");
    not_renamed(&[("a.py", "def ¦old(): pass\nx = getattr(m, 'old')\n")], "a string says");
    not_renamed(&[("a.py", "class A:\n    def ¦old(self): pass\n")], "member of a class");
    not_renamed(&[("a.py", "x.¦old\n")], "after a dot");
    not_renamed(&[("a.py", "def ¦old(): pass\n"), ("b.py", "from a import *\nold()\n")], "everything");
    not_renamed(&[("p/a.py", "def ¦old(): pass\n"), ("p/__init__.py", "from .a import *\n")], "everything");
    not_renamed(&[("a.py", "def ¦old():\n    '''\n    >>> old()\n    '''\n")], "documentation");
    not_renamed(&[("a.py", "def ¦old(): pass\n"), ("a.pyi", "def old(): ...\n")], "stub");
    not_renamed(&[("a.py", "def f(¦old): pass\n"), ("b.py", "m.f(old=1)\n")], "by its name");
    not_renamed(&[("a.py", "def ¦old(): pass\n"), ("b.py", "patch('a.old')\n")], "a string says");
    not_renamed(
        &[("p/a.py", "def ¦old(): pass\n"), ("p/__init__.py", "from .a import old\n")],
        "hands the name on",
    );
    not_renamed(&[("a.py", "print(¦old)\n")], "not defined");
    let either = "try:\n    from b import old\nexcept ImportError:\n    ¦old = None\n";
    not_renamed(&[("a.py", either)], "may also come from elsewhere");
    let either = "try:\n    from a import old\nexcept ImportError:\n    from c import old\n";
    not_renamed(&[("a.py", "def ¦old(): pass\n"), ("b.py", either)], "may also come from elsewhere");
    let (sources, place) = project(&[("a.py", "¦old = 1\n")]);
    assert!(texts(rename(&sources, "a.py", place, "class")).unwrap_err().contains("not a name"));
}

/// The code between two `¦`.
fn selected(text: &str) -> (Source, std::ops::Range<usize>) {
    let start = text.find('¦').unwrap();
    let end = text.rfind('¦').unwrap() - '¦'.len_utf8();
    (Source::new("a.py", Dialect::Python, text.replace('¦', "")), start..end)
}

#[test]
fn expressions_become_variables() {
    let cases = [
        ("def f():\n    return g(¦a.b + 1¦)\n", Ok("def f():\n    new = a.b + 1\n    return g(new)\n")),
        ("x = ¦[1,\n 2]¦ + y\n", Ok("new = [1,\n 2]\nx = new + y\n")),
        ("if ¦a()¦ and b: pass\n", Ok("new = a()\nif new and b: pass\n")),
        ("x = g() + ¦h()¦\n", Err("would run after it")),
        ("x = a and ¦b()¦\n", Err("may run never")),
        ("x = [¦y¦ for y in z]\n", Err("may run never")),
        ("while ¦a()¦: pass\n", Err("may run never")),
        ("f(¦a + b¦ + c)\nnew = 1\n", Err("taken")),
        ("x = ¦a +¦ b\n", Err("not one whole expression")),
        ("if a: ¦b()¦\n", Err("stands before it")),
    ];
    for (text, expected) in cases {
        let (source, range) = selected(text);
        check(texts(extract_variable(&source, range, "new")), expected, text);
    }
}

#[track_caller]
fn check(found: Result<Vec<(String, String)>, String>, expected: Result<&str, &str>, case: &str) {
    match (found, expected) {
        (Ok(found), Ok(expected)) => assert_eq!(found[0].1, expected, "{case}"),
        (Err(found), Err(expected)) => assert!(found.contains(expected), "{case}: {found}"),
        (found, expected) => panic!("{case}: {found:?} in place of {expected:?}"),
    }
}

#[test]
fn statements_become_functions() {
    let cases = [
        (
            "def f(a):\n    ¦b = a + 1\n    print(b)¦\n    return b\n",
            Ok(
                "def new(a):\n    b = a + 1\n    print(b)\n    return b\n\n\ndef f(a):\n    b = new(a)\n    return b\n",
            ),
        ),
        (
            "class C:\n    def f(self):\n        ¦for x in self.y:\n            if x:\n                break\n            print(x)¦\n",
            Ok(
                "def new(self):\n    for x in self.y:\n        if x:\n            break\n        print(x)\n\n\nclass C:\n    def f(self):\n        new(self)\n",
            ),
        ),
        (
            "def f(a):\n    n = 0\n    for x in a:\n        ¦n += x¦\n    return n\n",
            Ok(
                "def new(n, x):\n    n += x\n    return n\n\n\ndef f(a):\n    n = 0\n    for x in a:\n        n = new(n, x)\n    return n\n",
            ),
        ),
        ("def f(a):\n    ¦return a¦\n", Err("returns")),
        ("def f(a):\n    for x in a:\n        ¦break¦\n", Err("leaves the loop")),
        ("def f(a):\n    ¦if a:\n        b = 1¦\n    return b\n", Err("may not be defined")),
        ("async def f(a):\n    ¦await a¦\n", Err("waits")),
        ("def f(a):\n    ¦g = lambda: a¦\n    g()\n", Err("keeps a")),
        ("¦a = 1¦\n", Err("only statements of a function")),
        ("def f(a):\n    ¦super().f()¦\n", Err("looks at the function around")),
    ];
    for (text, expected) in cases {
        let (source, range) = selected(text);
        check(texts(extract_function(&source, range, "new")), expected, text);
    }
}

#[test]
fn variables_become_what_they_stand_for() {
    let cases = [
        ("def f(a):\n    ¦x = a + 1\n    return x * x\n", Ok("def f(a):\n    return (a + 1) * (a + 1)\n")),
        ("def f():\n    ¦x = g()\n    return x\n", Ok("def f():\n    return g()\n")),
        ("def f():\n    ¦x = g()\n    h()\n    return x\n", Err("may happen between")),
        ("def f():\n    ¦x = g()\n    return x + x\n", Err("every time")),
        ("def f(a):\n    ¦x = a\n    a = 2\n    return x\n", Err("may happen between")),
        ("def f():\n    ¦x = 1\n    x = 2\n    return x\n", Err("written 2 times")),
        ("def f(a):\n    ¦x = a\n    return [x for a in y]\n", Err("means something else")),
        ("def f():\n    ¦x = g()\n    return a and x\n", Err("may run never")),
        ("def f():\n    ¦x = 1\n", Err("never read")),
        ("¦x = 1\nprint(x)\n", Err("not a variable of a function")),
        ("def f():\n    ¦x = 'a'\n    return f'{x}'\n", Err("formatted string")),
    ];
    for (text, expected) in cases {
        let (sources, place) = project(&[("a.py", text)]);
        check(texts(inline(&sources[0], place)), expected, text);
    }
}

#[test]
fn places_are_found_and_other_languages_refused() {
    assert_eq!(offset_of("ab\nöc", 2, 2), Some(5));
    assert_eq!(offset_of("ab\n", 0, 1), None);
    let source = Source::new("a.sh", Dialect::Bash, "a=1");
    assert!(matches!(inline(&source, 0), Err(Refused::Language { .. })));
}
