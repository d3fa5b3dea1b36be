//! What may change, what was given away, what does not live long enough.

use crate::Candidate;
use crate::remedies::remedy::{RUST, Remedy, Way};
use crate::remedies::spot::Spot;

const IMMUTABLE: &[&str] = &["E0384", "E0596", "E0594"];
const GIVEN_AWAY: &[&str] = &["E0382", "E0505", "E0507", "E0502", "E0499"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-mut", about: "Lets a variable, parameter or reference change",
        languages: RUST, answers: IMMUTABLE, says: &[],
        way: Way::Propose(missing_mut),
        examples: &[
            ("E0596", "cannot borrow `list` as mutable, as it is not declared as mutable", "let list = Vec::new();\nlist.push(1);", "let mut list = Vec::new();\nlist.push(1);"),
            ("E0596", "cannot borrow `*list` as mutable, as it is behind a `&` reference", "fn f(list: &Vec<i32>) {\n    list.push(1);", "fn f(list: &mut Vec<i32>) {\n    list.push(1);"),
        ],
    },
    Remedy {
        name: "missing-clone", about: "Gives a copy away",
        languages: RUST, answers: GIVEN_AWAY, says: &[],
        way: Way::Propose(missing_clone),
        examples: &[("E0382", "borrow of moved value: `a`", "let b = a;\nprintln!(\"{a} {b}\");", "let b = a.clone();\nprintln!(\"{a} {b}\");")],
    },
    Remedy {
        name: "missing-borrow", about: "Lends what is used again",
        languages: RUST, answers: GIVEN_AWAY, says: &[],
        way: Way::Propose(|spot| {
            let (name, word) = owned(spot);
            let pattern = format!(r"([(,=]\s*|in ){word}(\s*[,);{{]|$)");
            spot.replace_in(spot.upwards(25), &pattern, &format!("${{1}}&{name}$2"), 0.9, 0.05)
        }),
        examples: &[("E0382", "borrow of moved value: `a`", "f(a);\nprintln!(\"{a}\");", "f(&a);\nprintln!(\"{a}\");")],
    },
    Remedy {
        name: "consuming-loop", about: "Goes through a list without using it up",
        languages: RUST, answers: GIVEN_AWAY, says: &[],
        way: Way::Propose(|spot| {
            let (name, word) = owned(spot);
            let new = format!("{name}.iter()");
            spot.replace_in(spot.upwards(25), &format!(r"{word}\.into_iter\(\)"), &new, 0.8, 0.05)
        }),
        examples: &[("E0382", "borrow of moved value: `xs`", "for x in xs.into_iter() {}\nprintln!(\"{}\", xs.len());", "for x in xs.iter() {}\nprintln!(\"{}\", xs.len());")],
    },
    Remedy {
        name: "changed-while-iterated", about: "Goes through a copy of what the loop changes",
        languages: RUST, answers: GIVEN_AWAY, says: &[],
        way: Way::Propose(|spot| {
            spot.replace_in(spot.upwards(25), r"in &(\w+) \{", "in $1.clone() {", 1.0, 0.05)
        }),
        examples: &[("E0502", "cannot borrow `xs` as mutable because it is also borrowed as immutable", "for x in &xs {\n    xs.push(*x);", "for x in xs.clone() {\n    xs.push(*x);")],
    },
    Remedy {
        name: "static-lifetime", about: "Returns a reference that lives as long as the program",
        languages: RUST, answers: &["E0106"], says: &[],
        way: Way::Replace(&[(r"&(\w)", "&'static $1", 1.0)]),
        examples: &[("E0106", "missing lifetime specifier", "fn f() -> &str {", "fn f() -> &'static str {")],
    },
    Remedy {
        name: "missing-move", about: "Lets a closure own what it uses",
        languages: RUST, answers: &["E0373"], says: &[],
        way: Way::Replace(&[(r"(\(|=\s*)\|", "${1}move |", 0.5)]),
        examples: &[("E0373", "closure may outlive the current function, but it borrows `n`", "thread::spawn(|| f(n));", "thread::spawn(move || f(n));")],
    },
    Remedy {
        name: "returned-reference", about: "Returns the value instead of a reference to it",
        languages: RUST, answers: &["E0515", "E0597"], says: &[],
        way: Way::Replace(&[(r"&(\w+)\s*$", "$1", 1.5)]),
        examples: &[("E0515", "cannot return reference to local variable `s`", "    &s", "    s")],
    },
];

fn missing_mut(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"'\*?(\w+)(?:\.\w+)*'") else { return Vec::new() };
    let all = spot.line as usize;
    let mut found = Vec::new();
    for (pattern, new, cost) in [
        (format!(r"\blet {name}\b"), format!("let mut {name}"), 0.5),
        (format!(r"([(,]\s*){name}\s*:\s*&(\w)"), format!("${{1}}{name}: &mut $2"), 0.6),
        (format!(r"([(,]\s*){name}\s*:\s*([A-Z])"), format!("${{1}}mut {name}: $2"), 0.7),
    ] {
        found.extend(spot.replace_in(spot.upwards(all), &pattern, &new, cost, 0.0));
    }
    if name == "self" {
        found.extend(spot.replace_in(spot.upwards(all), r"&self\b", "&mut self", 0.5, 0.0));
    }
    found
}

/// What was given away, as it is written and as a pattern.
fn owned(spot: &Spot<'_>) -> (String, String) {
    let name = spot.said(r"'\*?([\w.]+)'").unwrap_or_default();
    let word = format!(r"\b{}\b", regex::escape(&name));
    (name, word)
}

fn missing_clone(spot: &Spot<'_>) -> Vec<Candidate> {
    let (name, word) = owned(spot);
    let pattern = format!(r"([(,=]\s*|in ){word}(\s*[,);{{]|$)");
    let new = format!("${{1}}{name}.clone()$2");
    let mut found = spot.replace_in(spot.upwards(25), &pattern, &new, 0.8, 0.05);
    found.extend(spot.replace(&format!(r"{word}\s*$"), &format!("{name}.clone()"), 0.7));
    found.extend(spot.replace(r"(\w+(?:\.\w+)+)(\s*[,);]|\s*$)", "$1.clone()$2", 0.9));
    found.extend(spot.replace(r"\*(\w+)(\.\w+)*", "$1$2.clone()", 1.0));
    found
}
