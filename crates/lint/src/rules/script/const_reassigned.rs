//! A constant that is written again.

use crate::file::{File, Report};
use crate::rules::{Info, Rule, SCRIPT};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::scopes::BindingKind;
use formicary_syntax::{Declares, ExprId, ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "const-reassigned",
    title: "A constant is written again",
    why: "It raises a TypeError when it is reached.",
    suggestion: "Declare it with `let`, or use another variable.",
    severity: Severity::High,
    cwe: Some(471),
    languages: SCRIPT,
    examples: &[(
        Language::JavaScript,
        "function f() { const a = 1; a = 2; return a }",
        "function f() { let a = 1; a = 2; return a }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let writes = unit.stmts().filter_map(|(_, stmt)| match &stmt.kind {
        StmtKind::Assign { targets, declares: Declares::Nothing, .. } => {
            targets.first().map(|target| (*target, stmt.function))
        }
        StmtKind::Expression(value) => match unit.kind(*value) {
            ExprKind::Update { target, .. } => Some((*target, stmt.function)),
            _ => None,
        },
        _ => None,
    });
    let writes: Vec<(ExprId, _)> = writes.collect();
    for (target, function) in writes {
        let Some(name) = unit.name_of(target) else { continue };
        let scope = function.map_or(0, |function| file.scopes.of_function[function.0 as usize]);
        let Some((_, binding)) = file.scopes.lookup(scope, name) else { continue };
        // Blocks make no scopes here: a second declaration of the name in the function may be the one that is written.
        let declared = unit.stmts().filter(|(_, stmt)| match &stmt.kind {
            StmtKind::Assign { targets, declares, .. } => {
                *declares != Declares::Nothing
                    && targets.iter().any(|target| unit.text(unit.expr(*target).span).contains(name))
            }
            _ => false,
        });
        if binding.kind == BindingKind::Variable(Declares::Constant) && declared.count() == 1 {
            report.find(unit.expr(target).span, format!("`{name}` is a constant"));
        }
    }
}
