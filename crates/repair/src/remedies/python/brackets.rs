//! Brackets and quotes that a line leaves open or closes too often.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::{Spot, fits};

const FAILED: &[&str] = &["SyntaxError"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "unmatched-bracket", about: "Removes a bracket that closes nothing",
        languages: PYTHON, answers: FAILED, says: &[],
        way: Way::Propose(|spot| on_two_lines(spot, unmatched)),
        examples: &[("SyntaxError", "unmatched ')'", "x = max(1, 2))", "x = max(1, 2)")],
    },
    Remedy {
        name: "wrong-bracket", about: "Closes a bracket by its own kind",
        languages: PYTHON, answers: FAILED, says: &[],
        way: Way::Propose(|spot| on_two_lines(spot, wrong)),
        examples: &[("SyntaxError", "closing parenthesis ']' does not match opening parenthesis '('", "x = max(1, 2]", "x = max(1, 2)")],
    },
    Remedy {
        name: "missing-bracket", about: "Closes what a line opens",
        languages: PYTHON, answers: FAILED, says: &[],
        way: Way::Propose(|spot| on_two_lines(spot, missing)),
        examples: &[
            ("SyntaxError", "'(' was never closed", "▸print(max([1, 3])\nprint(end=\"\")", "print(max([1, 3]))\nprint(end=\"\")"),
            ("SyntaxError", "'(' was never closed", "▸def f(x\n    pass", "def f(x):\n    pass"),
        ],
    },
    Remedy {
        name: "missing-quote", about: "Closes a quote",
        languages: PYTHON, answers: FAILED, says: &[],
        way: Way::Propose(|spot| on_two_lines(spot, missing_quote)),
        examples: &[("SyntaxError", "unterminated string literal (detected at line 1)", "print(\"hello)", "print(\"hello\")")],
    },
    Remedy {
        name: "wrong-quote", about: "Closes a quote by its own kind",
        languages: PYTHON, answers: FAILED, says: &[],
        way: Way::Propose(|spot| on_two_lines(spot, wrong_quote)),
        examples: &[("SyntaxError", "unterminated string literal (detected at line 1)", "print(\"hello')", "print(\"hello\")")],
    },
];

/// The failing line and the one above, each with what its distance costs.
fn on_two_lines(spot: &Spot<'_>, look: fn(&Spot<'_>, u32, f64) -> Vec<Candidate>) -> Vec<Candidate> {
    spot.two_lines().into_iter().flat_map(|(line, away)| look(spot, line, away * 0.4)).collect()
}

fn closer(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// The brackets of a line.
#[derive(Default)]
struct Brackets {
    /// Those that are open at its end.
    open: Vec<char>,
    /// Closing ones where none or another was open: the byte, what is there, what should be.
    wrong: Vec<(usize, Option<char>)>,
}

fn read(text: &str) -> Brackets {
    let mut found = Brackets::default();
    let mut quote = None;
    for (offset, c) in text.char_indices() {
        match (quote, c) {
            (Some(own), c) if c == own => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => break,
            (None, '(' | '[' | '{') => found.open.push(c),
            (None, ')' | ']' | '}') => {
                let meant = found.open.pop().map(closer);
                if meant != Some(c) {
                    found.wrong.push((offset, meant));
                }
            }
            _ => {}
        }
    }
    found
}

fn unmatched(spot: &Spot<'_>, line: u32, away: f64) -> Vec<Candidate> {
    let start = spot.start_of(line);
    let places = read(spot.line_at(line)).wrong.into_iter().filter(|(_, meant)| meant.is_none());
    let removed = |(offset, _)| {
        let edit = spot.edit(start + offset, start + offset + 1, "");
        spot.make(vec![edit], 0.8 + away, "Removes a bracket that closes nothing")
    };
    places.map(removed).collect()
}

fn wrong(spot: &Spot<'_>, line: u32, away: f64) -> Vec<Candidate> {
    let start = spot.start_of(line);
    let places = read(spot.line_at(line)).wrong.into_iter();
    let closed = |(offset, meant): (usize, Option<char>)| {
        let edit = spot.edit(start + offset, start + offset + 1, meant?.to_string());
        Some(spot.make(vec![edit], 0.8 + away, "Closes the bracket by its own kind"))
    };
    places.filter_map(closed).collect()
}

fn missing(spot: &Spot<'_>, line: u32, away: f64) -> Vec<Candidate> {
    let text = spot.line_at(line);
    let open = read(text).open;
    if open.is_empty() {
        return Vec::new();
    }
    let closing: String = open.iter().rev().map(|c| closer(*c)).collect();
    let code = text.trim_end();
    let colon = code.strip_suffix(':').map_or(code.len(), str::len);
    let (start, end) = (spot.start_of(line), spot.start_of(line) + code.len());
    let why = "Closes what the line opens";
    let mut found = vec![spot.insert(start + colon, &closing, 0.6 + away, why)];
    if code.ends_with(',') {
        found.push(spot.make(vec![spot.edit(end - 1, end, closing.clone())], 0.7 + away, why));
    }
    if colon == code.len() && fits(r"^\s*(?:def|class|if|elif|for|while|with)\b", text) {
        let why = "Closes what the line opens, and opens the block";
        found.push(spot.insert(end, &format!("{closing}:"), 0.7 + away, why));
    }
    // A collection over several lines is closed where the next statement begins.
    let next = (line + 1..=spot.count()).find(|next| {
        spot.line_at(*next).trim().is_empty() || spot.indent(*next).len() <= spot.indent(line).len()
    });
    if let Some(next) = next.filter(|next| *next > line + 1) {
        let new = format!("{}{closing}\n", spot.indent(line));
        found.push(spot.insert(spot.start_of(next), &new, 0.9 + away, "Closes what was opened above"));
    }
    found
}

/// The quote that a line leaves open.
fn open_quote(text: &str) -> Option<char> {
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(own), c) if c == own => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => break,
            _ => {}
        }
    }
    quote
}

fn missing_quote(spot: &Spot<'_>, line: u32, away: f64) -> Vec<Candidate> {
    let text = spot.line_at(line);
    let Some(quote) = open_quote(text) else { return Vec::new() };
    let code = text.trim_end();
    let end = spot.start_of(line) + code.len();
    let tail = code.len() - code.trim_end_matches([')', ']', '}', ':', ',']).len();
    let places = (0..=tail).rev().map(|back| end - back);
    let costs = (0..).map(|rank| 0.6 + away + f64::from(rank) * 0.1);
    let closed = |(at, cost)| spot.insert(at, &quote.to_string(), cost, "Closes the quote");
    places.zip(costs).map(closed).collect()
}

/// A text opened by one quote and closed by the other.
fn wrong_quote(spot: &Spot<'_>, line: u32, away: f64) -> Vec<Candidate> {
    let text = spot.line_at(line);
    let Some(quote) = open_quote(text) else { return Vec::new() };
    let other = if quote == '"' { '\'' } else { '"' };
    let start = spot.start_of(line);
    let closed = |(offset, _)| {
        let edit = spot.edit(start + offset, start + offset + 1, quote.to_string());
        spot.make(vec![edit], 0.7 + away, "Closes the quote by its own kind")
    };
    text.match_indices(other).map(closed).collect()
}
