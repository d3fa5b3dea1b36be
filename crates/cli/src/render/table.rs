//! Plain tables: columns aligned, no lines, the last column free to wrap.

use crate::terminal::HEADING;
use anstyle::Style;
use formicary_model::visible::one_line;

/// One cell.
pub struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// A cell in a style.
    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { text: one_line(&text.into()), style }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::styled(text, Style::new())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::styled(text, Style::new())
    }
}

/// Rows under headings.
pub struct Table {
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with these headings.
    pub fn new(headings: &[&str]) -> Self {
        let headings = headings.iter().map(|heading| Cell::styled(*heading, HEADING)).collect();
        Self { rows: vec![headings] }
    }

    /// One more row.
    pub fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        self.rows.push(cells.into());
    }

    /// The table as text, with styles.
    pub fn render(&self) -> String {
        self.render_within(usize::MAX)
    }

    /// The same, with the last column broken between words where lines would be longer than this.
    pub fn render_within(&self, most: usize) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.text.chars().count()).max()
        };
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let last = row.iter().rposition(|cell| !cell.text.is_empty()).unwrap_or(0);
            for (index, (cell, width)) in row.iter().zip(&widths).enumerate().take(last + 1) {
                let style = cell.style;
                if index + 1 == columns {
                    let before: usize = widths.iter().take(index).map(|width| width + 2).sum();
                    // A column that is too narrow would be harder to read than long lines.
                    let room = most.saturating_sub(before).max(24);
                    let lines = wrap(&cell.text, room).join(&format!("\n{}", " ".repeat(before)));
                    text.push_str(&format!("{style}{lines}{style:#}"));
                    continue;
                }
                text.push_str(&format!("{style}{}{style:#}", cell.text));
                if index < last {
                    let gap = width - cell.text.chars().count() + 2;
                    text.extend(std::iter::repeat_n(' ', gap));
                }
            }
            text.push('\n');
        }
        text
    }
}

/// The text in lines of at most so many characters, broken between words; a longer word has a line of its own.
pub fn wrap(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count().saturating_add(length + 1) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_and_lines_have_no_tail() {
        let mut table = Table::new(&["A", "BB"]);
        table.row(["long".into(), "x".into()]);
        table.row(["é".into(), "".into()]);
        let plain = anstream::adapter::strip_str(&table.render()).to_string();
        assert_eq!(plain, "A     BB\nlong  x\né\n");
    }

    #[test]
    fn the_last_column_is_broken_between_words() {
        let mut table = Table::new(&["A", "B"]);
        table.row(["x".into(), "one two three four five six seven eight".into()]);
        let plain = anstream::adapter::strip_str(&table.render_within(30)).to_string();
        assert_eq!(plain, "A  B\nx  one two three four five six\n   seven eight\n");
        assert_eq!(wrap("a longest-word b", 5), ["a", "longest-word", "b"]);
    }

    #[test]
    fn a_cell_cannot_steer_the_terminal() {
        assert_eq!(Cell::from("a\x1b[2Jb\n").text, "a\\u{1b}[2Jb\\n");
    }
}
