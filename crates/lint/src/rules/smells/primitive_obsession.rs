//! A function that takes only bare texts and numbers.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::ParameterKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "primitive-obsession",
    title: "Many parameters of one bare type",
    why: "Nothing tells them apart: callers swap two of them, and the compiler agrees.",
    suggestion: "Give each kind of value a type of its own, or name the arguments.",
    category: Category::Smell,
    severity: Severity::Info,
    confidence: Confidence::Medium,
    languages: &[
        Language::Java,
        Language::Go,
        Language::Rust,
        Language::TypeScript,
        Language::Cpp,
        Language::C,
    ],
    examples: &[
        (
            Language::Java,
            "class A { void f(String a, String b, String c, String d, String e) { } }",
            "class A { void f(Name a, Street b, String c) { } }",
        ),
        (
            Language::Go,
            "package a\nfunc f(a string, b string, c string, d string, e string) {}",
            "package a\nfunc f(a string, b int) {}",
        ),
        (Language::Rust, "fn f(a: bool, b: bool, c: bool, d: bool, e: bool) {}", "fn f(a: bool, b: u8) {}"),
    ],
    ..Info::LINT
};

const BARE: &[&str] = &[
    "String",
    "string",
    "int",
    "long",
    "boolean",
    "bool",
    "double",
    "float",
    "&str",
    "number",
    "i32",
    "u32",
    "i64",
    "u64",
    "usize",
    "f64",
    "std::string",
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for (id, metrics) in file.functions {
        let function = file.unit.function(*id);
        let most = BARE.iter().map(|kind| {
            let same = function
                .parameters
                .iter()
                .filter(|one| one.kind == ParameterKind::Normal && one.annotation == Some(kind));
            (same.count(), kind)
        });
        if let Some((count, kind)) = most.max_by_key(|(count, _)| *count)
            && count >= 5
            && !function.modifiers.overrides
        {
            report.find(
                function.name_span,
                format!("`{}` takes {count} parameters of type `{kind}`", metrics.name),
            );
        }
    }
}
