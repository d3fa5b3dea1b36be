//! The address of something that is gone.

use crate::file::{File, Report};
use crate::rules::{Info, NATIVE, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{Declares, ExprKind, Operator, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "return-local-address",
    title: "The address of a local variable is returned",
    why: "The variable is gone when the function returns: the caller reads whatever is there next.",
    suggestion: "Return the value, allocate it, or let the caller pass the memory.",
    severity: Severity::Critical,
    confidence: Confidence::Medium,
    cwe: Some(562),
    languages: NATIVE,
    examples: &[
        (
            Language::C,
            "int *f(void) { int a = 1; return &a; }",
            "int *f(int *a) { static int b; *a = 1; return a ? a : &b; }",
        ),
        (Language::C, "char *f(void) { char a[8]; g(a); return a; }", "char *f(char *a) { return a; }"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let (StmtKind::Return(Some(value)), Some(function)) = (&stmt.kind, stmt.function) else { continue };
        let (name, needs_array) = match unit.kind(*value) {
            ExprKind::Unary { operator: Operator::AddressOf, operand } => (unit.name_of(*operand), false),
            ExprKind::Name(name) => (Some(*name), true),
            _ => continue,
        };
        let Some(name) = name else { continue };
        if needs_array && !unit.function(function).returns.is_some_and(|_| returns_pointer(file, function)) {
            continue;
        }
        let local = unit.stmts().any(|(_, declaration)| match &declaration.kind {
            StmtKind::Assign { targets, declares: Declares::Variable, annotation, .. } => {
                let whole = unit.text(declaration.span);
                declaration.function == Some(function)
                    && targets.iter().any(|target| unit.name_of(*target) == Some(name))
                    && !line_of(file, declaration.span.start).contains("static")
                    && !line_of(file, declaration.span.start).contains(['&', '*'])
                    && (!needs_array
                        || whole.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('[')))
                    && (needs_array
                        || annotation.is_some() && !whole.starts_with('&') && !whole.starts_with('*'))
            }
            _ => false,
        });
        if local {
            report.find(stmt.span, format!("`{name}` is gone when the function returns"));
        }
    }
}

/// What stands before a declaration on its line.
fn line_of<'a>(file: &File<'_, 'a>, offset: u32) -> &'a str {
    let line = file.unit.lines.line(offset);
    let start = file.unit.lines.start(line);
    let before = file.unit.text(formicary_syntax::Span { start, end: offset.max(start) });
    before.rsplit([';', '{', '(']).next().unwrap_or(before)
}

fn returns_pointer(file: &File<'_, '_>, id: formicary_syntax::FunctionId) -> bool {
    let function = file.unit.function(id);
    let head =
        file.unit.text(formicary_syntax::Span { start: function.span.start, end: function.name_span.start });
    head.contains('*')
}
