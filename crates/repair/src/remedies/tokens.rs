//! What remedies of several languages share: brackets, quotes and braces that a text leaves open.

use super::spot::Spot;
use crate::Candidate;

/// An opening bracket, its closing one, and what may stand behind the place of the closing one.
pub type Bracket = (char, char, &'static [char]);

/// Closes the brackets that the failing line or the one above leaves open.
pub fn close_brackets(spot: &Spot<'_>, brackets: &[Bracket], comments: bool, cost: f64) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in spot.two_lines() {
        let code = code(spot.line_at(line), comments);
        for (open, close, behind) in brackets {
            if code.matches(*open).count() > code.matches(*close).count() {
                let at = spot.start_of(line) + code.trim_end_matches(*behind).len();
                found.push(spot.insert(at, &close.to_string(), cost + away * 0.3, "Closes the bracket"));
            }
        }
    }
    found
}

/// Closes a double quote that the failing line or the one above leaves open.
pub fn close_quote(spot: &Spot<'_>, behind: &[char], comments: bool, cost: f64) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in spot.two_lines() {
        let code = code(spot.line_at(line), comments);
        if !code.matches('"').count().is_multiple_of(2) {
            let at = spot.start_of(line) + code.trim_end_matches(behind).len();
            found.push(spot.insert(at, "\"", cost + away * 0.3, "Closes the quote"));
        }
    }
    found
}

/// Ends a statement that goes on although it should not.
pub fn end_statement(spot: &Spot<'_>, ends: &[char], token: &str, cost: f64, why: &str) -> Vec<Candidate> {
    let lines = spot.two_lines().into_iter();
    let open = lines.filter_map(|(line, away)| {
        let code = code(spot.line_at(line), true);
        let goes_on = !code.is_empty() && !code.ends_with(ends);
        goes_on.then(|| spot.insert(spot.start_of(line) + code.len(), token, cost + away * 0.3, why))
    });
    open.collect()
}

/// Closes at the end of the text a block that is left open.
pub fn close_block(spot: &Spot<'_>, cost: f64) -> Vec<Candidate> {
    let open = opens_more(spot.text);
    Vec::from_iter(open.then(|| spot.insert(spot.text.len(), "}\n", cost, "Closes the block at the end")))
}

/// Whether a text has more opening braces than closing ones.
pub fn opens_more(text: &str) -> bool {
    text.matches('{').count() > text.matches('}').count()
}

/// A line without its end, and without its comment.
pub fn code(line: &str, comments: bool) -> &str {
    match comments {
        true => line.split("//").next().unwrap_or_default().trim_end(),
        false => line.trim_end(),
    }
}
