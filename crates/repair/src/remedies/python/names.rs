//! Names that nothing defines, and locals without a value.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::Spot;
use formicary_diagnose::names;

const BUILTINS: &str = "print len range sum min max abs sorted reversed enumerate zip map filter list dict set tuple \
    str int float bool input open isinstance type any all round ord chr True False None iter next repr hash super \
    object ValueError TypeError KeyError IndexError Exception StopIteration frozenset bytes divmod pow hasattr getattr \
    setattr bin hex format callable RuntimeError ZeroDivisionError NotImplementedError AttributeError return";

/// Constants of other languages.
const CONSTANTS: &[(&str, &str)] = &[
    ("true", "True"),
    ("false", "False"),
    ("null", "None"),
    ("nil", "None"),
    ("undefined", "None"),
    ("none", "None"),
];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "python-constant", about: "Writes Python's constant for that of another language",
        languages: PYTHON, answers: &["NameError"], says: &[],
        way: Way::Propose(|spot| {
            undefined(spot).map(|name| spot.replace_foreign(&name, CONSTANTS, 0.5)).unwrap_or_default()
        }),
        examples: &[("NameError", "name 'null' is not defined", "print(null)", "print(None)")],
    },
    Remedy {
        name: "did-you-mean", about: "Takes the name that Python itself proposes",
        languages: PYTHON, answers: &["NameError", "AttributeError"], says: &["Did you mean"],
        way: Way::Propose(meant),
        examples: &[
            ("NameError", "name 'cuont' is not defined. Did you mean: 'count'?", "count = 3\nprint(cuont)", "count = 3\nprint(count)"),
            ("AttributeError", "'str' object has no attribute 'uper'. Did you mean: 'upper'?", "print('a'.uper())", "print('a'.upper())"),
        ],
    },
    Remedy {
        name: "misspelt-name", about: "Takes a name near to the one that nothing defines",
        languages: PYTHON, answers: &["NameError"], says: &[],
        way: Way::Propose(misspelt),
        examples: &[("NameError", "name 'itmes' is not defined", "def total(items):\n▸    return sum(itmes)\nprint(total([1, 2, 3]))", "def total(items):\n    return sum(items)\nprint(total([1, 2, 3]))")],
    },
    Remedy {
        name: "spelt-out-name", about: "Takes the builtin that a longer name begins with",
        languages: PYTHON, answers: &["NameError"], says: &[],
        way: Way::Propose(spelt_out),
        examples: &[("NameError", "name 'length' is not defined", "print(length([1]))", "print(len([1]))")],
    },
    Remedy {
        name: "missing-self", about: "Asks the object for a field or method that is named without it",
        languages: PYTHON, answers: &["NameError"], says: &[],
        way: Way::Propose(of_the_object),
        examples: &[("NameError", "name 'age' is not defined", "class A:\n    def __init__(self):\n        self.age = 1\n    def old(self):\n        return age", "class A:\n    def __init__(self):\n        self.age = 1\n    def old(self):\n        return self.age")],
    },
    Remedy {
        name: "missing-quotes", about: "Makes text of a name that nothing defines",
        languages: PYTHON, answers: &["NameError"], says: &[],
        way: Way::Propose(|spot| {
            let quoted = |name: String| spot.replace_word(&name, &format!("\"{name}\""), 3.0);
            undefined(spot).map(quoted).unwrap_or_default()
        }),
        examples: &[("NameError", "name 'hello' is not defined", "print(hello)", "print(\"hello\")")],
    },
    Remedy {
        name: "undeclared-global", about: "Declares that a function changes a variable from around it",
        languages: PYTHON, answers: &["UnboundLocalError"], says: &[],
        way: Way::Propose(undeclared_global),
        examples: &[("UnboundLocalError", "cannot access local variable 'n' where it is not associated with a value", "n = 0\ndef add():\n    n += 1", "n = 0\ndef add():\n    global n\n    n += 1")],
    },
    Remedy {
        name: "unset-local", about: "Gives a local variable a first value",
        languages: PYTHON, answers: &["UnboundLocalError"], says: &[],
        way: Way::Propose(unset_local),
        examples: &[("UnboundLocalError", "cannot access local variable 'sum' where it is not associated with a value", "def add(xs):\n    for x in xs:\n▸        sum += x\n    return sum", "def add(xs):\n    sum = 0\n    for x in xs:\n        sum += x\n    return sum")],
    },
];

fn undefined(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"name '(\w+)'")
}

fn meant(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(meant) = spot.said(r"Did you mean: '(\w+)'") else { return Vec::new() };
    if let Some(name) = spot.said(r"has no attribute '(\w+)'") {
        return spot.replace(&format!(r"\.{name}\b"), &format!(".{meant}"), 0.6);
    }
    undefined(spot).map(|name| spot.replace_word(&name, &meant, 0.8)).unwrap_or_default()
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = undefined(spot) else { return Vec::new() };
    let near = spot.near(&name, spot.text, BUILTINS).into_iter();
    near.flat_map(|(rank, near)| spot.replace_word(&name, &near, 1.0 + rank * 0.3)).collect()
}

fn spelt_out(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = undefined(spot) else { return Vec::new() };
    let builtins: Vec<&str> = BUILTINS.split_whitespace().collect();
    let shorter = names::shortened(&name, &builtins).into_iter();
    shorter.flat_map(|short| spot.replace_word(&name, short, 1.1)).collect()
}

fn of_the_object(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = undefined(spot) else { return Vec::new() };
    let is_there =
        spot.text.contains(&format!("self.{name}")) || spot.text.contains(&format!("def {name}(self"));
    if is_there { spot.replace_word(&name, &format!("self.{name}"), 0.7) } else { Vec::new() }
}

/// A variable without a value, the line of its function, and the first line of that one's body.
fn unbound(spot: &Spot<'_>) -> Option<(String, u32, u32)> {
    let name = spot.said(r"variable '(\w+)'")?;
    let function = spot.before(r"^\s*(?:async )?def ")?;
    let body =
        (function + 1..=spot.line).find(|line| !spot.line_at(*line).trim().is_empty()).unwrap_or(spot.line);
    Some((name, function, body))
}

fn undeclared_global(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((name, function, body)) = unbound(spot) else { return Vec::new() };
    let word = if spot.indent(function).is_empty() { "global" } else { "nonlocal" };
    vec![spot.line_before(body, &format!("{word} {name}"), 1.0, format!("Declares {name} {word}"))]
}

fn unset_local(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((name, _, body)) = unbound(spot) else { return Vec::new() };
    let start = |value: &str| {
        spot.line_before(body, &format!("{name} = {value}"), 2.0, format!("Gives {name} a first value"))
    };
    ["0", "None", "[]", "\"\"", "{}"].map(start).into()
}
