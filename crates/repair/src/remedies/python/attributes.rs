//! Attributes and methods that are not there.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::Spot;
use formicary_diagnose::{library, names};
use formicary_model::Language;

const METHODS: &str = "append extend insert remove pop clear index count sort reverse copy keys values items get update \
    setdefault popitem add discard union intersection difference split join strip lstrip rstrip replace startswith \
    endswith lower upper title find format isdigit isalpha isalnum isspace encode decode splitlines capitalize zfill \
    appendleft popleft read write readline readlines close most_common total_seconds casefold swapcase";

/// Methods that other languages or versions have, and what Python writes.
const FOREIGN: &[(&str, &str)] = &[
    ("push", "append"),
    ("push_back", "append"),
    ("add", "append"),
    ("append", "add"),
    ("trim", "strip"),
    ("toUpperCase", "upper"),
    ("toLowerCase", "lower"),
    ("iteritems", "items"),
    ("itervalues", "values"),
    ("iterkeys", "keys"),
    ("indexOf", "index"),
    ("concat", "extend"),
    ("delete", "remove"),
];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "misspelt-attribute", about: "Takes an attribute whose name is near",
        languages: PYTHON, answers: &["AttributeError"], says: &[],
        way: Way::Propose(misspelt),
        examples: &[
            ("AttributeError", "module 'math' has no attribute 'sqr'", "import math\nprint(math.sqr(9))", "import math\nprint(math.sqrt(9))"),
            ("AttributeError", "'list' object has no attribute 'apend'", "xs = []\nxs.apend(1)", "xs = []\nxs.append(1)"),
        ],
    },
    Remedy {
        name: "foreign-method", about: "Writes Python's way for a method of another language",
        languages: PYTHON, answers: &["AttributeError"], says: &[],
        way: Way::Propose(foreign),
        examples: &[
            ("AttributeError", "'list' object has no attribute 'push'", "values = []\nvalues.push(1)", "values = []\nvalues.append(1)"),
            ("AttributeError", "'list' object has no attribute 'length'", "n = xs.length", "n = len(xs)"),
            ("AttributeError", "'dict' object has no attribute 'has_key'", "a = d.has_key(1)", "a = (1 in d)"),
            ("AttributeError", "'dict' object has no attribute 'put'", "d.put(1, 2)", "d[1] = 2"),
        ],
    },
];

fn wrong(spot: &Spot<'_>) -> Option<(String, String)> {
    let name = spot.said(r"has no attribute '(\w+)'")?;
    let dotted = format!(r"\.{}\b", regex::escape(&name));
    Some((name, dotted))
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((name, dotted)) = wrong(spot) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(module) = spot.said(r"module '(\w+)' has no attribute") {
        for near in names::near(&name, "", &library::names(Language::Python)) {
            if library::holders(Language::Python, &near).contains(&module.as_str()) {
                found.extend(spot.replace(&dotted, &format!(".{near}"), 0.8));
            }
        }
    }
    let behind_dots: Vec<&str> = spot
        .text
        .split('.')
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
        .collect();
    for (rank, near) in spot.near(&name, &behind_dots.join(" "), METHODS) {
        found.extend(spot.replace(&dotted, &format!(".{near}"), 1.0 + rank * 0.3));
    }
    found
}

fn foreign(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((name, _)) = wrong(spot) else { return Vec::new() };
    let written = match name.as_str() {
        "length" => (r"(\w+(?:\.\w+)*)\.length(?:\(\))?".to_owned(), "len($1)"),
        "has" | "has_key" | "contains" | "includes" => {
            (format!(r"(\w+(?:\.\w+)*)\.{name}\(([^()]*)\)"), "($2 in $1)")
        }
        "put" => (r"(\w+)\.put\(([^,()]+),\s*([^()]+)\)".to_owned(), "$1[$2] = $3"),
        _ => return spot.replace_method(&name, FOREIGN, 0.8),
    };
    spot.replace(&written.0, written.1, 0.7)
}
