//! A function that another of the same name replaces.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{Block, ExprKind, StmtKind};
use rustc_hash::FxHashMap;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "redefined-function",
    title: "A function that another of the same name replaces",
    why: "The first can never be called: a test that never runs, or a method that was copied and not renamed.",
    suggestion: "Rename one of the two, or remove the first.",
    severity: Severity::High,
    cwe: Some(561),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "class A:\n    def f(self):\n        return 1\n    def f(self):\n        return 2\n",
        "class A:\n    @property\n    def f(self):\n        return 1\n    @f.setter\n    def f(self, v):\n        self.v = v\n    def g(self):\n        pass\n    g = wrap(g)\n    def g(self):\n        pass\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let blocks = [&unit.body].into_iter().chain(unit.classes.iter().map(|class| &class.body));
    for block in blocks {
        one_block(file, block, report);
    }
}

fn one_block(file: &File<'_, '_>, block: &Block, report: &mut Report<'_>) {
    let unit = file.unit;
    let mut defined: FxHashMap<&str, ()> = FxHashMap::default();
    for id in block {
        match unit.stmt(*id).kind {
            StmtKind::Function(function) => {
                let function = unit.function(function);
                let plain = function.decorators.is_empty();
                if plain && defined.contains_key(function.name) && function.name != "_" {
                    report.find(function.name_span, format!("this replaces the `{}` before", function.name));
                }
                defined.remove(function.name);
                if plain && function.has_body {
                    defined.insert(function.name, ());
                }
            }
            // Anything between that reads the first makes it useful.
            _ => unit.walk(&[*id], Nested::Enter, &mut |step| {
                if let Step::Expr(expr) = step
                    && let ExprKind::Name(name) = unit.kind(expr)
                {
                    defined.remove(name);
                }
            }),
        }
    }
}
