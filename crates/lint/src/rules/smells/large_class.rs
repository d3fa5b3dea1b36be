//! A class that does too much.

use crate::file::{File, Report};
use crate::metrics::methods_of;
use crate::rules::{Info, NO_SHELL, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity};
use formicary_syntax::ClassKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "large-class",
    title: "A class that does too much",
    why: "Everything depends on it, and every change meets every other.",
    suggestion: "Split it along the fields that its methods share.",
    category: Category::Smell,
    severity: Severity::Low,
    cwe: Some(1093),
    languages: NO_SHELL,
    examples: &[(
        Language::Python,
        "class A:\n    def a1(self): pass\n    def a2(self): pass\n    def a3(self): pass\n    def a4(self): pass\n    def a5(self): pass\n    def a6(self): pass\n    def a7(self): pass\n    def a8(self): pass\n    def a9(self): pass\n    def b1(self): pass\n    def b2(self): pass\n    def b3(self): pass\n    def b4(self): pass\n    def b5(self): pass\n    def b6(self): pass\n    def b7(self): pass\n    def b8(self): pass\n    def b9(self): pass\n    def c1(self): pass\n    def c2(self): pass\n    def c3(self): pass\n    def c4(self): pass\n    def c5(self): pass\n    def c6(self): pass\n    def c7(self): pass\n    def c8(self): pass\n    def c9(self): pass\n    def d1(self): pass\n    def d2(self): pass\n    def d3(self): pass\n    def d4(self): pass\n",
        "class A:\n    def f(self): pass\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if file.is_test() {
        return;
    }
    for (id, class) in unit.classes() {
        if matches!(
            class.kind,
            ClassKind::Module
                | ClassKind::Alias
                | ClassKind::Interface
                | ClassKind::Enum
                | ClassKind::Implementation
        ) {
            continue;
        }
        let methods = methods_of(unit, id).iter().filter(|method| unit.function(**method).has_body).count();
        if methods > file.options.limits.methods as usize {
            report.find(class.name_span, format!("`{}` has {methods} methods", class.name));
        }
    }
}
