//! A parameter that nothing reads.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::scopes::{BindingKind, ScopeKind};
use formicary_syntax::{Dialect, ExprKind, Literal, Owner, ParameterKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unused-parameter",
    title: "A parameter that nothing reads",
    why: "Callers pass what is ignored: either it was forgotten, or it can go.",
    suggestion: "Use it or remove it; begin its name with an underscore where an interface wants it.",
    category: Category::DeadCode,
    severity: Severity::Info,
    confidence: Confidence::Medium,
    cwe: Some(1164),
    languages: &[Language::Python, Language::Java],
    examples: &[
        (
            Language::Python,
            "def _f(a, b):\n    return a\n\n_f(1, 2)\n",
            "def _f(a, _b):\n    return a\n\n_f(1, 2)\n\ndef g(a):\n    raise NotImplementedError\n",
        ),
        (
            Language::Java,
            "class A { private int f(int a, int b) { return a; } }",
            "class A { public int f(int a, int b) { return a; } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if !unit.notes.is_empty() || file.is_stub() || file.is_test() {
        return;
    }
    for scope in &file.scopes.scopes {
        let ScopeKind::Function(id) = scope.kind else { continue };
        let function = unit.function(id);
        // Only where the signature is the function's own choice: private, no method that may override, not handed
        // around as a value.
        let in_class = matches!(function.owner, Owner::Class(_));
        let own_choice = match unit.dialect {
            Dialect::Java => function.modifiers.private && function.decorators.is_empty(),
            _ => function.modifiers.private && !in_class && function.decorators.is_empty(),
        };
        if !own_choice
            || function.lambda
            || !function.has_body
            || is_stub(file, &function.body)
            || used_as_value(file, function.name)
        {
            continue;
        }
        for binding in &scope.bindings {
            let BindingKind::Parameter(ParameterKind::Normal | ParameterKind::KeywordOnly) = binding.kind
            else {
                continue;
            };
            if binding.reads == 0
                && !binding.name.starts_with('_')
                && binding.name != "self"
                && !binding.captured
            {
                report.find(binding.span, format!("`{}` never reads `{}`", function.name, binding.name));
            }
        }
    }
}

/// Whether a body only says that there is none.
fn is_stub(file: &File<'_, '_>, body: &[formicary_syntax::StmtId]) -> bool {
    body.iter().all(|id| match &file.unit.stmt(*id).kind {
        StmtKind::Pass | StmtKind::Raise(_) => true,
        StmtKind::Expression(value) => {
            matches!(file.unit.kind(*value), ExprKind::Literal(Literal::Text(_) | Literal::Ellipsis))
        }
        StmtKind::Return(value) => value.is_none_or(|value| {
            matches!(file.unit.kind(value), ExprKind::Literal(_) | ExprKind::Name("NotImplemented"))
        }),
        _ => false,
    })
}

/// Whether a function is mentioned other than by calling it.
fn used_as_value(file: &File<'_, '_>, name: &str) -> bool {
    let unit = file.unit;
    let mentions = unit.exprs().filter(|(_, expr)| matches!(&expr.kind, ExprKind::Name(found) | ExprKind::Attribute { name: found, .. } if *found == name)).count();
    let calls = unit
        .exprs()
        .filter(|(_, expr)| matches!(&expr.kind, ExprKind::Call { callee, .. } if unit.last_name(*callee) == Some(name)))
        .count();
    mentions > calls
}
