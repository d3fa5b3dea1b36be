//! A method that works on another object.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprKind, Owner, ParameterKind};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "feature-envy",
    title: "A method that works on another object",
    why: "It reads many fields of a parameter and none of its own: it belongs there.",
    suggestion: "Move the method to the class of that parameter.",
    category: Category::Smell,
    severity: Severity::Info,
    confidence: Confidence::Low,
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript],
    examples: &[(
        Language::Python,
        "class A:\n    def f(self, o):\n        return o.a + o.b + o.c + o.d + o.e + o.g\n",
        "class A:\n    def f(self, o):\n        return self.x + o.a\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if file.is_test() {
        return;
    }
    for (_, function) in unit.functions() {
        if !matches!(function.owner, Owner::Class(_)) || function.modifiers.is_static || function.lambda {
            continue;
        }
        let own = function
            .parameters
            .iter()
            .find(|one| one.kind == ParameterKind::Receiver)
            .map_or("this", |one| one.name);
        let mut fields: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
        let mut called: FxHashSet<(&str, &str)> = FxHashSet::default();
        unit.walk(&function.body, Nested::Enter, &mut |step| {
            let Step::Expr(id) = step else { return };
            match unit.kind(id) {
                ExprKind::Attribute { base, name, .. } => {
                    if let Some(base) = unit.name_of(*base) {
                        fields.entry(base).or_default().insert(name);
                    }
                }
                ExprKind::Call { callee, .. } => {
                    if let ExprKind::Attribute { base, name, .. } = unit.kind(*callee)
                        && let Some(base) = unit.name_of(*base)
                    {
                        called.insert((base, name));
                    }
                }
                ExprKind::Name(name) if *name == own => {
                    fields.entry(own).or_default();
                }
                _ => {}
            }
        });
        if fields.contains_key(own) || fields.contains_key("super") || fields.contains_key("cls") {
            continue;
        }
        let parameters = function.parameters.iter().filter(|one| one.kind == ParameterKind::Normal);
        let envied = parameters.filter_map(|one| {
            // Fields, not methods: those are what the other class should look after itself.
            let count =
                fields.get(one.name)?.iter().filter(|field| !called.contains(&(one.name, **field))).count();
            Some((one.name, count))
        });
        if let Some((name, count)) = envied.max_by_key(|(_, count)| *count)
            && count >= 5
        {
            report.find(
                function.name_span,
                format!("`{}` reads {count} fields of `{name}` and none of its own", function.name),
            );
        }
    }
}
