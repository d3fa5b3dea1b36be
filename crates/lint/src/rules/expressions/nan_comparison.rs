//! A comparison with NaN.

use crate::file::{File, Report};
use crate::rules::{Info, NO_SHELL, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprId, ExprKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "nan-comparison",
    title: "A comparison with NaN",
    why: "NaN equals nothing, itself included: the comparison never holds.",
    suggestion: "Ask `isnan` (`Number.isNaN`, `is_nan`, `math.IsNaN`).",
    severity: Severity::High,
    cwe: Some(697),
    languages: NO_SHELL,
    examples: &[
        (Language::Python, "if a == float('nan'):\n    f()\n", "if math.isnan(a):\n    f()\n"),
        (Language::JavaScript, "if (a === NaN) f()", "if (Number.isNaN(a)) f()"),
        (
            Language::Java,
            "class A { boolean f(double a) { return a == Double.NaN; } }",
            "class A { boolean f(double a) { return Double.isNaN(a); } }",
        ),
        (
            Language::Go,
            "package a\nfunc f(a float64) bool { return a == math.NaN() }",
            "package a\nfunc f(a float64) bool { return math.IsNaN(a) }",
        ),
        (Language::Rust, "fn f(a: f64) -> bool { a == f64::NAN }", "fn f(a: f64) -> bool { a.is_nan() }"),
        (Language::C, "int f(double a) { return a == NAN; }", "int f(double a) { return isnan(a); }"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for (_, expr) in file.unit.exprs() {
        let ExprKind::Compare { left, rest } = &expr.kind else { continue };
        if is_nan(file, *left) || rest.iter().any(|(_, operand)| is_nan(file, *operand)) {
            report.find(expr.span, "NaN is equal to nothing: this comparison says nothing");
        }
    }
}

fn is_nan(file: &File<'_, '_>, id: ExprId) -> bool {
    let unit = file.unit;
    match unit.kind(id) {
        ExprKind::Name(name) => matches!(*name, "NaN" | "NAN"),
        ExprKind::Attribute { base, name, .. } => {
            matches!(*name, "NaN" | "NAN" | "nan")
                && matches!(
                    unit.name_of(*base),
                    Some("Number" | "Double" | "Float" | "f32" | "f64" | "math" | "np" | "numpy")
                )
        }
        ExprKind::Call { callee, arguments, .. } => match unit.dotted(*callee).as_deref() {
            Some("float") => arguments
                .first()
                .and_then(|argument| unit.literal_text(argument.value))
                .is_some_and(|text| text.eq_ignore_ascii_case("nan")),
            Some("math.NaN") => true,
            _ => false,
        },
        _ => false,
    }
}
