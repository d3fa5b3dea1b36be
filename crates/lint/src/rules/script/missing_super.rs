//! A derived class's constructor that does not call its parent's.

use super::super::questions::any_statement;
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SCRIPT};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ClassKind, ExprKind, Literal, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "missing-super-call",
    title: "A derived constructor without super()",
    why: "Making such an object raises a ReferenceError.",
    suggestion: "Call `super()` before anything else.",
    severity: Severity::High,
    cwe: Some(665),
    languages: SCRIPT,
    examples: &[(
        Language::JavaScript,
        "class A extends B { constructor() { this.a = 1 } }",
        "class A extends B { constructor() { super(); this.a = 1 } }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, class) in
        unit.classes().filter(|(_, class)| class.kind == ClassKind::Class && !class.bases.is_empty())
    {
        let head = unit.text(formicary_syntax::Span { start: class.span.start, end: class.span.end });
        let head = head.split('{').next().unwrap_or("");
        let extends = head.contains("extends ")
            && !matches!(unit.kind(class.bases[0]), ExprKind::Literal(Literal::Null));
        for constructor in
            class.methods.iter().map(|id| unit.function(*id)).filter(|method| method.name == "constructor")
        {
            let mut calls = false;
            unit.walk(&constructor.body, Nested::Enter, &mut |step| {
                if let Step::Expr(id) = step
                    && let ExprKind::Call { callee, .. } = unit.kind(id)
                {
                    calls |= unit.name_of(*callee) == Some("super");
                }
            });
            let leaves = any_statement(unit, &constructor.body, &|kind| {
                matches!(kind, StmtKind::Return(Some(_)) | StmtKind::Raise(_))
            });
            if extends && constructor.has_body && !calls && !leaves {
                report.find(
                    constructor.name_span,
                    format!("the constructor of `{}` does not call super()", class.name),
                );
            }
        }
    }
}
