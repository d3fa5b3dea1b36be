//! Calls with the wrong arguments.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::{Spot, regex};
use formicary_diagnose::names;

const FAILED: &[&str] = &["TypeError"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-self", about: "Gives a method its first parameter",
        languages: PYTHON, answers: FAILED, says: &["positional argument"],
        way: Way::Propose(missing_self),
        examples: &[("TypeError", "Dog.bark() takes 0 positional arguments but 1 was given", "class Dog:\n    def bark():\n        return \"woof\"\nprint(Dog().bark())", "class Dog:\n    def bark(self):\n        return \"woof\"\nprint(Dog().bark())")],
    },
    Remedy {
        name: "argument-dropped", about: "Leaves the last argument out",
        languages: PYTHON, answers: FAILED, says: &["positional argument"],
        way: Way::Propose(dropped),
        examples: &[("TypeError", "f() takes 1 positional argument but 2 were given", "f(1, 2)", "f(1)")],
    },
    Remedy {
        name: "missing-instance", about: "Calls a method on an object instead of the class",
        languages: PYTHON, answers: FAILED, says: &["'self'"],
        way: Way::Replace(&[(r"\b([A-Z]\w*)\.(\w+)\(", "$1().$2(", 0.8)]),
        examples: &[("TypeError", "Dog.bark() missing 1 required positional argument: 'self'", "Dog.bark()", "Dog().bark()")],
    },
    Remedy {
        name: "default-argument", about: "Gives a parameter a default",
        languages: PYTHON, answers: FAILED, says: &["required"],
        way: Way::Propose(default),
        examples: &[("TypeError", "f() missing 1 required positional argument: 'b'", "def f(a, b):\n    return a\nf(1)", "def f(a, b=None):\n    return a\nf(1)")],
    },
    Remedy {
        name: "missing-argument", about: "Gives a call the argument by the parameter's name",
        languages: PYTHON, answers: FAILED, says: &["required"],
        way: Way::Propose(missing),
        examples: &[("TypeError", "f() missing 1 required positional argument: 'b'", "def f(a, b):\n    return a\nb = 2\nf(1)", "def f(a, b):\n    return a\nb = 2\nf(1, b)")],
    },
    Remedy {
        name: "misspelt-argument", about: "Takes a keyword whose name is near",
        languages: PYTHON, answers: FAILED, says: &["unexpected keyword argument"],
        way: Way::Propose(misspelt),
        examples: &[("TypeError", "f() got an unexpected keyword argument 'widht'", "def f(width): pass\nf(widht=1)", "def f(width): pass\nf(width=1)")],
    },
];

fn definition(spot: &Spot<'_>, name: &str) -> Option<u32> {
    let start = regex(&format!(r"^\s*(?:async )?def {}\b", regex::escape(name)))?;
    spot.text.lines().position(|line| start.is_match(line)).map(|index| index as u32 + 1)
}

fn too_many(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"(?:\w+\.)*(\w+)\(\) takes").filter(|_| spot.says("given"))
}

fn missing_self(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(line) = too_many(spot).and_then(|name| definition(spot, &name)) else { return Vec::new() };
    let mut found = spot.replace_on(line, r"\(\s*\)", "(self)", 0.7);
    if !spot.line_at(line).contains("self") {
        found.extend(spot.replace_on(line, r"\((\w)", "(self, $1", 0.8));
    }
    found
}

fn dropped(spot: &Spot<'_>) -> Vec<Candidate> {
    let last = |name: String| spot.replace(&format!(r"(\b{name}\([^()]*?),\s*[^,()]+\)"), "$1)", 2.0);
    too_many(spot).map(last).unwrap_or_default()
}

/// What is called, where it is defined, and the parameter that nothing is given for.
fn unfilled(spot: &Spot<'_>) -> Option<(String, u32, String)> {
    let name = spot.said(r"(?:\w+\.)*(\w+)\(\) missing")?;
    let line = definition(spot, &name)?;
    Some((name, line, spot.said(r"argument: '(\w+)'|and '(\w+)'$")?))
}

fn default(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((_, line, parameter)) = unfilled(spot) else { return Vec::new() };
    let pattern = format!(r"\b{parameter}\b(\s*[,)])");
    let given = |value: &str| spot.replace_on(line, &pattern, &format!("{parameter}={value}$1"), 2.2);
    ["None", "0", "1", "\"\"", "[]"].into_iter().flat_map(given).collect()
}

fn missing(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((name, _, parameter)) = unfilled(spot) else { return Vec::new() };
    let mut found = spot.replace(&format!(r"(\b{name}\([^()]*)\)"), &format!("$1, {parameter})"), 1.8);
    found.extend(spot.replace(&format!(r"\b{name}\(\)"), &format!("{name}({parameter})"), 1.8));
    found
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(wrong) = spot.said(r"unexpected keyword argument '(\w+)'") else { return Vec::new() };
    let near = names::near(&wrong, spot.text, &[]).into_iter();
    near.flat_map(|near| spot.replace(&format!(r"\b{wrong}="), &format!("{near}="), 0.9)).collect()
}
