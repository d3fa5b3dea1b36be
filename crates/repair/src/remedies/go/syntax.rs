//! Braces, brackets, quotes, commas, habits of other languages.

use crate::Candidate;
use crate::remedies::remedy::{GO, Remedy, Way};
use crate::remedies::spot::{Spot, fits};
use crate::remedies::tokens::{close_block, close_brackets, close_quote, opens_more};

const FAILED: &[&str] = &["syntax-error"];
const ENDS: &[char] = &['{', ' '];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "else-on-its-line", about: "Puts else behind the brace",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(else_on_its_line),
        examples: &[("syntax-error", "syntax error: else must be on the same line as closing brace", "if a {\n\t}\n▸\telse {", "if a {\n\t} else {")],
    },
    Remedy {
        name: "missing-brace", about: "Opens or closes a block",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(missing_brace),
        examples: &[
            ("syntax-error", "syntax error: unexpected newline, expected {", "▸if a\n\tf()\n}", "if a {\n\tf()\n}"),
            ("syntax-error", "syntax error: unexpected EOF", "func f() {\n", "func f() {\n}\n"),
        ],
    },
    Remedy {
        name: "brace-on-its-line", about: "Puts a brace behind its head",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(brace_on_its_line),
        examples: &[("syntax-error", "syntax error: unexpected semicolon or newline before {", "▸func f()\n{\n}", "func f() {\n}")],
    },
    Remedy {
        name: "missing-bracket", about: "Closes a bracket",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_brackets(spot, &[('(', ')', ENDS), ('[', ']', ENDS)], false, 0.5)),
        examples: &[("syntax-error", "syntax error: unexpected newline in argument list", "f(g(1)", "f(g(1))")],
    },
    Remedy {
        name: "missing-quote", about: "Closes a quote",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_quote(spot, &[')', '{', ' '], false, 0.5)),
        examples: &[("syntax-error", "newline in string", "f(\"hello)", "f(\"hello\")")],
    },
    Remedy {
        name: "missing-comma", about: "Adds the comma before a line's end",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let added = |(line, away): (u32, f64)| {
                let end = spot.start_of(line) + spot.line_at(line).trim_end().len();
                spot.insert(end, ",", 0.9 + away * 0.3, "Adds the comma before the line's end")
            };
            spot.two_lines().map(added).into()
        }),
        examples: &[("syntax-error", "syntax error: unexpected newline in composite literal; possibly missing comma or }", "xs := []int{\n▸\t1\n}", "xs := []int{\n\t1,\n}")],
    },
    Remedy {
        name: "foreign-syntax", about: "Writes Go for habits of other languages",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Replace(&[
            (r"^(\s*)while\b", "${1}for", 1.0),
            (r"\b(?:let|const) (\w+) =", "$1 :=", 1.0),
            (r"(\w+) := ", "var $1 = ", 1.0),
            (r"^(\s*)int (\w+) =", "${1}$2 :=", 1.0),
            (r"\bfunction\b", "func", 1.0),
            (r"\bdef\b", "func", 1.0),
            (r"\bfun\b", "func", 1.0),
            (r"\belif\b", "else if", 1.0),
            (r"\band\b", "&&", 1.0),
            (r"\bor\b", "||", 1.0),
            (r"\bnot ", "!", 1.0),
            (r"if \((.*)\)\s*$", "if $1 {", 1.0),
            (r"\+\+(\w+)", "$1++", 1.0),
            (r";\s*$", "", 1.0),
        ]),
        examples: &[
            ("syntax-error", "syntax error: unexpected {", "while a {", "for a {"),
            ("syntax-error", "syntax error: unexpected int", "int n = 1", "n := 1"),
            ("syntax-error", "syntax error: non-declaration statement outside function body", "n := 1", "var n = 1"),
        ],
    },
];

fn else_on_its_line(spot: &Spot<'_>) -> Vec<Candidate> {
    if !spot.here().trim_start().starts_with("else") && !spot.says("else") {
        return Vec::new();
    }
    let above = spot.line.saturating_sub(1).max(1);
    let start = spot.start_of(above) + spot.line_at(above).len();
    let end = spot.start_of(spot.line) + spot.indent(spot.line).len();
    vec![spot.make(vec![spot.edit(start, end, " ")], 0.4, "Puts else behind the brace")]
}

fn missing_brace(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in spot.two_lines() {
        let code = spot.line_at(line).trim_end();
        if fits(r"^\s*(?:func|if|for|switch|else|type)\b", code) && !code.ends_with('{') {
            let end = spot.start_of(line) + code.len();
            found.push(spot.insert(end, " {", 0.6 + away * 0.3, "Opens the block"));
        }
    }
    found.extend(close_block(spot, 0.6));
    if opens_more(spot.text) {
        found.push(spot.line_before(spot.line, "}", 0.7, "Closes the block before this line"));
    }
    found
}

fn brace_on_its_line(spot: &Spot<'_>) -> Vec<Candidate> {
    let lines = spot.two_lines().into_iter().filter(|(line, _)| spot.line_at(line + 1).trim() == "{");
    let joined = |(line, away): (u32, f64)| {
        let end = spot.start_of(line) + spot.line_at(line).trim_end().len();
        let next = spot.start_of(line + 1) + spot.line_at(line + 1).len();
        spot.make(vec![spot.edit(end, next, " {")], 0.5 + away * 0.3, "Puts the brace behind its head")
    };
    lines.map(joined).collect()
}
