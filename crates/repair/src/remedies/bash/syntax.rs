//! Quotes, brackets and substitutions that are left open.

use super::{UNREADABLE, lines};
use crate::Candidate;
use crate::remedies::remedy::{BASH, Remedy, Way};
use crate::remedies::spot::Spot;

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-quote", about: "Closes a quote",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Propose(missing_quote),
        examples: &[("unclosed-quote", "unexpected EOF while looking for matching `\"'", "echo \"hello", "echo \"hello\"")],
    },
    Remedy {
        name: "missing-bracket", about: "Closes a substitution",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Propose(missing_bracket),
        examples: &[
            ("unclosed-quote", "unexpected EOF while looking for matching `)'", "x=$(date", "x=$(date)"),
            ("bad-substitution", "${x : bad substitution", "echo ${x", "echo ${x}"),
        ],
    },
    Remedy {
        name: "arithmetic-end", about: "Leaves out an operator that nothing follows",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Replace(&[(r"\s*([-+*/])\s*\)\)", "))", 1.0)]),
        examples: &[("arithmetic-syntax", "1 + : syntax error: operand expected", "echo $((1 + ))", "echo $((1))")],
    },
    Remedy {
        name: "bad-substitution", about: "Leaves out of a substitution what has no meaning there",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Replace(&[(r"\$\{([^}:\w#!]|\w+\s)", "$${", 1.5)]),
        examples: &[("bad-substitution", "${ x}: bad substitution", "echo ${ x}", "echo ${x}")],
    },
];

fn missing_quote(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in lines(spot) {
        let text = spot.line_at(line).trim_end();
        for (quote, other) in [('"', '\''), ('\'', '"')] {
            if text.matches(quote).count().is_multiple_of(2) || text.contains(other) {
                continue;
            }
            let inner = text.trim_end_matches([')', ']', ';', ' ', '}']);
            for (length, cost) in [(text.len(), 0.5), (inner.len(), 0.6)] {
                let at = spot.start_of(line) + length;
                found.push(spot.insert(at, &quote.to_string(), cost + away, "Closes the quote"));
            }
        }
    }
    found
}

fn missing_bracket(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in lines(spot) {
        let text = spot.line_at(line).trim_end();
        if text.matches("$(").count() > text.matches(')').count() {
            let at = spot.start_of(line) + text.len();
            found.push(spot.insert(at, ")", 0.5 + away, "Closes the bracket"));
        }
        if text.contains("$((") && !text.contains("))") {
            found.extend(spot.replace_on(line, r"\)?\s*$", "))", 0.5 + away));
        }
        if text.matches("${").count() > text.matches('}').count() {
            found.extend(spot.replace_on(line, r"\$\{(\w+)", "$${$1}", 0.5 + away));
        }
    }
    found
}
