//! A variable assigned to itself.

use super::super::questions::{is_place, same};
use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{Declares, Dialect, ExprKind, Literal, Part, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "self-assignment",
    title: "A variable is assigned to itself",
    why: "The assignment does nothing: most often one side was meant to be another variable or a field.",
    suggestion: "Assign what was meant, or remove the statement.",
    severity: Severity::High,
    cwe: Some(665),
    languages: ALL,
    examples: &[
        (Language::Python, "def f(self, a):\n    a = a\n", "def f(self, a):\n    self.a = a\n"),
        (Language::TypeScript, "a.b = a.b;", "a.b = b;"),
        (
            Language::Java,
            "class A { int a; void f(int a) { a = a; } }",
            "class A { int a; void f(int a) { this.a = a; } }",
        ),
        (Language::Go, "package a\nfunc f(a int) { a = a }", "package a\nfunc f(a, b int) { a = b }"),
        (Language::Bash, "a=$a\n", "a=$b\nX=\"${X-}\"\nY=${Y:-}\n"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Assign {
            targets,
            operator: None,
            value: Some(value),
            declares: Declares::Nothing,
            annotation: None,
        } = &stmt.kind
        else {
            continue;
        };
        let [target] = targets.as_slice() else { continue };
        // In a class body `a = a` takes a name over from outside; `from x import y as y` style too.
        let in_class = file.is_python() && stmt.function.is_none();
        let equal = match unit.dialect {
            // `a=a` assigns text in a shell.
            Dialect::Bash => {
                shell_value(file, *value).is_some_and(|name| unit.name_of(*target) == Some(name))
                    && unit.text(stmt.span).split_once('=').is_some_and(|(_, written)| reads_plainly(written))
            }
            _ => same(unit, *target, *value),
        };
        if !in_class && equal && is_place(unit, *target) {
            let name = unit.text(unit.expr(*target).span);
            let finding = report.find(stmt.span, format!("`{name}` is assigned to itself"));
            // A setter may do something.
            if !matches!(unit.kind(*target), ExprKind::Name(_)) {
                finding.confidence = Confidence::Low;
                finding.severity = Severity::Low;
            }
        }
    }
}

/// `$a`, `${a}` and the same in quotes. `${a-}` and its kin give a value to what has none.
fn reads_plainly(written: &str) -> bool {
    let inside = written.trim_matches('"');
    let name = inside.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    let name = name.or_else(|| inside.strip_prefix('$')).unwrap_or("");
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The variable that `$a` and `"$a"` read.
fn shell_value<'a>(file: &File<'_, 'a>, value: formicary_syntax::ExprId) -> Option<&'a str> {
    match file.unit.kind(value) {
        ExprKind::Name(name) => Some(name),
        ExprKind::Template(parts) => match parts.as_slice() {
            [Part::Value(only)] => file.unit.name_of(*only),
            _ => None,
        },
        ExprKind::Literal(Literal::Text(_)) => None,
        _ => None,
    }
}
