//! The code around a finding, with a mark under it.

use anstyle::Style;
use formicary_model::review::Span;
use formicary_model::visible::one_line;

const FAINT: Style = Style::new().dimmed();
/// Longer lines are cut around the mark.
const WIDTH: usize = 140;
/// Of a range over many lines, only the first ones are shown.
const MOST_LINES: u32 = 4;

/// The lines of a span, numbered and marked. Empty where the span is outside the text.
pub fn frame(text: &str, span: &Span, style: Style) -> String {
    let first = span.start_line.max(1);
    let last = span.end_line.max(first).min(first + MOST_LINES - 1);
    let width = last.to_string().len().max(4);
    let mut shown = String::new();
    let lines = text.lines().enumerate().skip(first as usize - 1).take((last - first + 1) as usize);
    for (index, line) in lines {
        let number = index as u32 + 1;
        let chars: Vec<char> = line.chars().map(|c| if c == '\t' { ' ' } else { c }).collect();
        let from = if number == first { span.start_column.max(1) as usize - 1 } else { indent(&chars) };
        let to = if number == span.end_line && span.end_column > 0 {
            (span.end_column as usize - 1).max(from + 1)
        } else {
            chars.len()
        };
        let cut = if chars.len() > WIDTH { from.saturating_sub(40) } else { 0 };
        let piece: String = chars.iter().skip(cut).take(WIDTH).collect();
        let before: String = chars.iter().skip(cut).take(from.saturating_sub(cut)).collect();
        let marked: String =
            chars.iter().skip(from.max(cut)).take(to.saturating_sub(from)).take(WIDTH).collect();
        shown.push_str(&format!("{FAINT}{number:>width$} |{FAINT:#} {}\n", one_line(&piece)));
        if number == first {
            let gap = " ".repeat(one_line(&before).chars().count());
            let mark = "^".repeat(one_line(&marked).chars().count().clamp(1, WIDTH));
            shown.push_str(&format!("{FAINT}{:>width$} |{FAINT:#} {gap}{style}{mark}{style:#}\n", ""));
        }
    }
    if span.end_line > last && !shown.is_empty() {
        shown.push_str(&format!("{FAINT}{:>width$} | … to line {}{FAINT:#}\n", "", span.end_line));
    }
    shown
}

fn indent(chars: &[char]) -> usize {
    chars.iter().take_while(|c| c.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, start: usize, end: usize) -> String {
        let framed = frame(text, &Span::of_bytes(text, start, end), Style::new());
        framed.replace("\u{1b}[2m", "").replace("\u{1b}[0m", "")
    }

    #[test]
    fn the_mark_stands_under_the_code() {
        assert_eq!(plain("x = eval(y)\n", 4, 8), "   1 | x = eval(y)\n     |     ^^^^\n");
        assert_eq!(plain("a\n\té = b\n", 3, 5), "   2 |  é = b\n     |  ^\n");
    }

    #[test]
    fn code_cannot_steer_the_terminal() {
        let framed = plain("\u{1b}[2J\u{202e}x\n", 0, 1);
        assert!(!framed.contains('\u{1b}') && framed.contains("\\u{202e}"), "{framed}");
    }

    #[test]
    fn places_outside_give_nothing() {
        assert_eq!(frame("a\n", &Span::of_line(9), Style::new()), "");
    }
}
