//! Heads without their words, blocks without their end.

use super::{UNREADABLE, lines};
use crate::Candidate;
use crate::remedies::remedy::{BASH, Remedy, Way};
use crate::remedies::spot::{Spot, fits};

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-end", about: "Closes a block at the end",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Propose(missing_end),
        examples: &[("syntax-error", "syntax error: unexpected end of file", "if true; then\n  echo x\n", "if true; then\n  echo x\nfi\n")],
    },
    Remedy {
        name: "missing-then", about: "Adds then behind a condition",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Propose(|spot| {
            let lacks = |text: &str| fits(r"^\s*(?:if|elif)\b", text) && !text.contains("then");
            missing_word(spot, lacks, "then")
        }),
        examples: &[("syntax-error", "syntax error near unexpected token `fi'", "if true\n  echo x\n▸fi", "if true; then\n  echo x\nfi")],
    },
    Remedy {
        name: "missing-do", about: "Adds do behind the head of a loop",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Propose(|spot| {
            let lacks = |text: &str| fits(r"^\s*(?:for|while|until)\b", text) && !fits(r"\bdo\b", text);
            missing_word(spot, lacks, "do")
        }),
        examples: &[("syntax-error", "syntax error near unexpected token `echo'", "for x in 1 2\n▸  echo $x\ndone", "for x in 1 2; do\n  echo $x\ndone")],
    },
    Remedy {
        name: "wrong-end", about: "Closes a block by its own word",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Propose(wrong_end),
        examples: &[("syntax-error", "syntax error near unexpected token `done'", "if true; then\n  echo x\n▸done", "if true; then\n  echo x\nfi")],
    },
    Remedy {
        name: "double-semicolon", about: "Writes one semicolon before then and do",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Propose(|spot| {
            let fixed = |(line, away)| spot.replace_on(line, r";;\s*(then|do)\b", "; $1", 0.6 + away);
            lines(spot).flat_map(fixed).collect()
        }),
        examples: &[("syntax-error", "syntax error near unexpected token `;;'", "if true;; then", "if true; then")],
    },
    Remedy {
        name: "foreign-syntax", about: "Writes Bash for habits of other languages",
        languages: BASH, answers: UNREADABLE, says: &[],
        way: Way::Propose(|spot| {
            let rows = [(r"\belse if\b", "elif", 0.6), (r"\bthen\s+if\b", "then", 1.2)];
            let on_line = |(line, away): (u32, f64)| {
                rows.map(|(pattern, new, cost)| spot.replace_on(line, pattern, new, cost + away)).concat()
            };
            lines(spot).flat_map(on_line).collect()
        }),
        examples: &[("syntax-error", "syntax error: unexpected end of file", "if a; then b\n▸else if c; then d\nfi", "if a; then b\nelif c; then d\nfi")],
    },
];

fn missing_end(spot: &Spot<'_>) -> Vec<Candidate> {
    let newline = if spot.text.ends_with('\n') { "" } else { "\n" };
    let closed = |word| {
        spot.insert(
            spot.text.len(),
            &format!("{newline}{word}\n"),
            0.7,
            format!("Closes the block by {word}"),
        )
    };
    ["fi", "done", "esac", "}"].map(closed).into()
}

/// A word behind heads that lack it, and whose next line does not begin with it.
fn missing_word(spot: &Spot<'_>, lacks: impl Fn(&str) -> bool, word: &str) -> Vec<Candidate> {
    let is_meant = |line: u32| {
        lacks(spot.line_at(line).trim_end()) && !spot.line_at(line + 1).trim_start().starts_with(word)
    };
    let added = |(line, away): (u32, f64)| {
        let at = spot.start_of(line) + spot.line_at(line).trim_end().len();
        spot.insert(at, &format!("; {word}"), 0.4 + away, format!("Adds {word}"))
    };
    lines(spot).filter(|(line, _)| is_meant(*line)).map(added).collect()
}

fn wrong_end(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in lines(spot) {
        let own = spot.line_at(line).trim();
        if matches!(own, "end" | "endif" | "}" | "done" | "fi" | "esac" | "od") {
            for word in ["fi", "done", "esac"].into_iter().filter(|word| *word != own) {
                let new = format!("{}{word}", spot.indent(line));
                found.push(spot.rewrite(line, &new, 0.8 + away, format!("Closes the block by {word}")));
            }
        }
    }
    found
}
