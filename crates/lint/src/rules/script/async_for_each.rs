//! An asynchronous callback that nobody waits for.

use crate::file::{File, Report};
use crate::rules::{Info, Rule, SCRIPT};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::ExprKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "async-for-each",
    title: "An asynchronous callback given to forEach",
    why: "forEach does not wait: what follows runs before, and a rejection is lost.",
    suggestion: "Write `for … of` with `await`, or `Promise.all(a.map(…))`.",
    severity: Severity::High,
    confidence: Confidence::High,
    cwe: Some(362),
    languages: SCRIPT,
    examples: &[(
        Language::JavaScript,
        "async function f(a) { a.forEach(async v => { await g(v) }) }",
        "async function f(a) { for (const v of a) { await g(v) } }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Call { callee, arguments, .. } = &expr.kind else { continue };
        let ExprKind::Attribute { name: "forEach", .. } = unit.kind(*callee) else { continue };
        if let Some(ExprKind::Lambda(function)) = arguments.first().map(|argument| unit.kind(argument.value))
            && unit.function(*function).modifiers.is_async
        {
            report.find(expr.span, "forEach does not wait for this callback");
        }
    }
}
