//! An import that nothing reads.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, FixSafety, Severity};
use formicary_syntax::scopes::{BindingKind, words};
use formicary_syntax::unit::ImportKind;
use formicary_syntax::{Dialect, ExprKind, Literal};
use rustc_hash::FxHashSet;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

/// The rule's name: the project settles its findings.
pub(crate) const NAME: &str = "unused-import";

static INFO: Info = Info {
    name: NAME,
    title: "An import that nothing reads",
    why: "It costs time at the start, hides what the file depends on, and can make a cycle.",
    suggestion: "Remove it.",
    category: Category::DeadCode,
    severity: Severity::Low,
    cwe: Some(1164),
    languages: &[
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Java,
        Language::Rust,
    ],
    fix: Some(FixSafety::Safe),
    examples: &[
        (
            Language::Python,
            "import os\n",
            "import os\nfrom a import b as b\nfrom __future__ import c\nfrom d import e\n__all__ = ['e']\nos.f()\n",
        ),
        (
            Language::TypeScript,
            "import { a } from 'b';\n",
            "import { a } from 'b';\nimport 'c';\nlet x: a;\n",
        ),
        (
            Language::Java,
            "import java.util.List;\nclass A {}",
            "import java.util.List;\nclass A { List<String> a; }",
        ),
        (
            Language::Rust,
            "use std::fmt;\nfn f() {}",
            "use std::fmt;\npub use std::io;\nuse std::io::Write as _;\nfn f(a: fmt::Error) {}",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let package = file.path.ends_with("__init__.py") || file.path == "__init__.py";
    if package || file.is_stub() || !unit.notes.is_empty() {
        return;
    }
    // A module of imports alone is a front for others.
    let front =
        unit.functions.is_empty() && unit.classes.is_empty() && unit.imports.len() * 2 > unit.body.len();
    if front && unit.body.len() > 3 {
        return;
    }
    let mentioned = if file.is_python() { exported(file) } else { mentioned(file) };
    for scope in &file.scopes.scopes {
        for binding in &scope.bindings {
            let BindingKind::Import(id, at) = binding.kind else { continue };
            let import = unit.import(id);
            let name = &import.names[at];
            let same_name = name.renamed && name.name == name.local;
            let effect = import.module == "__future__"
                || import.kind == ImportKind::Reexport
                || same_name
                || name.local.starts_with('_')
                || unit.dialect == Dialect::Rust && matches!(name.local, "alloc" | "std" | "core" | "self")
                || import.conditional && unit.dialect != Dialect::Java
                || file.is_python() && name.name.contains('.') && !name.renamed;
            let read = binding.reads > 0 && file.is_python() || mentioned.contains(name.local);
            if effect
                || read
                || quieted(file, import.span)
                || unit.dialect == Dialect::Rust && is_trait_like(name.local)
            {
                continue;
            }
            let whole = import.names.len() == 1
                && unit.imports.iter().filter(|other| other.span == import.span).count() == 1;
            let fix = whole
                .then(|| report.replace(line(file, import.span), "", FixSafety::Safe, "remove the import"));
            report.find(name.span, format!("nothing reads `{}`", name.local)).fix =
                fix.filter(|_| import.function.is_none());
        }
    }
}

/// A trait's name is never read: its methods are. Without types nobody can tell, so only what is named small is sure.
fn is_trait_like(local: &str) -> bool {
    local.chars().next().is_some_and(char::is_uppercase)
}

/// The whole line of an import that stands alone on it.
fn line(file: &File<'_, '_>, span: formicary_syntax::Span) -> formicary_syntax::Span {
    let lines = &file.unit.lines;
    let (first, last) = (lines.line(span.start), lines.line(span.end));
    let whole =
        formicary_syntax::Span { start: lines.start(first), end: lines.start(last + 1).max(span.end) };
    let alone = file.unit.text(whole).trim_end() == file.unit.text(span);
    if alone { whole } else { span }
}

/// Whether a comment on the line says that it is meant.
fn quieted(file: &File<'_, '_>, span: formicary_syntax::Span) -> bool {
    let lines = &file.unit.lines;
    let end = lines.start(lines.line(span.end) + 1).max(span.end);
    let text = file.unit.text(formicary_syntax::Span { start: span.start, end });
    let text = text.to_ascii_lowercase();
    text.contains("noqa") || text.contains("pragma") || text.contains("allow(unused")
}

/// Words in `__all__`, in types that are written as text, and in doctests' code.
fn exported<'a>(file: &File<'_, 'a>) -> FxHashSet<&'a str> {
    let unit = file.unit;
    let mut found = FxHashSet::default();
    for (_, expr) in unit.exprs() {
        if let ExprKind::Literal(Literal::Text(text)) = &expr.kind
            && text.len() < 80
        {
            found.extend(words(unit.text(expr.span)));
        }
    }
    found
}

/// All words of the file outside of its imports.
fn mentioned<'a>(file: &File<'_, 'a>) -> FxHashSet<&'a str> {
    let unit = file.unit;
    let mut spans: Vec<_> =
        unit.imports.iter().filter(|import| !import.names.is_empty()).map(|import| import.span).collect();
    // `x = require("y")` is an assignment: what it binds is read elsewhere.
    spans.sort_unstable();
    let mut found = FxHashSet::default();
    let mut at = 0;
    for span in spans {
        found.extend(words(unit.text(formicary_syntax::Span { start: at, end: span.start.max(at) })));
        at = at.max(span.end);
    }
    found.extend(words(unit.text(formicary_syntax::Span { start: at, end: unit.source.len() as u32 })));
    found
}
