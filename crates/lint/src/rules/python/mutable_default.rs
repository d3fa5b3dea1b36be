//! A default that all calls share.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{CollectionKind, ExprId, ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "mutable-default",
    title: "A default that all calls share",
    why: "The list or dictionary is made once: what one call puts in, the next one finds.",
    suggestion: "Take None as the default and make a new one inside.",
    severity: Severity::High,
    confidence: Confidence::High,
    cwe: Some(1108),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "def f(a=[]):\n    a.append(1)\n    return a\n",
        "def f(a=None, b=(), c=[]):\n    a = a or []\n    return a + c\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, function) in unit.functions() {
        for parameter in &function.parameters {
            let Some(default) = parameter.default.filter(|default| is_mutable(file, *default)) else {
                continue;
            };
            // A cache is shared on purpose; one that is only read does no harm.
            let lower = parameter.name.to_ascii_lowercase();
            if lower.contains("cache") || lower.contains("memo") || lower.starts_with('_') {
                continue;
            }
            if changed(file, &function.body, parameter.name) {
                report.find(
                    unit.expr(default).span,
                    format!("all calls share this default of `{}`", parameter.name),
                );
            }
        }
    }
}

fn is_mutable(file: &File<'_, '_>, id: ExprId) -> bool {
    match file.unit.kind(id) {
        ExprKind::Collection { kind, .. } => {
            matches!(kind, CollectionKind::List | CollectionKind::Dict | CollectionKind::Set)
        }
        ExprKind::Call { callee, arguments, .. } => {
            arguments.is_empty()
                && matches!(
                    file.unit.name_of(*callee),
                    Some("list" | "dict" | "set" | "defaultdict" | "deque")
                )
        }
        _ => false,
    }
}

/// Whether the function changes the parameter, keeps it, or gives it away.
fn changed(file: &File<'_, '_>, body: &[formicary_syntax::StmtId], name: &str) -> bool {
    let unit = file.unit;
    let is = |id: ExprId| unit.name_of(id) == Some(name);
    let mut found = false;
    unit.walk(body, Nested::Enter, &mut |step| match step {
        Step::Stmt(id) => {
            found |= match &unit.stmt(id).kind {
                StmtKind::Assign { targets, operator, value, .. } => {
                    targets.iter().any(|target| match unit.kind(*target) {
                        ExprKind::Subscript { base, .. } => is(*base),
                        ExprKind::Attribute { .. } => value.is_some_and(is),
                        _ => is(*target) && operator.is_some(),
                    })
                }
                StmtKind::Return(Some(value)) => is(*value),
                StmtKind::Delete(targets) => targets.iter().any(
                    |target| matches!(unit.kind(*target), ExprKind::Subscript { base, .. } if is(*base)),
                ),
                _ => false,
            };
        }
        Step::Expr(id) => {
            if let ExprKind::Call { callee, .. } = unit.kind(id)
                && let ExprKind::Attribute { base, name: method, .. } = unit.kind(*callee)
            {
                found |= is(*base)
                    && matches!(
                        *method,
                        "append"
                            | "extend"
                            | "insert"
                            | "add"
                            | "update"
                            | "setdefault"
                            | "pop"
                            | "remove"
                            | "clear"
                            | "sort"
                            | "appendleft"
                    );
            }
        }
    });
    found
}
