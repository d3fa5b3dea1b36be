//! Python's syntax family: colons, brackets, quotes, indentation, habits of other languages.

use super::spot::{Spot, regex};
use crate::Candidate;
use formicary_diagnose::names;

const KEYWORDS: &[&str] = &[
    "def", "class", "return", "if", "elif", "else", "for", "while", "import", "from", "as", "with", "try",
    "except", "finally", "raise", "pass", "break", "continue", "lambda", "yield", "global", "nonlocal",
    "assert", "del", "not", "and", "or", "in", "is", "async", "await", "True", "False", "None",
];

/// Habits of other languages, as patterns with what Python writes.
const HABITS: &[(&str, &str)] = &[
    (r"\belse if\b", "elif"),
    (r"\belseif\b", "elif"),
    (r"\belsif\b", "elif"),
    (r"\s*&&\s*", " and "),
    (r"\s*\|\|\s*", " or "),
    (r"!(\w)", "not $1"),
    (r"(\w+)\+\+", "$1 += 1"),
    (r"(\w+)--", "$1 -= 1"),
    (r"\bfunction (\w+)", "def $1"),
    (r"\b(?:var|let|const) (\w+)", "$1"),
    (r"\bprint (.+)$", "print($1)"),
    (r"\bcatch\b", "except"),
    (r"\bnew (\w+)\(", "$1("),
    (r"=>", ">="),
    (r"=<", "<="),
    (r"=!", "!="),
    (r"<>", "!="),
    (r"//\s*(.*)$", "# $1"),
    (r"\s*\{\s*$", ":"),
    (r";\s*$", ""),
    (r"\bexcept (\w+), (\w+):", "except $1 as $2:"),
    (r"\braise (\w+), (.+)$", "raise $1($2)"),
    (r"(\w) \? ", "$1 "),
];

pub fn candidates(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = match spot.kind() {
        "IndentationError" => indentation(spot),
        "TabError" => tabs(spot),
        _ => Vec::new(),
    };
    if spot.kind() != "SyntaxError" {
        return found;
    }
    let here = spot.here();
    for line in [spot.line, spot.line.saturating_sub(1).max(1)] {
        let away = f64::from(spot.line - line) * 0.4;
        let text = spot.line_at(line);
        if regex(r"^\s*(?:async )?(?:def|class|if|elif|else|for|while|try|except|finally|with|match|case)\b")
            .is_some_and(|opens| opens.is_match(text))
            && !text.trim_end().ends_with(':')
        {
            let code = text.split(" #").next().unwrap_or(text).trim_end();
            let at = spot.start_of(line) + code.len();
            found.push(spot.insert(
                at,
                ":",
                "missing-colon",
                0.5 + away,
                "Adds the colon that opens the block",
            ));
        }
        found.extend(brackets(spot, line, away));
        found.extend(quotes(spot, line, away));
    }
    if spot.says("'==' ") || spot.says("'=='") || spot.says("cannot assign") || spot.says("invalid syntax") {
        found.extend(spot.replace(
            r"((?:if|elif|while|return|and|or|not)\b[^=]*[^=!<>:])=([^=])",
            "$1==$2",
            "equals-for-compare",
            0.7,
        ));
    }
    if spot.says("cannot assign") {
        found.extend(spot.replace(
            r"^(\s*)([^=\s]+)\s*=\s*(\w+)\s*$",
            "$1$3 = $2",
            "swapped-assignment",
            1.0,
        ));
        found.extend(spot.replace(r"(\w)-(\w)", "${1}_$2", "dash-in-name", 0.9));
    }
    if spot.says("forgot a comma") || spot.says("invalid syntax") {
        found.extend(spot.replace(r#"(["'\w\])])(\s+)(["'\w\[({])"#, "$1,$2$3", "missing-comma", 1.5));
        let above = spot.line.saturating_sub(1).max(1);
        for line in [spot.line, above] {
            let at = spot.start_of(line) + spot.line_at(line).trim_end().len();
            found.push(spot.insert(at, ",", "missing-comma", 1.3, "Adds a comma at the end of the line"));
        }
    }
    for (pattern, new) in HABITS {
        found.extend(spot.replace(pattern, new, "foreign-syntax", 1.0));
    }
    if spot.says("outside function") || spot.says("outside loop") {
        let start = spot.start_of(spot.line);
        found.push(spot.insert(start, "    ", "indentation", 1.0, "Indents the line"));
    }
    for word in names::of(here).keys() {
        for near in names::near(word, "", KEYWORDS).into_iter().take(1) {
            found.extend(spot.replace_word(word, &near, "misspelt-keyword", 1.2));
        }
    }
    found
}

/// Brackets that a line leaves open or closes too often.
fn brackets(spot: &Spot<'_>, line: u32, away: f64) -> Vec<Candidate> {
    let text = spot.line_at(line);
    let mut open = Vec::new();
    let mut quote = None;
    let mut found = Vec::new();
    for (offset, c) in text.char_indices() {
        match (quote, c) {
            (Some(own), c) if c == own => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => break,
            (None, '(' | '[' | '{') => open.push(c),
            (None, ')' | ']' | '}') => {
                let wanted = open.pop().map(closer);
                let at = spot.start_of(line) + offset;
                match wanted {
                    None => found.push(spot.make(
                        vec![spot.edit(at, at + 1, "")],
                        "unmatched-bracket",
                        0.8 + away,
                        "Removes a bracket that closes nothing",
                    )),
                    Some(wanted) if wanted != c => {
                        found.push(spot.make(
                            vec![spot.edit(at, at + 1, wanted.to_string())],
                            "wrong-bracket",
                            0.8 + away,
                            "Closes the bracket by its own kind",
                        ));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    if !open.is_empty() {
        let closing: String = open.iter().rev().map(|c| closer(*c)).collect();
        let code = text.trim_end();
        let colon = code.strip_suffix(':').map_or(code.len(), str::len);
        let start = spot.start_of(line);
        found.push(spot.insert(
            start + colon,
            &closing,
            "missing-bracket",
            0.6 + away,
            "Closes what the line opens",
        ));
        if code.ends_with(',') {
            found.push(spot.make(
                vec![spot.edit(start + code.len() - 1, start + code.len(), closing.clone())],
                "missing-bracket",
                0.7 + away,
                "Closes what the line opens",
            ));
        }
        if colon == code.len()
            && regex(r"^\s*(?:def|class|if|elif|for|while|with)\b").is_some_and(|opens| opens.is_match(text))
        {
            found.push(spot.insert(
                start + code.len(),
                &format!("{closing}:"),
                "missing-bracket",
                0.7 + away,
                "Closes what the line opens, and opens the block",
            ));
        }
        // A collection over several lines is closed where the next statement begins.
        let count = spot.text.lines().count() as u32;
        let next = (line + 1..=count).find(|next| {
            let text = spot.line_at(*next);
            text.trim().is_empty() || (spot.indent(*next).len() <= spot.indent(line).len())
        });
        if let Some(next) = next.filter(|next| *next > line + 1) {
            let at = spot.start_of(next);
            found.push(spot.insert(
                at,
                &format!("{}{closing}\n", spot.indent(line)),
                "missing-bracket",
                0.9 + away,
                "Closes what was opened above",
            ));
        }
    }
    found
}

fn closer(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// A quote that a line leaves open.
fn quotes(spot: &Spot<'_>, line: u32, away: f64) -> Vec<Candidate> {
    let text = spot.line_at(line);
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(own), c) if c == own => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => break,
            _ => {}
        }
    }
    let Some(quote) = quote else { return Vec::new() };
    let code = text.trim_end();
    let start = spot.start_of(line);
    let tail = code.len() - code.trim_end_matches([')', ']', '}', ':', ',']).len();
    let mut places: Vec<usize> = (0..=tail).rev().map(|back| start + code.len() - back).collect();
    places.dedup();
    let mut found: Vec<Candidate> = places
        .into_iter()
        .enumerate()
        .map(|(rank, at)| {
            spot.insert(
                at,
                &quote.to_string(),
                "missing-quote",
                0.6 + away + rank as f64 * 0.1,
                "Closes the quote",
            )
        })
        .collect();
    let other = if quote == '"' { '\'' } else { '"' };
    // A text opened by one quote and closed by the other.
    for (offset, _) in text.match_indices(other) {
        let at = start + offset;
        found.push(spot.make(
            vec![spot.edit(at, at + 1, quote.to_string())],
            "wrong-quote",
            0.7 + away,
            "Closes the quote by its own kind",
        ));
    }
    found
}

fn indentation(spot: &Spot<'_>) -> Vec<Candidate> {
    let start = spot.start_of(spot.line);
    let own = spot.indent(spot.line);
    let mut found = Vec::new();
    let above = (1..spot.line).rev().find(|line| !spot.line_at(*line).trim().is_empty());
    let set = |indent: &str, cost: f64| {
        spot.make(
            vec![spot.edit(start, start + own.len(), indent)],
            "indentation",
            cost,
            "Indents the line like its block",
        )
    };
    if spot.says("expected an indented block") {
        let head = above.map_or("", |line| spot.indent(line));
        let wanted = format!("{head}    ");
        // The lines that follow at the same depth belong to the block, up to the next blank line.
        let mut block = Vec::new();
        let count = spot.text.lines().count() as u32;
        for line in spot.line..=count {
            if spot.line_at(line).trim().is_empty() || spot.indent(line).len() < own.len() {
                break;
            }
            block.push(line);
        }
        for length in 1..=block.len().min(6) {
            let edits = block[..length].iter().map(|line| {
                let at = spot.start_of(*line);
                let deeper = &spot.indent(*line)[own.len()..];
                spot.edit(at, at + spot.indent(*line).len(), format!("{wanted}{deeper}"))
            });
            let whole = length == block.len();
            found.push(spot.make(
                edits.collect(),
                "indentation",
                if whole { 0.6 } else { 0.8 + length as f64 * 0.05 },
                "Indents the body of the block",
            ));
        }
        found.push(spot.insert(
            start,
            &format!("{wanted}pass\n"),
            "empty-block",
            1.5,
            "Fills the empty block with pass",
        ));
    }
    if let Some(above) = above {
        found.push(set(spot.indent(above), 0.7));
    }
    let mut tried = std::collections::BTreeSet::new();
    for line in (1..spot.line).rev() {
        let indent = spot.indent(line);
        if !spot.line_at(line).trim().is_empty()
            && indent != own
            && tried.insert(indent.len())
            && tried.len() <= 4
        {
            found.push(set(indent, 0.8 + tried.len() as f64 * 0.1));
        }
    }
    found
}

fn tabs(spot: &Spot<'_>) -> Vec<Candidate> {
    [4, 8]
        .iter()
        .map(|width| {
            let edits = (1..=spot.text.lines().count() as u32)
                .filter(|line| spot.indent(*line).contains('\t'))
                .map(|line| {
                    let (at, indent) = (spot.start_of(line), spot.indent(line));
                    spot.edit(at, at + indent.len(), indent.replace('\t', &" ".repeat(*width)))
                });
            spot.make(edits.collect(), "tabs", 0.6, "Indents by spaces only")
        })
        .collect()
}
