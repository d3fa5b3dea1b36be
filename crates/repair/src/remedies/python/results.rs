//! None where a value was expected: results that are changed in place, functions that return nothing, guards.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::{Spot, fits, regex};

const FAILED: &[&str] = &["AttributeError", "TypeError"];
const NONE: &[&str] = &["NoneType"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "in-place-result", about: "Takes a new list where a method changes its list and returns None",
        languages: PYTHON, answers: FAILED, says: NONE,
        way: Way::Propose(in_place),
        examples: &[
            ("TypeError", "'NoneType' object is not subscriptable", "xs = [2, 1]\nxs = xs.sort()\nprint(xs[0])", "xs = [2, 1]\nxs = sorted(xs)\nprint(xs[0])"),
            ("AttributeError", "'NoneType' object has no attribute 'append'", "xs = []\nxs = xs.append(1)\nxs.append(2)", "xs = []\nxs.append(1)\nxs.append(2)"),
        ],
    },
    Remedy {
        name: "missing-return", about: "Returns what a function computes",
        languages: PYTHON, answers: FAILED, says: NONE,
        way: Way::Propose(missing_returns),
        examples: &[
            ("TypeError", "unsupported operand type(s) for +: 'NoneType' and 'int'", "def add(a, b):\n    result = a + b\nprint(add(2, 3) + 0)", "def add(a, b):\n    result = a + b\n    return result\nprint(add(2, 3) + 0)"),
            ("TypeError", "unsupported operand type(s) for +: 'NoneType' and 'int'", "def add(a, b):\n    a + b\nprint(add(2, 3) + 0)", "def add(a, b):\n    return a + b\nprint(add(2, 3) + 0)"),
        ],
    },
    Remedy {
        name: "none-guard", about: "Does a statement only where its object is not None",
        languages: PYTHON, answers: FAILED, says: NONE,
        way: Way::Propose(guarded),
        examples: &[("AttributeError", "'NoneType' object has no attribute 'group'", "m = re.match('a', 'b')\nprint(m.group(0))", "m = re.match('a', 'b')\nif m is not None:\n    print(m.group(0))")],
    },
];

fn in_place(spot: &Spot<'_>) -> Vec<Candidate> {
    let changes = regex(r"(?:=|return|for .* in)\s*[\w.]+\.(?:sort|reverse|append|extend)\(");
    let is_meant = |line: &u32| changes.as_ref().is_some_and(|changes| changes.is_match(spot.line_at(*line)));
    let mut found = Vec::new();
    for line in (1..=spot.count()).filter(is_meant) {
        for (pattern, new) in [
            (r"((?:=|return|in)\s*)([\w.]+)\.sort\(\)", "${1}sorted($2)"),
            (r"((?:=|return|in)\s*)([\w.]+)\.sort\(([^()]+)\)", "${1}sorted($2, $3)"),
            (r"((?:=|return|in)\s*)([\w.]+)\.reverse\(\)", "${1}$2[::-1]"),
            (r"(\w+)\s*=\s*(\w+\.(?:append|extend)\()", "$2"),
        ] {
            found.extend(spot.replace_on(line, pattern, new, 0.9));
        }
    }
    found
}

fn missing_returns(spot: &Spot<'_>) -> Vec<Candidate> {
    let lines: Vec<&str> = spot.text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.trim_start().starts_with("def ")) {
        let indent = line.len() - line.trim_start().len();
        let inside = |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > indent;
        let body = lines[index + 1..].iter().take_while(|line| inside(line)).count();
        let Some(last) = (index + 1..=index + body).rev().find(|at| !lines[*at].trim().is_empty()) else {
            continue;
        };
        let body = &lines[index + 1..=last];
        if !body.iter().any(|line| line.trim_start().starts_with("return") || line.contains("yield")) {
            found.extend(returned(spot, body, last as u32 + 1));
        }
    }
    found
}

/// What a body without `return` may return: what its last line computes, or what it builds.
fn returned(spot: &Spot<'_>, body: &[&str], number: u32) -> Vec<Candidate> {
    let text = spot.line_at(number);
    let left = spot.indent(number);
    let end = spot.start_of(number) + text.len();
    let returns = |indent: &str, name: &str, cost| {
        spot.insert(end, &format!("\n{indent}return {name}"), cost, format!("Returns {name}"))
    };
    let group = |pattern: &str, line: &str| Some(regex(pattern)?.captures(line)?.get(1)?.as_str().to_owned());
    let mut found = Vec::new();
    if let Some(target) = group(r"^\s*(\w+)\s*(?:[-+*/|&]?=)[^=]", text) {
        found.push(returns(left, &target, 1.5));
    } else if !fits(r"^\s*(?:print|for|while|if|try|with|raise|assert|pass|import|del|global)\b", text) {
        let new = format!("{left}return {}", text.trim());
        found.push(spot.rewrite(number, &new, 1.2, "Returns what is computed"));
    }
    let first = body.iter().find(|line| !line.trim().is_empty());
    let base = first.map_or("    ", |line| &line[..line.len() - line.trim_start().len()]);
    let built = r#"^\s*(\w+)\s*=\s*(?:\[\]|\{\}|0|1|""|''|set\(\)|None|\w+\(\))"#;
    let names = body.iter().filter_map(|line| group(built, line));
    found.extend(names.map(|name| returns(base, &name, 1.3)));
    found
}

fn guarded(spot: &Spot<'_>) -> Vec<Candidate> {
    let object = match spot.said(r"has no attribute '(\w+)'") {
        Some(name) => spot.captured(&format!(r"(\w+(?:\.\w+)*)\.{name}\b")),
        None => spot.captured(r"(\w+)(?:\[|\s*[-+*/])"),
    };
    let Some(object) = object else { return Vec::new() };
    let (indent, statement) = (spot.indent(spot.line), spot.here().trim());
    let guarded = format!("{indent}if {object} is not None:\n{indent}    {statement}");
    let mut found =
        vec![spot.rewrite(spot.line, &guarded, 2.5, format!("Does it only where {object} is not None"))];
    if spot.before(r"^\s*def ").is_some() {
        let new = format!("if {object} is None:\n{indent}    return None");
        found.push(spot.line_before(spot.line, &new, 2.6, format!("Returns where {object} is None")));
    }
    found
}
