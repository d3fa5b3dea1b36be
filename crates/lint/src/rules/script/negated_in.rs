//! `!a in b`.

use crate::file::{File, Report};
use crate::rules::{Info, Rule, SCRIPT};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "negated-in",
    title: "A negation of the left side of in or instanceof",
    why: "`!a in b` asks whether `false` or `true` is in b.",
    suggestion: "Put parentheses: `!(a in b)`.",
    severity: Severity::High,
    cwe: Some(783),
    languages: SCRIPT,
    examples: &[(Language::JavaScript, "if (!a in b) f()", "if (!(a in b)) f()")],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Compare { left, rest } = &expr.kind else { continue };
        let asks = rest.iter().any(|(operator, _)| matches!(operator, Operator::In | Operator::InstanceOf));
        let negated = matches!(unit.kind(*left), ExprKind::Unary { operator: Operator::Not, .. });
        // `(!a) in b` says what it means.
        let bare = unit.text(expr.span).starts_with('!');
        if asks && negated && bare {
            report.find(expr.span, "only the left side is negated here");
        }
    }
}
