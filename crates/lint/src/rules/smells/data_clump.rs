//! Parameters that always travel together.

use crate::file::{File, Report};
use crate::rules::{Info, NO_SHELL, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::ParameterKind;
use rustc_hash::FxHashMap;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "data-clump",
    title: "Parameters that always travel together",
    why: "They are one thing that has no name; each change of it touches all of these functions.",
    suggestion: "Make a type of them.",
    category: Category::Smell,
    severity: Severity::Info,
    confidence: Confidence::Medium,
    languages: NO_SHELL,
    examples: &[(
        Language::Python,
        "def f(host, port, user, secret):\n    pass\ndef g(host, port, user, secret):\n    pass\ndef h(host, port, user, secret, x):\n    pass\ndef i(host, port, user, secret):\n    pass\n",
        "def f(host, port):\n    pass\ndef g(user, secret):\n    pass\n",
    )],
    ..Info::LINT
};

/// How many parameters make a clump, and in how many functions.
const SIZE: usize = 4;
const TIMES: usize = 4;

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    let mut seen: FxHashMap<Vec<&str>, Vec<&formicary_syntax::Function<'_>>> = FxHashMap::default();
    for function in
        unit.functions.iter().filter(|one| one.has_body && !one.lambda && !one.modifiers.overrides)
    {
        let names: Vec<&str> = function
            .parameters
            .iter()
            .filter(|one| one.kind == ParameterKind::Normal && one.name.len() > 1)
            .map(|one| one.name)
            .take(10)
            .collect();
        for window in names.windows(SIZE) {
            let mut clump = window.to_vec();
            clump.sort_unstable();
            seen.entry(clump).or_default().push(function);
        }
    }
    let mut told: Vec<u32> = Vec::new();
    let mut clumps: Vec<_> = seen.into_iter().filter(|(_, functions)| functions.len() >= TIMES).collect();
    clumps.sort_by_key(|(_, functions)| functions.first().map(|function| function.span));
    for (names, functions) in clumps {
        // Functions of one name override each other: their signature is one choice.
        let mut different: Vec<&str> = functions.iter().map(|function| function.name).collect();
        different.sort_unstable();
        different.dedup();
        let Some(first) = functions.first().filter(|first| !told.contains(&first.span.start)) else {
            continue;
        };
        if different.len() >= TIMES {
            told.push(first.span.start);
            report.find(
                first.name_span,
                format!("`{}` travel together through {} functions", names.join("`, `"), functions.len()),
            );
        }
    }
}
