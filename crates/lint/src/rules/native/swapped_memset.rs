//! memset with size and value swapped.

use super::super::questions::call;
use crate::file::{File, Report};
use crate::rules::{Info, NATIVE, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Literal};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "swapped-memset",
    title: "memset with size and value swapped",
    why: "A size of zero sets nothing: the memory stays as it was.",
    suggestion: "Write `memset(p, 0, size)`.",
    severity: Severity::High,
    cwe: Some(687),
    languages: NATIVE,
    examples: &[(
        Language::C,
        "void f(char *p, int n) { memset(p, n, 0); }",
        "void f(char *p, int n) { memset(p, 0, n); }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (id, expr) in unit.exprs() {
        let Some((name, [_, value, size])) = call(unit, id) else { continue };
        let zero = |id| matches!(unit.kind(id), ExprKind::Literal(Literal::Integer(Some(0))));
        if matches!(name.as_str(), "memset" | "std.memset") && zero(size.value) && !zero(value.value) {
            report.find(expr.span, "the size is zero: nothing is set");
        }
    }
}
