//! Both ways say the same: over code that is written for it, and over the code of this host.

use crate::lower::{by_grammar, empty};
use crate::{Bounds, ClassKind, Dialect, ExprKind, NoteKind, Unit, parse};
use std::path::{Path, PathBuf};

/// The file by the grammar.
fn by_tree(source: &str) -> Unit<'_> {
    by_grammar(empty(Dialect::Python, source), Bounds::default())
}

/// The file by ruff's parser, where it goes that way.
fn by_ruff(source: &str) -> Option<Unit<'_>> {
    super::read(source, Bounds::default())
}

/// The first thing that the two do not say alike.
fn difference(tree: &Unit<'_>, ruff: &Unit<'_>) -> Option<String> {
    fn first<T: std::fmt::Debug>(what: &str, tree: &[T], ruff: &[T]) -> Option<String> {
        let show = |one: Option<&T>| one.map(|one| format!("{one:?}"));
        (0..tree.len().max(ruff.len())).find_map(|index| {
            let (tree, ruff) = (show(tree.get(index)), show(ruff.get(index)));
            (tree != ruff).then(|| format!("{what} {index}:\n  tree {tree:?}\n  ruff {ruff:?}"))
        })
    }
    if format!("{tree:?}") == format!("{ruff:?}") {
        return None;
    }
    first("note", &tree.notes, &ruff.notes)
        .or_else(|| first("expression", &tree.expressions, &ruff.expressions))
        .or_else(|| first("statement", &tree.statements, &ruff.statements))
        .or_else(|| first("function", &tree.functions, &ruff.functions))
        .or_else(|| first("class", &tree.classes, &ruff.classes))
        .or_else(|| first("import", &tree.imports, &ruff.imports))
        .or_else(|| first("comment", &tree.comments, &ruff.comments))
        .or_else(|| first("line of code", &tree.code_lines, &ruff.code_lines))
        .or_else(|| Some("something else".to_owned()))
}

#[expect(clippy::disallowed_methods, reason = "a test asks whether it may take long, and over what")]
fn told(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|value| value != "0" && !value.is_empty())
}

/// Python's own modules, where this host keeps them.
fn modules() -> Vec<PathBuf> {
    let long = told("FORMICARY_LONG").is_some();
    let entries =
        |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = match told("FORMICARY_PYTHON_FILES") {
        Some(named) => vec![named.into()],
        None => {
            let is_python = |path: &PathBuf| path.to_string_lossy().contains("/python3");
            ["/usr/lib", "/usr/local/lib"]
                .iter()
                .flat_map(|at| entries(Path::new(at)))
                .filter(is_python)
                .collect()
        }
    };
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "py") {
                found.push(path);
            }
        }
    }
    found.sort();
    let step = if long { 1 } else { found.len() / 60 + 1 };
    found.into_iter().step_by(step).collect()
}

/// Why the grammar is wrong about a file, where it is known to be.
fn grammar_is_wrong(path: &Path, tree: &Unit<'_>) -> Option<&'static str> {
    let is_spread = |id| matches!(tree.kind(id), ExprKind::Spread(_));
    let misbound = |kind: &ExprKind<'_>| match kind {
        ExprKind::Attribute { base, .. } | ExprKind::Subscript { base, .. } => is_spread(*base),
        ExprKind::Call { callee, .. } => is_spread(*callee),
        _ => false,
    };
    if tree.expressions.iter().any(|expr| misbound(&expr.kind)) {
        return Some("it reads `f(a, *b.c())` as if it were `(*b).c()`");
    }
    if tree.classes.iter().any(|class| class.kind == ClassKind::Alias && class.name.starts_with('(')) {
        return Some("it reads `type(a).b = c` as a type alias");
    }
    let named = [
        ("test_print.py", "it reads `print >> a, b` as Python 2's statement"),
        ("test_grammar.py", "it binds `^` more closely than `&`"),
    ];
    named.into_iter().find(|(name, _)| path.ends_with(name)).map(|(_, why)| why)
}

#[test]
fn both_ways_say_the_same_of_real_code() {
    let (mut same, mut by_grammar, mut broken, mut different) = (0, 0, 0, Vec::new());
    let modules = modules();
    for path in &modules {
        let Ok(source) = std::fs::read_to_string(path) else { continue };
        let tree = by_tree(&source);
        match by_ruff(&source) {
            Some(ruff) => match difference(&tree, &ruff) {
                Some(_) if grammar_is_wrong(path, &tree).is_some() => {}
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
        "{all} differ, {same} do not, {by_grammar} sound and {broken} broken go by the grammar:\n{listed}"
    );
    assert!(
        modules.is_empty() || by_grammar * 5 < same,
        "{by_grammar} of {same} sound files go by the grammar"
    );
}

/// Both ways, of code that this way must be able to read.
fn alike(code: &str) {
    let ruff = by_ruff(code);
    assert!(ruff.is_some(), "goes by the grammar: {code}");
    let different = ruff.and_then(|ruff| difference(&by_tree(code), &ruff));
    assert!(different.is_none(), "{code}\n{}", different.unwrap_or_default());
}

#[test]
fn every_kind_of_statement_and_expression_is_alike() {
    let cases = [
        "import a.b, c as d\nfrom . import e\nfrom ..f.g import (h, i as j,)\nfrom .. import k\n",
        "from a import *\nfrom __future__ import b, c as d\n",
        "a = b = c, d\na, *b = c\na += 1, 2\na: int\na.b: (list[int]) = [1]\n(a) = 1\n(a, b) = c\n[a, b] = c\n",
        "x = (y := 1) + z[1, 2] + z[1:2:3, ...] + z[:] + z[a,] - -1 ** ~2 @ 3\n",
        "del a, b.c\ndel (a)\nassert a, 'b'\nassert a\nraise\nraise A from b\nraise A(1)\npass\n",
        "if a:\n    b\nelif c: d; e\nelif f:\n    g\nelse:\n    h\n",
        "while a:\n    break\nelse:\n    b\nfor a, (b, c) in d, e:\n    continue\nelse:\n    f\n",
        "try:\n    a\nexcept (B, C) as d:\n    e\nexcept F:\n    g\nexcept:\n    h\nelse:\n    i\nfinally:\n    j\n",
        "with a as b, c(d):\n    e\nwith (\n    f,\n    h,\n):\n    i\nasync def j():\n    async with k: await l\n",
        "@a\n# between\n@b.c(d=lambda: 1)\nasync def f(a, /, b: int = 1, *c: str, d, e=(2), **g) -> (int):\n    \"\"\"Doc.\"\"\"\n    yield a, b\n",
        "@a\nclass A(B, *c, metaclass=D, **e):\n    \"\"\"Doc.\"\"\"\n    x = lambda self: (self)\n    def __f(cls, *, this): return\n",
        "def f[T](x: T) -> T:\n    def g(): global y; yield from h()\n    return lambda a=1, *b, c: (a, b)\n",
        "f(a, *b, c=d, **e)(g for g in h)((i for i in j), k)\nf(x for x in y if z)\ng((lambda: (1)), (lambda: 2))\n",
        "[a for b in c if d if e for g in h]\n{a: b for a, b in c}\n{a for a in b}\n{**a, 'b': c, **(d)}\n{1, 2}\n{}\n()\n(a,)\n",
        "a and (b) and c or not d\na < b <= c != d is not e not in f\na if b else c if d else e\n(a + b) * (c - d)\n",
        "'a' \"b\" r'\\c'\nb'a' b'b'\nf'{a}b{c!r:>{d}}{{}}' 'e' f'g'\nf'h'\nrf'\\d{i}'\nu'j\\n'\n1_000 + 0xFF + 1.5e3 + 2j + 77\n",
        "x = [\n    1,  # one\n    # two\n    2,\n]  # end\n",
        "x = a, \\\n    b\nassert a, \\\n    b\ndel a, \\\n    b\nx = a if b \\\n    else c\ny = a < \\\n    b\n",
        "print('a', file=b)\nexec('c')\nmatch = 1\ntype = 2\ncase = match + type\nprint\n",
    ];
    for code in cases {
        alike(code);
        alike(&code.replace('\n', "\r\n"));
        let indented: String = code.lines().map(|line| format!("\t{line}\n")).collect();
        if !code.contains('*') && !code.contains("__future__") {
            alike(&format!("def around():\n{indented}"));
            alike(&format!("class Around:\n{indented}"));
        }
    }
    alike("\u{feff}x = 'ö'; é = x\n");
}

#[test]
fn comments_belong_to_the_blocks_that_they_are_indented_like() {
    let cases = [
        "def f():  # head\n    # first\n    return 1  # same line\n    # after\n# outside\nx\n",
        "if a:\n    b\n    # in\n# out\nelse:\n    c\n        # deeper\n    # in\n\n  # out\nd\n",
        "class A:\n    def f(self):\n        pass\n        # of f\n    # of A\n\n\n# of the file\n",
        "for a in b:\n    if c:\n        d;  # d\n    # of for\n  # of nobody\n",
        "while a:\n    b\n    # of while\n",
        "try:\n    a\n    # of try\nexcept B:\n    c\n    # of except\nfinally:\n    d\n    # of finally",
        "if a: b  # same\n    # not in\nc\n",
        "with a:\n\tb\n\t# tab\n        # eight\nc\n",
    ];
    for code in cases {
        alike(code);
        alike(&code.replace('\n', "\r\n"));
    }
}

#[test]
fn what_ruff_cannot_read_goes_by_the_grammar_with_its_notes() {
    for (code, noted) in [
        ("x = (1\n", true),
        ("print 'a'\ny = 1\n", false),
        ("match a:\n    case (B(c), *_): d\n", false),
        ("def f(:\n    pass\nz = 1\n", true),
        ("a\rb\n", false),
    ] {
        assert!(by_ruff(code).is_none(), "{code}");
        let unit = parse(Dialect::Python, code);
        assert!(difference(&by_tree(code), &unit).is_none(), "{code}");
        assert!(!noted || !unit.notes.is_empty(), "{code}");
    }
}

#[test]
fn deep_code_is_never_recursed_into() {
    let many = |piece: &str| piece.repeat(3_000);
    let blocks: String = (0..150).map(|depth| format!("{}if a:\n", " ".repeat(depth))).collect();
    let cases = [
        ("brackets", format!("x = {}{}\n", many("("), many(")"))),
        ("mixed brackets", format!("x = {}{}\n", many("[{("), many(")}]"))),
        ("open brackets", many("f(")),
        ("unary", format!("x = {}1\n", many("-"))),
        ("not", format!("x = {}a\n", many("not "))),
        ("await", format!("async def f():\n    {}a\n", many("await "))),
        ("lambda", format!("x = {}0\n", many("lambda a, b: "))),
        ("calls", format!("x = a{}\n", many(".b(c)"))),
        ("subscripts", format!("x = a{}\n", many("[0]"))),
        ("sum", format!("x = {}a\n", many("a + "))),
        ("powers", format!("x = {}a\n", many("a ** "))),
        ("and", format!("x = {}a\n", many("a and "))),
        ("choices", format!("x = {}a\n", many("a if b else "))),
        ("strings", format!("x = {}\n", many("'a' "))),
        ("values in text", format!("x = {}a{}\n", "f'{".repeat(200), "}'".repeat(200))),
        ("formats", format!("x = f'{{a:{}}}'\n", many("{b:"))),
        ("assignments", format!("{}1\n", many("a = "))),
        ("stars", format!("f({}a)\n", many("*"))),
        ("blocks", format!("{blocks}{}b\n", " ".repeat(150))),
        ("wide blocks", format!("if a:\n{}b\n", " ".repeat(3_000))),
        ("elif", format!("if a:\n    b\n{}", "elif a:\n    b\n".repeat(3_000))),
        ("decorators", format!("{}def f(): pass\n", "@a\n".repeat(3_000))),
    ];
    for (name, code) in cases {
        // Enough lines that nobody takes it for minified.
        let code = format!("{}{code}", "\n".repeat(1_000));
        let flat = matches!(name, "elif" | "decorators");
        assert_eq!(by_ruff(&code).is_some(), flat, "{name}");
        let unit = parse(Dialect::Python, &code);
        if flat {
            assert!(difference(&by_tree(&code), &unit).is_none(), "{name}");
        }
        let deep = ["brackets", "unary", "not", "lambda", "calls", "subscripts", "powers", "choices"];
        let noted = unit.notes.iter().any(|note| note.kind == NoteKind::TooDeep);
        assert!(noted || !deep.contains(&name), "{name}: {:?}", unit.notes);
    }
}
