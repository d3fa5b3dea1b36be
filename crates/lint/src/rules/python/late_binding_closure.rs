//! A function made in a loop that sees the loop's last value.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprKind, LoopKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "late-binding-closure",
    title: "A function made in a loop that is kept and reads the loop's variable",
    why: "It reads the variable when it is called: by then all of them see the last value.",
    suggestion: "Bind it by a default: `lambda x=x: …`.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(758),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "def f(xs):\n    out = []\n    for x in xs:\n        out.append(lambda: x)\n    return out\n",
        "def f(xs):\n    out = []\n    for x in xs:\n        out.append(lambda x=x: x)\n        out.append(sorted(xs, key=lambda y: y + x))\n    return out\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Loop { kind: LoopKind::ForEach, target: Some(target), body, .. } = &stmt.kind else {
            continue;
        };
        let mut names = Vec::new();
        unit.walk_expr(*target, Nested::Skip, &mut |step| {
            if let Step::Expr(id) = step {
                names.extend(unit.name_of(id));
            }
        });
        let mut found = Vec::new();
        unit.walk(body, Nested::Skip, &mut |step| {
            let Step::Expr(id) = step else { return };
            // Kept: appended to a list, or stored under a key.
            let ExprKind::Call { callee, arguments, .. } = unit.kind(id) else { return };
            let kept = matches!(
                unit.kind(*callee),
                ExprKind::Attribute {
                    name: "append" | "add" | "connect" | "add_done_callback" | "insert",
                    ..
                }
            );
            for argument in arguments.iter().filter(|_| kept) {
                if let ExprKind::Lambda(function) = unit.kind(argument.value) {
                    let function = unit.function(*function);
                    unit.walk(&function.body, Nested::Skip, &mut |step| {
                        if let Step::Expr(id) = step
                            && let ExprKind::Name(name) = unit.kind(id)
                            && names.contains(name)
                            && !function.parameters.iter().any(|parameter| parameter.name == *name)
                        {
                            found.push((unit.expr(id).span, *name));
                        }
                    });
                }
            }
        });
        // A function that the loop leaves right after is called with the value that it saw.
        let leaves = body
            .last()
            .is_some_and(|last| matches!(unit.stmt(*last).kind, StmtKind::Return(_) | StmtKind::Break(_)));
        for (span, name) in found.into_iter().filter(|_| !leaves) {
            report.find(span, format!("all functions made here see the last `{name}`"));
        }
    }
}
