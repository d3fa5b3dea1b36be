//! Members of what is undefined or null.

use super::COMMON;
use crate::Candidate;
use crate::remedies::remedy::{Remedy, SCRIPT, Way};
use crate::remedies::spot::Spot;

const FAILED: &[&str] = &["TypeError"];
const NOTHING: &[&str] = &["undefined", "null"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "null-guard", about: "Asks for a member only where there is an object",
        languages: SCRIPT, answers: FAILED, says: NOTHING,
        way: Way::Propose(null_guard),
        examples: &[
            ("TypeError", "Cannot read properties of undefined (reading 'name')", "n = a.b.name;", "n = a.b?.name;"),
            ("TypeError", "Cannot read properties of null (reading 'name')", "n = a.name;", "if (a == null) return;\nn = a.name;"),
        ],
    },
    Remedy {
        name: "misspelt-member", about: "Takes a member whose name is near",
        languages: SCRIPT, answers: FAILED, says: NOTHING,
        way: Way::Propose(misspelt_member),
        examples: &[("TypeError", "Cannot read properties of undefined (reading 'length')", "const a = {items: []};\nn = a.itmes.length;", "const a = {items: []};\nn = a.items.length;")],
    },
    Remedy {
        name: "loop-end", about: "Ends a loop before the length",
        languages: SCRIPT, answers: FAILED, says: NOTHING,
        way: Way::Propose(|spot| {
            spot.replace_in(spot.upwards(10), r"<= (\w+)\.length", "< $1.length", 1.0, 0.1)
        }),
        examples: &[("TypeError", "Cannot read properties of undefined (reading 'name')", "for (let i = 0; i <= a.length; i++) {\n  f(a[i].name);", "for (let i = 0; i < a.length; i++) {\n  f(a[i].name);")],
    },
    Remedy {
        name: "last-index", about: "Takes the last element instead of the one behind it",
        languages: SCRIPT, answers: FAILED, says: NOTHING,
        way: Way::Replace(&[(r"\[(\w+)\.length\]", "[$1.length - 1]", 0.7)]),
        examples: &[("TypeError", "Cannot read properties of undefined (reading 'name')", "x = a[a.length].name;", "x = a[a.length - 1].name;")],
    },
    Remedy {
        name: "missing-await", about: "Awaits a promise whose members are meant",
        languages: SCRIPT, answers: FAILED, says: NOTHING,
        way: Way::Replace(&[(r"(=\s*|return )(\w+\()", "${1}await $2", 1.6)]),
        examples: &[("TypeError", "Cannot read properties of undefined (reading '0')", "const x = load().rows[0];", "const x = await load().rows[0];")],
    },
    Remedy {
        name: "lost-this", about: "Makes an arrow function of a callback that lost its object",
        languages: SCRIPT, answers: FAILED, says: NOTHING,
        way: Way::Propose(lost_this),
        examples: &[("TypeError", "Cannot read properties of undefined (reading 'n')", "xs.forEach(function (x) {\n  this.n += x;", "xs.forEach((x) => {\n  this.n += x;")],
    },
];

fn read(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"reading '(\w+)'")
}

fn null_guard(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(read) = read(spot) else { return Vec::new() };
    let of = format!(r"([\w.\[\]]+)\.{read}\b");
    let mut found = spot.replace(&format!(r"\.{read}\b"), &format!("?.{read}"), 1.2);
    found.extend(spot.replace(&of, &format!("($1 || \"\").{read}"), 1.6));
    if let Some(object) = spot.captured(&of) {
        found.extend(["return;", "return null;"].map(|value| {
            let new = format!("if ({object} == null) {value}");
            spot.line_before(spot.line, &new, 1.8, format!("Returns where {object} is missing"))
        }));
    }
    found
}

fn misspelt_member(spot: &Spot<'_>) -> Vec<Candidate> {
    let object = read(spot).and_then(|read| spot.captured(&format!(r"([\w.\[\]]+)\.{read}\b")));
    let Some(object) = object.filter(|object| object.contains('.')) else { return Vec::new() };
    let last = object.rsplit('.').next().unwrap_or_default();
    let near = spot.near(last, spot.text, COMMON).into_iter();
    near.flat_map(|(_, near)| spot.replace_word(last, &near, 1.0)).collect()
}

/// `function` callbacks have a `this` of their own.
fn lost_this(spot: &Spot<'_>) -> Vec<Candidate> {
    if !spot.here().contains("this.") {
        return Vec::new();
    }
    spot.replace_in(spot.upwards(6), r"function\s*\(([^()]*)\)\s*\{", "($1) => {", 0.8, 0.0)
}
