//! Keys, indices, divisors and values that are not as expected.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::{Spot, regex};
use formicary_diagnose::names;

const UNPACKING: &[&str] = &["not enough values to unpack", "too many values to unpack"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "misspelt-key", about: "Takes a key that is near",
        languages: PYTHON, answers: &["KeyError"], says: &[],
        way: Way::Propose(misspelt_key),
        examples: &[("KeyError", "'nmae'", "d = {'name': 1}\nprint(d['nmae'])", "d = {'name': 1}\nprint(d['name'])")],
    },
    Remedy {
        name: "missing-key", about: "Gives a key that is not there a first value",
        languages: PYTHON, answers: &["KeyError"], says: &[],
        way: Way::Replace(&[
            (r"(\w+)\[([^\[\]]+)\]\s*\+=\s*(.+)$", "$1[$2] = $1.get($2, 0) + $3", 0.7),
            (r"(\w+)\[([^\[\]]+)\]\s*-=\s*(.+)$", "$1[$2] = $1.get($2, 0) - $3", 0.7),
            (r"(\w+)\[([^\[\]]+)\]\s*\*=\s*(.+)$", "$1[$2] = $1.get($2, 1) * $3", 0.7),
            (r"(\w+)\[([^\[\]]+)\]\.append\(", "$1.setdefault($2, []).append(", 0.6),
            (r"(\w+)\[([^\[\]]+)\]\.add\(", "$1.setdefault($2, set()).add(", 0.6),
            (r"(\w+)\[([^\[\]]+)\]", "$1.get($2, 0)", 1.4),
            (r"(\w+)\[([^\[\]]+)\]", "$1.get($2)", 1.5),
            (r"(\w+)\[([^\[\]]+)\]", "$1.get($2, \"\")", 1.8),
            (r"(\w+)\[([^\[\]]+)\]", "$1.get($2, [])", 1.9),
        ]),
        examples: &[
            ("KeyError", "'a'", "counts[letter] += 1", "counts[letter] = counts.get(letter, 0) + 1"),
            ("KeyError", "'a'", "groups[key].append(1)", "groups.setdefault(key, []).append(1)"),
        ],
    },
    Remedy {
        name: "range-end", about: "Ends a range or a loop before the length",
        languages: PYTHON, answers: &["IndexError"], says: &[],
        way: Way::Propose(range_end),
        examples: &[
            ("IndexError", "list index out of range", "for i in range(len(values) + 1):\n    last = values[i]", "for i in range(len(values)):\n    last = values[i]"),
            ("IndexError", "list index out of range", "x = xs[len(xs)]", "x = xs[len(xs) - 1]"),
        ],
    },
    Remedy {
        name: "empty-guard", about: "Does a statement only where its list is not empty",
        languages: PYTHON, answers: &["IndexError"], says: &[],
        way: Way::Propose(empty_guard),
        examples: &[("IndexError", "pop from empty list", "xs.pop()", "if xs:\n    xs.pop()")],
    },
    Remedy {
        name: "zero-guard", about: "Returns or takes another value where a divisor is zero",
        languages: PYTHON, answers: &["ZeroDivisionError"], says: &[],
        way: Way::Propose(zero_guard),
        examples: &[
            ("ZeroDivisionError", "division by zero", "def mean(xs):\n    return sum(xs) / len(xs)", "def mean(xs):\n    if not xs:\n        return 0\n    return sum(xs) / len(xs)"),
            ("ZeroDivisionError", "division by zero", "x = 1 / n", "x = 1 / n if n else 0"),
        ],
    },
    Remedy {
        name: "integer-of-text", about: "Reads an integer from text with a point or spaces",
        languages: PYTHON, answers: &["ValueError"], says: &[],
        way: Way::Replace(&[
            (r"\bint\(([^()]*(?:\([^()]*\))?)\)", "int(float($1))", 1.5),
            (r"\bint\((\w+)\)", "int($1.strip())", 2.0),
        ]),
        examples: &[("ValueError", "invalid literal for int() with base 10: '1.5'", "n = int(text)", "n = int(float(text))")],
    },
    Remedy {
        name: "index-for-find", about: "Looks for a part of a text without failing where it is not there",
        languages: PYTHON, answers: &["ValueError"], says: &[],
        way: Way::Replace(&[(r"\.index\(([^()]*)\)", ".find($1)", 1.5)]),
        examples: &[("ValueError", "substring not found", "at = text.index('a')", "at = text.find('a')")],
    },
    Remedy {
        name: "missing-items", about: "Goes through keys and values of a dictionary",
        languages: PYTHON, answers: &["ValueError"], says: UNPACKING,
        way: Way::Replace(&[(r"in (\w+):", "in $1.items():", 0.8)]),
        examples: &[("ValueError", "too many values to unpack (expected 2)", "for name, age in ages:", "for name, age in ages.items():")],
    },
    Remedy {
        name: "missing-enumerate", about: "Goes through indices and values of a list",
        languages: PYTHON, answers: &["ValueError"], says: UNPACKING,
        way: Way::Replace(&[(r"in (\w+):", "in enumerate($1):", 0.9)]),
        examples: &[("ValueError", "not enough values to unpack (expected 2, got 1)", "for i, x in xs:", "for i, x in enumerate(xs):")],
    },
    Remedy {
        name: "unpacking", about: "Takes more values than there are names",
        languages: PYTHON, answers: &["ValueError"], says: UNPACKING,
        way: Way::Replace(&[(r"(\w+), (\w+) = ", "$1, *$2 = ", 2.0), (r"(\w+), (\w+) = ", "$1, $2, _ = ", 2.0)]),
        examples: &[("ValueError", "too many values to unpack (expected 2)", "a, b = xs", "a, *b = xs")],
    },
    Remedy {
        name: "changed-while-iterated", about: "Goes through a copy of what the loop changes",
        languages: PYTHON, answers: &["RuntimeError"], says: &["during iteration"],
        way: Way::Replace(&[(r"in ([\w.]+(?:\(\))?)\s*:", "in list($1):", 0.7)]),
        examples: &[("RuntimeError", "dictionary changed size during iteration", "▸for key in ages:\n    del ages[key]", "for key in list(ages):\n    del ages[key]")],
    },
];

fn misspelt_key(spot: &Spot<'_>) -> Vec<Candidate> {
    let key = spot.message.trim();
    let Some(word) = key.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) else {
        return Vec::new();
    };
    let literals: Vec<&str> = spot.text.split(['"', '\'']).skip(1).step_by(2).collect();
    let pattern = format!(r#"(["']){}(["'])"#, regex::escape(word));
    let near = names::near(word, &literals.join(" "), &[]).into_iter();
    near.flat_map(|near| spot.replace(&pattern, &format!("${{1}}{near}$2"), 0.8)).collect()
}

fn range_end(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (pattern, new, cost) in [
        (r"range\(len\((\w+)\) \+ 1\)", "range(len($1))", 1.0),
        (r"range\(len\((\w+)\)\)", "range(len($1) - 1)", 1.4),
        (r"range\(([^()]+), len\((\w+)\) \+ 1\)", "range($1, len($2))", 1.0),
        (r"range\(1, len\((\w+)\)\s*\+\s*1\)", "range(len($1))", 1.0),
        (r"<= len\(", "< len(", 1.0),
        (r"(while .+) <= ", "$1 < ", 1.2),
    ] {
        found.extend(spot.replace_in(spot.upwards(30), pattern, new, cost, 0.05));
    }
    found.extend(spot.replace(r"\[len\((\w+)\)\]", "[len($1) - 1]", 0.8));
    found.extend(spot.replace(r"\[(\w+) \+ 1\]", "[$1]", 1.4));
    found.extend(spot.replace(r"\[(\w+)\]", "[$1 - 1]", 1.6));
    found
}

fn empty_guard(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.captured(r"(\w+)(?:\[|\.pop\()") else { return Vec::new() };
    let indent = spot.indent(spot.line);
    let guarded = format!("{indent}if {name}:\n{indent}    {}", spot.here().trim());
    let mut found =
        vec![spot.rewrite(spot.line, &guarded, 2.4, format!("Does it only where {name} is not empty"))];
    if spot.before(r"^\s*def ").is_some() {
        let new = format!("if not {name}:\n{indent}    return None");
        found.push(spot.line_before(spot.line, &new, 2.5, format!("Returns where {name} is empty")));
    }
    found
}

fn zero_guard(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let Some(pattern) = regex(r"(?:/|//|%)\s*(len\(\w+\)|[\w.]+|\([^()]*\))") else { return found };
    let divisors: Vec<String> = pattern.captures_iter(spot.here()).map(|parts| parts[1].to_owned()).collect();
    for divisor in divisors.iter().filter(|name| name.parse::<f64>().is_err()) {
        let inner = divisor.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')'));
        let test = inner.map_or_else(|| format!("{divisor} == 0"), |name| format!("not {name}"));
        let indent = spot.indent(spot.line);
        if spot.before(r"^\s*def ").is_some() && spot.here().contains("return") {
            for (value, cost) in [("0", 1.0), ("0.0", 1.2), ("None", 1.3)] {
                let new = format!("if {test}:\n{indent}    return {value}");
                let why = format!("Returns {value} where {divisor} is zero");
                found.push(spot.line_before(spot.line, &new, cost, why));
            }
        }
        found.extend(spot.replace(r"=\s*([^=].*)$", &format!("= $1 if {divisor} else 0"), 1.5));
    }
    found
}
