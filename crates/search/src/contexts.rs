//! Where a fragment of a language can stand, so that its grammar reads it as what was meant.
//!
//! `gets($A)` at the top of a C file is a declaration, `fmt.Println($X)` at the top of a Go file is an error. Each language
//! lists surroundings to try; the first in which the fragment reads without error wins.

use formicary_syntax::Dialect;

/// Text before and after a fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Context {
    pub before: &'static str,
    pub after: &'static str,
}

const fn context(before: &'static str, after: &'static str) -> Context {
    Context { before, after }
}

const PLAIN: Context = context("", "");

const PYTHON: &[Context] = &[
    PLAIN,
    context("try:\n    pass\n", ""),
    context("try:\n    pass\n", "\nexcept E:\n    pass\n"),
    context("if a:\n    pass\n", ""),
    context("match a:\n    ", ""),
    context("", "\ndef f(): pass\n"),
    context("async def f():\n    ", ""),
];
const SCRIPT: &[Context] = &[
    PLAIN,
    context("class C { ", " }"),
    context("(", ")"),
    context("async function f() { ", " }"),
    context("switch (a) { ", " }"),
    context("try {} ", ""),
];
/// Braces may be an object as well as a block; who searches for one means the object.
const SCRIPT_BRACE: &[Context] = &[context("(", ")"), PLAIN];
const TYPE_SCRIPT: &[Context] = &[
    PLAIN,
    context("class C { ", " }"),
    context("(", ")"),
    context("async function f() { ", " }"),
    context("switch (a) { ", " }"),
    context("try {} ", ""),
    context("interface I { ", " }"),
    context("let a: ", ";"),
];
const JAVA: &[Context] = &[
    context("class C { Object f = ", "; }"),
    context("class C { void f() { ", "; } }"),
    context("class C { void f() { ", " } }"),
    context("class C { ", " }"),
    PLAIN,
    context("class C { void f() { switch (a) { ", " } } }"),
    context("class C { void f() { try { } ", " } }"),
    context("", " class C { }"),
];
const C: &[Context] = &[
    context("int f() { return ", "; }"),
    context("void f() { ", "; }"),
    context("void f() { ", " }"),
    PLAIN,
    context("struct S { ", " };"),
    context("void f() { switch (a) { ", " } }"),
    context("", "\n"),
];
const CPP: &[Context] = &[
    context("int f() { return ", "; }"),
    context("void f() { ", "; }"),
    context("void f() { ", " }"),
    PLAIN,
    context("class C { public: ", " };"),
    context("void f() { switch (a) { ", " } }"),
    context("", "\n"),
];
const GO: &[Context] = &[
    context("package p\nfunc f() { _ = ", "\n}"),
    context("package p\nfunc f() {\n", "\n}"),
    context("package p\n", "\n"),
    PLAIN,
    context("package p\nfunc f() { switch a {\n", "\n} }"),
    context("package p\ntype T struct {\n", "\n}"),
];
const RUST: &[Context] = &[
    context("fn f() { let _ = ", "; }"),
    context("fn f() { ", " }"),
    PLAIN,
    context("impl T { ", " }"),
    context("fn f() { match a { ", " } }"),
    context("type T = ", ";"),
    context("", "\nfn f() {}"),
];
const BASH: &[Context] = &[PLAIN, context("case a in ", " esac")];

/// The surroundings to try for a fragment, in order.
pub(crate) fn contexts(dialect: Dialect, fragment: &str) -> &'static [Context] {
    match dialect {
        Dialect::Python => PYTHON,
        Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx if fragment.starts_with('{') => SCRIPT_BRACE,
        Dialect::JavaScript => SCRIPT,
        Dialect::TypeScript | Dialect::Tsx => TYPE_SCRIPT,
        Dialect::Java => JAVA,
        Dialect::C => C,
        Dialect::Cpp => CPP,
        Dialect::Go => GO,
        Dialect::Rust => RUST,
        Dialect::Bash => BASH,
    }
}

/// Whether an import names its module by a string, so that a metavariable there is one.
pub(crate) fn names_modules_by_strings(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx | Dialect::Go)
}

/// What must follow a statement.
pub(crate) fn terminator(dialect: Dialect) -> Option<char> {
    match dialect {
        Dialect::Java | Dialect::C | Dialect::Cpp | Dialect::Rust => Some(';'),
        _ => None,
    }
}
