//! Semicolons, commas, brackets, quotes, braces, habits of other languages.

use crate::remedies::remedy::{RUST, Remedy, Way};
use crate::remedies::tokens::{close_block, close_brackets, close_quote, end_statement};

const FAILED: &[&str] = &["error"];
const OPEN: &[char] = &[';', '{', '}', ','];
const ENDS: &[char] = &[';', '{', ' '];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-semicolon", about: "Ends a statement",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(|spot| end_statement(spot, OPEN, ";", 0.6, "Ends the statement")),
        examples: &[("error", "expected `;`, found `println`", "let a = 1\n▸f(a);", "let a = 1;\nf(a);")],
    },
    Remedy {
        name: "missing-comma", about: "Adds a comma at the end of a line",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(|spot| end_statement(spot, OPEN, ",", 0.8, "Adds the comma")),
        examples: &[("error", "expected one of `,`, `.`, `?`, `]`, or an operator, found `2`", "let xs = [\n    1\n▸    2];", "let xs = [\n    1,\n    2];")],
    },
    Remedy {
        name: "missing-bracket", about: "Closes a bracket",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_brackets(spot, &[('(', ')', ENDS), ('[', ']', ENDS)], true, 0.5)),
        examples: &[("error", "this file contains an unclosed delimiter", "f(g(1);", "f(g(1));")],
    },
    Remedy {
        name: "missing-quote", about: "Closes a quote",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_quote(spot, &[';', ')', ' '], true, 0.5)),
        examples: &[("error", "unterminated double quote string", "f(\"hello);", "f(\"hello\");")],
    },
    Remedy {
        name: "missing-brace", about: "Closes a block",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_block(spot, 0.6)),
        examples: &[("error", "this file contains an unclosed delimiter", "fn main() {\n", "fn main() {\n}\n")],
    },
    Remedy {
        name: "foreign-syntax", about: "Writes Rust for habits of other languages",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[
            (r"\bfunction\b|\bdef\b|\bfunc\b", "fn", 1.0),
            (r"\belif\b|\belse if\b", "else if", 1.0),
            (r"\band\b", "&&", 1.0),
            (r"\bor\b", "||", 1.0),
            (r"\bprintln\(", "println!(", 1.0),
            (r"(\w+)\+\+", "$1 += 1", 1.0),
            (r"\bvar\b", "let mut", 1.0),
            (r"=>", "->", 1.0),
            (r"'([^']{2,})'", "\"$1\"", 1.0),
        ]),
        examples: &[
            ("error", "expected one of `!` or `::`, found `main`", "def main() {", "fn main() {"),
            ("error", "Rust has no postfix increment operator", "n++;", "n += 1;"),
        ],
    },
];
