//! A method without its first parameter.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{ClassKind, Owner, ParameterKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "missing-self",
    title: "A method that takes no self",
    why: "Calling it on an object raises a TypeError.",
    suggestion: "Take `self` first, or mark it with `@staticmethod`.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(628),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "class A:\n    def f():\n        pass\n",
        "class A:\n    def f(self):\n        pass\n    @staticmethod\n    def g():\n        pass\n    def h(*args):\n        pass\n    def __new__():\n        pass\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, function) in unit.functions() {
        let Owner::Class(class) = function.owner else { continue };
        let class = unit.class(class);
        let takes_some = function.parameters.iter().any(|parameter| {
            matches!(parameter.kind, ParameterKind::Normal | ParameterKind::Receiver | ParameterKind::Rest)
        });
        let plain = !function.lambda
            && class.kind == ClassKind::Class
            && function.decorators.is_empty()
            && !function.name.starts_with("__");
        // Nearly every method ends here: what follows looks through the whole class.
        if takes_some || !plain {
            continue;
        }
        // Decorators, `f = staticmethod(f)`, interfaces and metaclasses are other matters.
        let interface = class
            .bases
            .iter()
            .any(|base| matches!(unit.last_name(*base), Some("Interface" | "Protocol" | "Attribute")));
        let text = unit.text(class.span);
        let wrapped = text.contains(&format!("method({})", function.name));
        let used_inside = text.matches(&format!("{}(", function.name)).count() > 1
            && !text.contains(&format!("self.{}(", function.name));
        if !interface && !wrapped && !used_inside {
            report.find(function.name_span, format!("`{}.{}` takes no self", class.name, function.name));
        }
    }
}
