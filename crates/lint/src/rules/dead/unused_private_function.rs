//! A private function that nothing calls.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::scopes::words;
use formicary_syntax::{Dialect, Owner};
use rustc_hash::FxHashMap;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unused-private-function",
    title: "A private function that nothing in its file names",
    why: "Nobody can call it from outside: it is left over, or a call was forgotten.",
    suggestion: "Remove it, or call it.",
    category: Category::DeadCode,
    severity: Severity::Low,
    confidence: Confidence::High,
    cwe: Some(561),
    languages: &[Language::JavaScript, Language::TypeScript, Language::Java, Language::C, Language::Cpp],
    examples: &[
        (
            Language::Java,
            "class A { private void f() { } }",
            "class A { private void f() { } void g() { f(); } private void readObject(ObjectInputStream in) { } @Test private void h() { } }",
        ),
        (
            Language::C,
            "static int f(void) { return 1; }\nint g(void) { return 2; }",
            "static int f(void) { return 1; }\nint g(void) { return f(); }",
        ),
        (
            Language::JavaScript,
            "class A { #f() { return 1 } }",
            "class A { #f() { return 1 } g() { return this.#f() } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let header = file.path.ends_with(".h") || file.path.ends_with(".hpp") || file.path.ends_with(".hh");
    if !unit.notes.is_empty() || header {
        return;
    }
    let mut counts: Option<FxHashMap<&str, u32>> = None;
    let known = ["readObject", "writeObject", "readResolve", "writeReplace", "readObjectNoData"];
    for (_, function) in unit.functions() {
        let private = match unit.dialect {
            Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx => {
                function.modifiers.private && matches!(function.owner, Owner::Class(_))
            }
            Dialect::Java => {
                function.modifiers.private
                    && function.decorators.is_empty()
                    && !known.contains(&function.name)
            }
            _ => {
                function.modifiers.is_static
                    && function.owner == Owner::File
                    && function.receiver.is_none()
                    && !function.modifiers.inline
            }
        };
        // A constructor may be private so that nobody makes the object.
        let constructor = matches!(function.owner, Owner::Class(class) if unit.class(class).name == function.name)
            || function.name == "constructor";
        if !private || constructor || !function.has_body || function.lambda || function.name.is_empty() {
            continue;
        }
        let counts = counts.get_or_insert_with(|| {
            let mut counts = FxHashMap::default();
            words(unit.source).for_each(|word| *counts.entry(word).or_insert(0) += 1);
            counts
        });
        let name = function.name.trim_start_matches('#');
        let own = unit.functions.iter().filter(|other| other.name == function.name).count() as u32;
        if counts.get(name).copied().unwrap_or(0) <= own {
            report.find(function.name_span, format!("nothing calls `{}`", function.name));
        }
    }
}
