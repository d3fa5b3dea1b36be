//! Values that are not what they are used as.

use super::COMMON;
use crate::Candidate;
use crate::remedies::remedy::{Remedy, SCRIPT, Way};
use crate::remedies::spot::Spot;

const FAILED: &[&str] = &["TypeError"];
const NO_FUNCTION: &[&str] = &["is not a function"];
const NOT_ITERABLE: &[&str] = &["is not iterable"];

/// Methods of other languages.
const FOREIGN: &[(&str, &str)] = &[
    ("append", "push"),
    ("add", "push"),
    ("contains", "includes"),
    ("has", "includes"),
    ("size", "length"),
    ("strip", "trim"),
    ("upper", "toUpperCase"),
    ("lower", "toLowerCase"),
    ("remove", "splice"),
    ("get", "at"),
    ("push", "add"),
    ("len", "length"),
    ("startswith", "startsWith"),
    ("each", "forEach"),
    ("foreach", "forEach"),
    ("toUppercase", "toUpperCase"),
    ("touppercase", "toUpperCase"),
];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "const-changed", about: "Declares by let what is changed",
        languages: SCRIPT, answers: FAILED, says: &["Assignment to constant"],
        way: Way::Propose(const_changed),
        examples: &[("TypeError", "Assignment to constant variable.", "const n = 1;\nn = 2;", "let n = 1;\nn = 2;")],
    },
    Remedy {
        name: "foreign-method", about: "Writes JavaScript's way for a method of another language",
        languages: SCRIPT, answers: FAILED, says: NO_FUNCTION,
        way: Way::Propose(|spot| {
            let mut found =
                called(spot).map(|name| spot.replace_method(&name, FOREIGN, 0.7)).unwrap_or_default();
            found.extend(spot.replace(r"\.(?:len|size|count)\(\)", ".length", 0.8));
            found
        }),
        examples: &[
            ("TypeError", "a.append is not a function", "a.append(1);", "a.push(1);"),
            ("TypeError", "a.count is not a function", "n = a.count();", "n = a.length;"),
        ],
    },
    Remedy {
        name: "called-value", about: "Takes a value that is called and is no function",
        languages: SCRIPT, answers: FAILED, says: NO_FUNCTION,
        way: Way::Propose(|spot| {
            let taken = |name: String| spot.replace(&format!(r"\.{name}\(\)"), &format!(".{name}"), 0.8);
            called(spot).map(taken).unwrap_or_default()
        }),
        examples: &[("TypeError", "a.length is not a function", "n = a.length();", "n = a.length;")],
    },
    Remedy {
        name: "misspelt-method", about: "Takes a method whose name is near",
        languages: SCRIPT, answers: FAILED, says: NO_FUNCTION,
        way: Way::Propose(misspelt),
        examples: &[("TypeError", "a.pusch is not a function", "a.pusch(1);", "a.push(1);")],
    },
    Remedy {
        name: "object-as-list", about: "Goes through the values of an object",
        languages: SCRIPT, answers: FAILED, says: NO_FUNCTION,
        way: Way::Replace(&[(r"(\w+)\.(map|filter|forEach|reduce|join)\(", "Object.values($1).$2(", 1.5)]),
        examples: &[("TypeError", "o.map is not a function", "o.map(f);", "Object.values(o).map(f);")],
    },
    Remedy {
        name: "object-as-list", about: "Goes through the entries, keys or values of an object",
        languages: SCRIPT, answers: FAILED, says: NOT_ITERABLE,
        way: Way::Replace(&[
            (r"of ([\w.]+)\)", "of Object.entries($1))", 0.8),
            (r"of ([\w.]+)\)", "of Object.keys($1))", 0.9),
            (r"of ([\w.]+)\)", "of Object.values($1))", 1.0),
        ]),
        examples: &[("TypeError", "o is not iterable", "for (const [k, v] of o) {", "for (const [k, v] of Object.entries(o)) {")],
    },
    Remedy {
        name: "iterable-as-list", about: "Makes a list of what can only be gone through",
        languages: SCRIPT, answers: FAILED, says: NO_FUNCTION,
        way: Way::Replace(&[(r"(\w+)\.(map|filter|forEach|reduce|join)\(", "[...$1].$2(", 1.4)]),
        examples: &[("TypeError", "s.map is not a function", "s.map(f);", "[...s].map(f);")],
    },
    Remedy {
        name: "number-as-text", about: "Makes text of a number whose text is meant",
        languages: SCRIPT, answers: FAILED, says: NO_FUNCTION,
        way: Way::Replace(&[(r"(\w+)\.(toUpperCase|toLowerCase|trim|split|includes)\(", "String($1).$2(", 1.6)]),
        examples: &[("TypeError", "n.split is not a function", "n.split('');", "String(n).split('');")],
    },
    Remedy {
        name: "missing-await", about: "Awaits a promise whose value is meant",
        languages: SCRIPT, answers: FAILED, says: NO_FUNCTION,
        way: Way::Replace(&[(r"(=\s*|return )(\w+\()", "${1}await $2", 1.5)]),
        examples: &[("TypeError", "load(...).trim is not a function", "const x = load().trim();", "const x = await load().trim();")],
    },
    Remedy {
        name: "of-for-in", about: "Goes through the keys of an object",
        languages: SCRIPT, answers: FAILED, says: NOT_ITERABLE,
        way: Way::Replace(&[(r" of ", " in ", 1.1)]),
        examples: &[("TypeError", "o is not iterable", "for (const k of o) {", "for (const k in o) {")],
    },
    Remedy {
        name: "missing-new", about: "Makes an object of a class that is called",
        languages: SCRIPT, answers: FAILED, says: &["cannot be invoked without 'new'"],
        way: Way::Propose(|spot| {
            let name = spot.said(r"constructor (\w+)").unwrap_or_default();
            spot.replace(&format!(r"\b{name}\("), &format!("new {name}("), 0.5)
        }),
        examples: &[("TypeError", "Class constructor Dog cannot be invoked without 'new'", "const dog = Dog(\"rex\");", "const dog = new Dog(\"rex\");")],
    },
    Remedy {
        name: "needless-new", about: "Calls a function that is no class",
        languages: SCRIPT, answers: FAILED, says: &["is not a constructor"],
        way: Way::Replace(&[(r"\bnew (\w)", "$1", 0.8)]),
        examples: &[("TypeError", "f is not a constructor", "x = new f(1);", "x = f(1);")],
    },
    Remedy {
        name: "bigint", about: "Makes large integers of all numbers of a line",
        languages: SCRIPT, answers: FAILED, says: &["BigInt"],
        way: Way::Replace(&[(r"\b(\d+)\b([^n]|$)", "${1}n$2", 0.9)]),
        examples: &[("TypeError", "Cannot mix BigInt and other types, use explicit conversions", "x = big + 1;", "x = big + 1n;")],
    },
    Remedy {
        name: "negative-length", about: "Makes no list of a negative length",
        languages: SCRIPT, answers: &["RangeError"], says: &[],
        way: Way::Replace(&[(r"new Array\(([^()]+)\)", "new Array(Math.max(0, $1))", 1.5)]),
        examples: &[("RangeError", "Invalid array length", "x = new Array(n);", "x = new Array(Math.max(0, n));")],
    },
];

fn called(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"^(?:\S*\.)?(\w+) is not a function")
}

fn const_changed(spot: &Spot<'_>) -> Vec<Candidate> {
    let name = spot.captured(r"(\w+)\s*(?:[-+*/%]?=|\+\+|--)").unwrap_or_default();
    let all = spot.line as usize;
    let mut found = spot.replace_in(spot.upwards(all), &format!(r"\bconst ({name}\b)"), "let $1", 0.5, 0.0);
    found.extend(spot.replace(r"\bconst (\w+ = )", "let $1", 0.6));
    found
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = called(spot) else { return Vec::new() };
    let near = spot.near(&name, spot.text, COMMON).into_iter();
    near.flat_map(|(rank, near)| spot.replace_word(&name, &near, 0.9 + rank * 0.2)).collect()
}
