//! A file that holds everything.

use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity};
use formicary_syntax::Owner;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "god-module",
    title: "A file that holds everything",
    why: "Nobody finds anything in it, and every change of it meets every other.",
    suggestion: "Split it by what its functions and classes are about.",
    category: Category::Smell,
    severity: Severity::Low,
    cwe: Some(1080),
    languages: ALL,
    examples: &[(Language::Bash, MANY, "a() { b; }\n")],
    ..Info::LINT
};

/// Sixty-one functions.
const MANY: &str = concat!(
    "a0() { x; }\na1() { x; }\na2() { x; }\na3() { x; }\na4() { x; }\na5() { x; }\na6() { x; }\na7() { x; }\na8() { x; }\na9() { x; }\n",
    "b0() { x; }\nb1() { x; }\nb2() { x; }\nb3() { x; }\nb4() { x; }\nb5() { x; }\nb6() { x; }\nb7() { x; }\nb8() { x; }\nb9() { x; }\n",
    "c0() { x; }\nc1() { x; }\nc2() { x; }\nc3() { x; }\nc4() { x; }\nc5() { x; }\nc6() { x; }\nc7() { x; }\nc8() { x; }\nc9() { x; }\n",
    "d0() { x; }\nd1() { x; }\nd2() { x; }\nd3() { x; }\nd4() { x; }\nd5() { x; }\nd6() { x; }\nd7() { x; }\nd8() { x; }\nd9() { x; }\n",
    "e0() { x; }\ne1() { x; }\ne2() { x; }\ne3() { x; }\ne4() { x; }\ne5() { x; }\ne6() { x; }\ne7() { x; }\ne8() { x; }\ne9() { x; }\n",
    "f0() { x; }\nf1() { x; }\nf2() { x; }\nf3() { x; }\nf4() { x; }\nf5() { x; }\nf6() { x; }\nf7() { x; }\nf8() { x; }\nf9() { x; }\ng0() { x; }\n"
);

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if file.is_test() || file.is_stub() {
        return;
    }
    let functions =
        unit.functions.iter().filter(|one| one.owner == Owner::File && one.has_body && !one.lambda).count();
    let classes =
        unit.classes.iter().filter(|one| one.owner == Owner::File && !one.methods.is_empty()).count();
    let limits = file.options.limits;
    let lines = unit.code_lines.len();
    if functions + classes > limits.module_definitions as usize
        || lines > limits.module_lines as usize && functions + classes > 20
    {
        let first = formicary_syntax::Span { start: 0, end: 0 };
        report.find(
            first,
            format!("this file holds {functions} functions and {classes} classes in {lines} lines of code"),
        );
    }
}
