//! A path through many objects.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::{ExprId, ExprKind};
use rustc_hash::FxHashSet;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "message-chain",
    title: "A path through many objects",
    why: "The code knows how everything on the way is built: any change there breaks it.",
    suggestion: "Ask the first object for what is wanted in the end.",
    category: Category::Smell,
    severity: Severity::Info,
    confidence: Confidence::Medium,
    languages: &[Language::Python, Language::Java, Language::JavaScript, Language::TypeScript, Language::Go],
    examples: &[
        (
            Language::Python,
            "x = a.b.c.d.e.f.g.h\n",
            "x = a.b.c\ny = q.filter().order().limit().all().first().run().get()\n",
        ),
        (
            Language::Java,
            "class A { Object f(B a) { return a.b.c.d.e.f.g.h; } }",
            "class A { Object f(B a) { return a.b.c; } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let mut inner: FxHashSet<ExprId> = FxHashSet::default();
    for (_, expr) in unit.exprs() {
        if let ExprKind::Attribute { base, .. } = &expr.kind {
            inner.insert(*base);
        }
    }
    for (id, expr) in unit.exprs().filter(|(id, _)| !inner.contains(id)) {
        // Calls in between make a builder, which is meant to be chained; `self.a` is one's own.
        let (mut steps, mut at) = (0, id);
        while let ExprKind::Attribute { base, .. } = unit.kind(at) {
            steps += 1;
            at = *base;
        }
        let Some(first) = unit.name_of(at) else { continue };
        let package = first.chars().next().is_some_and(char::is_lowercase)
            && unit
                .text(expr.span)
                .rsplit('.')
                .next()
                .is_some_and(|last| last.chars().next().is_some_and(char::is_uppercase));
        if steps > file.options.limits.chain && !package {
            report.find(expr.span, format!("{steps} steps from `{first}` to what is wanted"));
        }
    }
}
