//! Quotes around variables, and tests.

use super::UNREADABLE;
use crate::Candidate;
use crate::remedies::remedy::{BASH, Remedy, Way};
use crate::remedies::spot::{Spot, regex};

const SPLIT: &[&str] =
    &["too-many-arguments", "operator-expected", "ambiguous-redirect", "missing-operand", "no-such-file"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-quotes", about: "Puts quotes around the variables of a line",
        languages: BASH, answers: SPLIT, says: &[],
        way: Way::Propose(quoted),
        examples: &[("too-many-arguments", "[: too many arguments", "if [ $a = $b ]; then", "if [ \"$a\" = \"$b\" ]; then")],
    },
    Remedy {
        name: "double-brackets", about: "Tests by the command that does not split words",
        languages: BASH, answers: SPLIT, says: &[],
        way: Way::Replace(&[(r"\[ (.*) \]", "[[ $1 ]]", 0.7)]),
        examples: &[("operator-expected", "[: =: unary operator expected", "if [ $a = b ]; then", "if [[ $a = b ]]; then")],
    },
    Remedy {
        name: "test-spacing", about: "Puts spaces inside the brackets of a test",
        languages: BASH, answers: &["command-not-found"], says: &[],
        way: Way::Propose(spaced),
        examples: &[("command-not-found", "[1: command not found", "if [$x = 1]; then echo one; fi", "if [ $x = 1 ]; then echo one; fi")],
    },
    Remedy {
        name: "test-spacing", about: "Puts a space before the bracket that ends a test",
        languages: BASH, answers: &["missing-bracket"], says: &[],
        way: Way::Replace(&[(r"(\[ [^\]]*[^\s\]])\]", "$1 ]", 0.5)]),
        examples: &[("missing-bracket", "[: missing `]'", "if [ 1 = 1]; then", "if [ 1 = 1 ]; then")],
    },
    Remedy {
        name: "test-end", about: "Ends a test by its bracket",
        languages: BASH, answers: &["missing-bracket"], says: &[],
        way: Way::Replace(&[(r"(\[ [^\];]*[^\s\];])(\s*;|\s*$)", "$1 ]$2", 0.6)]),
        examples: &[("missing-bracket", "[: missing `]'", "if [ 1 = 1; then", "if [ 1 = 1 ]; then")],
    },
    Remedy {
        name: "test-spacing", about: "Puts a space between if and its test",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Propose(|spot| {
            let spaced = |(line, away)| spot.replace_on(line, r"\bif\[", "if [", 0.6 + away);
            super::lines(spot).flat_map(spaced).collect()
        }),
        examples: &[("syntax-error", "syntax error near unexpected token `then'", "if[ 1 = 1 ]; then", "if [ 1 = 1 ]; then")],
    },
    Remedy {
        name: "text-compare", about: "Compares texts instead of numbers",
        languages: BASH, answers: &["integer-expected"], says: &[],
        way: Way::Replace(&[(r"-(?:eq)\b", "=", 0.8), (r"-ne\b", "!=", 0.8)]),
        examples: &[("integer-expected", "[: a: integer expression expected", "[ \"$a\" -eq \"b\" ]", "[ \"$a\" = \"b\" ]")],
    },
    Remedy {
        name: "missing-quotes", about: "Puts quotes around what echo prints",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Replace(&[(r"^(\s*echo )(.*)$", "${1}\"$2\"", 0.9)]),
        examples: &[("syntax-error", "syntax error near unexpected token `('", "echo a (b)", "echo \"a (b)\"")],
    },
    Remedy {
        name: "unquoted-parenthesis", about: "Takes parentheses as text",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Replace(&[(r"\(([^()]*)\)", "\\($1\\)", 1.2)]),
        examples: &[("syntax-error", "syntax error near unexpected token `('", "grep (b) a", "grep \\(b\\) a")],
    },
];

/// Every variable of the line between quotes.
fn quoted(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(pattern) = regex(r#"(^|[^"\w{$\\])(\$\{?\w+\}?)([^"\w]|$)"#) else { return Vec::new() };
    let mut all = spot.here().to_owned();
    for _ in 0..8 {
        let next = pattern.replace(&all, "${1}\"$2\"$3").into_owned();
        if next == all {
            break;
        }
        all = next;
    }
    vec![spot.rewrite(spot.line, &all, 0.4, "Puts quotes around the variables")]
}

fn spaced(spot: &Spot<'_>) -> Vec<Candidate> {
    if !spot.here().contains('[') {
        return Vec::new();
    }
    let mut fixed = spot.here().to_owned();
    for (pattern, new) in [(r"(\[{1,2})([^\s\[])", "$1 $2"), (r"([^\s\]])(\]{1,2})", "$1 $2")] {
        if let Some(pattern) = regex(pattern) {
            fixed = pattern.replace_all(&fixed, new).into_owned();
        }
    }
    let why = "Puts spaces inside the brackets of the test";
    let mut found = vec![spot.rewrite(spot.line, &fixed, 0.4, why)];
    found.extend(spot.replace(r"\bif\[", "if [", 0.5));
    found
}
