//! A write to a map that was never made.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "nil-map-write",
    title: "A write to a map that was never made",
    why: "`var m map[K]V` is nil: reading works, writing panics.",
    suggestion: "Make it: `m := make(map[K]V)`.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(476),
    languages: &[Language::Go],
    examples: &[(
        Language::Go,
        "package a\nfunc f() { var m map[string]int; m[\"a\"] = 1 }",
        "package a\nfunc f() { var m map[string]int; m = make(map[string]int); m[\"a\"] = 1 }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, function) in unit.functions() {
        let mut empty: Vec<&str> = Vec::new();
        let mut writes = Vec::new();
        unit.walk(&function.body, Nested::Enter, &mut |step| match step {
            Step::Stmt(id) => {
                let StmtKind::Assign { targets, value, annotation, .. } = &unit.stmt(id).kind else { return };
                for target in targets {
                    match unit.kind(*target) {
                        ExprKind::Name(name)
                            if value.is_none() && annotation.is_some_and(|text| text.starts_with("map[")) =>
                        {
                            empty.push(name);
                        }
                        ExprKind::Subscript { base, .. } => {
                            writes.extend(unit.name_of(*base).map(|name| (name, unit.stmt(id).span)));
                        }
                        _ => mentioned(file, *target, &mut empty),
                    }
                }
                // Anything else that holds the name may make the map.
                if let Some(value) = value {
                    mentioned(file, *value, &mut empty);
                }
            }
            Step::Expr(id) => {
                if let ExprKind::Unary { operand, .. } = unit.kind(id) {
                    mentioned(file, *operand, &mut empty);
                }
            }
        });
        for (name, span) in writes.into_iter().filter(|(name, _)| empty.contains(name)) {
            report.find(span, format!("`{name}` is nil here: this write panics"));
        }
    }
}

fn mentioned(file: &File<'_, '_>, id: formicary_syntax::ExprId, empty: &mut Vec<&str>) {
    file.unit.walk_expr(id, Nested::Skip, &mut |step| {
        if let Step::Expr(id) = step
            && let ExprKind::Name(name) = file.unit.kind(id)
        {
            empty.retain(|one| one != name);
        }
    });
}
