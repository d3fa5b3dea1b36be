//! What looks wrong although nothing was raised: defaults that are kept between calls, texts with braces and no `f`.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::Spot;
use regex::Regex;
use std::sync::LazyLock;

/// A text with names in braces.
#[expect(clippy::expect_used, reason = "the pattern is constant")]
static BRACES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(^|[^\w"'])("[^"\n]*\{\w+[^"\n]*\}[^"\n]*"|'[^'\n]*\{\w+[^'\n]*\}[^'\n]*')([^.]|$)"#)
        .expect("a valid pattern")
});
/// A parameter whose default is a list or dictionary.
#[expect(clippy::expect_used, reason = "the pattern is constant")]
static DEFAULT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(\s*)def .*?\b(\w+)\s*=\s*(\[\]|\{\})[^:]*:\s*$").expect("a valid pattern")
});

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-f", about: "Makes an f-string of a text with names in braces",
        languages: PYTHON, answers: &[], says: &[],
        way: Way::Propose(missing_f),
        examples: &[("", "", "print(\"hello {name}\")", "print(f\"hello {name}\")")],
    },
    Remedy {
        name: "mutable-default", about: "Makes a default that is changed anew in each call",
        languages: PYTHON, answers: &[], says: &[],
        way: Way::Propose(mutable_default),
        examples: &[("", "", "▸def add(x, xs=[]):\n    xs.append(x)\n", "def add(x, xs=None):\n    if xs is None:\n        xs = []\n    xs.append(x)\n")],
    },
];

fn missing_f(spot: &Spot<'_>) -> Vec<Candidate> {
    let place = BRACES.captures(spot.here()).and_then(|parts| parts.get(2));
    let made = place.map(|place| {
        let at = spot.start_of(spot.line) + place.start();
        spot.insert(at, "f", 1.5, "Makes an f-string of a text with braces")
    });
    Vec::from_iter(made)
}

fn mutable_default(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(parts) = DEFAULT.captures(spot.here().trim_end()) else { return Vec::new() };
    let (indent, name, value) = (&parts[1], &parts[2], &parts[3]);
    let Some(place) = parts.get(3) else { return Vec::new() };
    let start = spot.start_of(spot.line);
    let next = spot.start_of(spot.line + 1);
    let body = format!("{indent}    if {name} is None:\n{indent}        {name} = {value}\n");
    let edits =
        vec![spot.edit(start + place.start(), start + place.end(), "None"), spot.edit(next, next, body)];
    vec![spot.make(edits, 1.2, format!("Makes a new {name} in each call"))]
}
