//! Variables that have no value, that must not change, or whose names cannot be.

use crate::Candidate;
use crate::remedies::remedy::{BASH, Remedy, Way};
use crate::remedies::spot::{Spot, fits};

const UNSET: &[&str] = &["unbound-variable", "parameter-not-set"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "assignment-spacing", about: "Assigns without spaces",
        languages: BASH, answers: &["command-not-found"], says: &[],
        way: Way::Propose(assignment_spacing),
        examples: &[("command-not-found", "name: command not found", "name = ann", "name=ann")],
    },
    Remedy {
        name: "misspelt-variable", about: "Takes a variable whose name is near",
        languages: BASH, answers: UNSET, says: &[],
        way: Way::Propose(misspelt),
        examples: &[("unbound-variable", "cuont: unbound variable", "count=3\necho \"$cuont\"", "count=3\necho \"$count\"")],
    },
    Remedy {
        name: "unset-default", about: "Gives a variable a default or a first value",
        languages: BASH, answers: UNSET, says: &[],
        way: Way::Propose(unset_default),
        examples: &[("unbound-variable", "n: unbound variable", "echo \"$n\"", "echo \"${n:-0}\"")],
    },
    Remedy {
        name: "readonly-changed", about: "Lets a variable change",
        languages: BASH, answers: &["readonly-variable"], says: &[],
        way: Way::Propose(|spot| spot.replace_in(1..=spot.line, r"\b(?:readonly|declare -r) ", "", 0.8, 0.0)),
        examples: &[("readonly-variable", "n: readonly variable", "readonly n=1\nn=2", "n=1\nn=2")],
    },
    Remedy {
        name: "dash-in-name", about: "Writes an underscore for a dash in a name",
        languages: BASH, answers: &["invalid-identifier"], says: &[],
        way: Way::Replace(&[(r"(\w)-(\w)", "${1}_$2", 0.7)]),
        examples: &[("invalid-identifier", "export: `my-name=1': not a valid identifier", "export my-name=1", "export my_name=1")],
    },
    Remedy {
        name: "dollar-in-name", about: "Names a variable without its dollar",
        languages: BASH, answers: &["invalid-identifier"], says: &[],
        way: Way::Replace(&[(r"(for|read|export|local|unset) \$", "$1 ", 0.6)]),
        examples: &[("invalid-identifier", "`$x': not a valid identifier", "for $x in 1 2; do", "for x in 1 2; do")],
    },
    Remedy {
        name: "octal", about: "Reads a number with zeros before it as a decimal one",
        languages: BASH, answers: &["bad-number"], says: &[],
        way: Way::Replace(&[(r"\b(\w+)\b(\s*[-+*/)])", "10#$$$1$2", 0.9)]),
        examples: &[("bad-number", "08: value too great for base (error token is \"08\")", "echo $((n + 1))", "echo $((10#$n + 1))")],
    },
    Remedy {
        name: "zero-guard", about: "Keeps a divisor from being zero",
        languages: BASH, answers: &["division-by-zero"], says: &[],
        way: Way::Propose(|spot| {
            let guard = spot.captured(r"[/%]\s*\$?(\w+)").map(|divisor| {
                let new = format!("[ \"${divisor}\" -eq 0 ] && {divisor}=1");
                spot.line_before(spot.line, &new, 2.0, format!("Keeps {divisor} from being zero"))
            });
            Vec::from_iter(guard)
        }),
        examples: &[("division-by-zero", "division by 0 (error token is \"n\")", "echo $((1 / n))", "[ \"$n\" -eq 0 ] && n=1\necho $((1 / n))")],
    },
];

fn assignment_spacing(spot: &Spot<'_>) -> Vec<Candidate> {
    if !fits(r"^\s*\$?\w+\s+=|^\s*\$?\w+=\s+|^\s*\$\w+=", spot.here()) {
        return Vec::new();
    }
    spot.replace(r"^(\s*)\$?(\w+)\s*=\s*(\S)", "$1$2=$3", 0.4)
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"^(\w+): ") else { return Vec::new() };
    let set = |line: &'_ str| Some(line.split_once('=')?.0.rsplit([' ', '\t']).next()?.to_owned());
    let looped = |line: &'_ str| Some(line.trim_start().strip_prefix("for ")?.split(' ').next()?.to_owned());
    let names = spot.text.lines().filter_map(set).chain(spot.text.lines().filter_map(looped));
    let assigned: Vec<String> = names.collect();
    let mut found = Vec::new();
    for (rank, near) in spot.near(&name, &assigned.join(" "), "") {
        let pattern = format!(r"(\$\{{?){name}\b");
        found.extend(spot.replace(&pattern, &format!("${{1}}{near}"), 0.6 + rank * 0.2));
        found.extend(spot.replace_word(&name, &near, 0.9));
    }
    found
}

fn unset_default(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"^(\w+): ") else { return Vec::new() };
    let mut found = Vec::new();
    for default in ["", "0", "1"] {
        let pattern = format!(r"\$\{{?{name}\b\}}?");
        found.extend(spot.replace(&pattern, &format!("$${{{name}:-{default}}}"), 1.4));
        let why = format!("Gives {name} a first value");
        found.push(spot.line_before(1, &format!("{name}={default}"), 2.0, why));
    }
    found
}
