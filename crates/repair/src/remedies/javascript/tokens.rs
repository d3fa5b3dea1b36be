//! Brackets, quotes, commas and braces.

use crate::Candidate;
use crate::remedies::remedy::{Remedy, SCRIPT, Way};
use crate::remedies::spot::{Spot, fits};
use crate::remedies::tokens::{close_block, close_brackets, code, opens_more};

const FAILED: &[&str] = &["SyntaxError"];
const ENDS: &[char] = &[';', '{', ' '];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-bracket", about: "Closes a bracket",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_brackets(spot, &[('(', ')', ENDS), ('[', ']', ENDS)], true, 0.5)),
        examples: &[("SyntaxError", "missing ) after argument list", "console.log(Math.min(1, 2);", "console.log(Math.min(1, 2));")],
    },
    Remedy {
        name: "unmatched-bracket", about: "Removes a bracket that closes nothing",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(unmatched),
        examples: &[("SyntaxError", "Unexpected token ')'", "x = f(1));", "x = f(1);")],
    },
    Remedy {
        name: "missing-quote", about: "Closes a quote",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(missing_quote),
        examples: &[("SyntaxError", "Invalid or unexpected token", "f(\"hello);", "f(\"hello\");")],
    },
    Remedy {
        name: "missing-comma", about: "Adds a comma at the end of a line",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let added = |(line, away): (u32, f64)| {
                let end = spot.start_of(line) + code(spot.line_at(line), true).len();
                spot.insert(end, ",", 1.2 + away * 0.3, "Adds a comma at the end of the line")
            };
            spot.two_lines().map(added).into()
        }),
        examples: &[("SyntaxError", "Unexpected identifier 'b'", "o = {\n  a: 1\n  b: 2", "o = {\n  a: 1,\n  b: 2")],
    },
    Remedy {
        name: "missing-brace", about: "Opens or closes a block",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(missing_brace),
        examples: &[
            ("SyntaxError", "Unexpected token '}'", "▸if (x)\n  f();\n}", "if (x) {\n  f();\n}"),
            ("SyntaxError", "Unexpected end of input", "if (x) {\n  f();\n", "if (x) {\n  f();\n}\n"),
        ],
    },
    Remedy {
        name: "needless-brace", about: "Removes a brace that closes nothing",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let closes_more = spot.text.matches('}').count() > spot.text.matches('{').count();
            let removed = || spot.rewrite(spot.line, "", 0.7, "Removes a brace that closes nothing");
            Vec::from_iter((closes_more && spot.here().trim() == "}").then(removed))
        }),
        examples: &[("SyntaxError", "Unexpected token '}'", "f();\n}", "f();\n")],
    },
];

fn unmatched(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in spot.two_lines() {
        let code = code(spot.line_at(line), true);
        let trimmed = code.trim_end_matches(ENDS);
        let at = spot.start_of(line) + trimmed.len();
        for (open, close) in [('(', ')'), ('[', ']')] {
            if code.matches(open).count() < code.matches(close).count() && trimmed.ends_with(close) {
                let edits = vec![spot.edit(at - 1, at, "")];
                found.push(spot.make(edits, 0.6 + away * 0.3, "Removes a bracket that closes nothing"));
            }
        }
    }
    found
}

fn missing_quote(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in spot.two_lines() {
        let code = code(spot.line_at(line), true);
        for quote in
            ['"', '\'', '`'].into_iter().filter(|quote| !code.matches(*quote).count().is_multiple_of(2))
        {
            let inner = code.trim_end_matches([';', ')', ']', '}', ',']);
            for (length, cost) in [(inner.len(), 0.5), (code.len(), 0.6)] {
                let at = spot.start_of(line) + length;
                found.push(spot.insert(at, &quote.to_string(), cost + away * 0.3, "Closes the quote"));
            }
        }
    }
    found
}

fn missing_brace(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in spot.two_lines() {
        let code = code(spot.line_at(line), true);
        if fits(r"^\s*(?:if|for|while|function|else|class|async)\b", code) && !code.ends_with('{') {
            let end = spot.start_of(line) + code.len();
            found.push(spot.insert(end, " {", 0.7 + away * 0.3, "Opens the block"));
        }
    }
    found.extend(close_block(spot, 0.6));
    if opens_more(spot.text) {
        found.push(spot.insert(spot.text.len(), "});\n", 0.9, "Closes the callback at the end"));
    }
    found
}
