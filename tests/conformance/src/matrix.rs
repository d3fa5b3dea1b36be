//! Every case against every provider, as one table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

type Cells = BTreeMap<String, BTreeMap<&'static str, &'static str>>;

/// The table, filled as cases end.
pub struct Matrix(Mutex<Cells>);

impl Matrix {
    /// An empty one.
    pub const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// A case was judged. One that may differ is marked: `differences.rs` says why.
    pub fn note(&self, label: &'static str, name: &str, held: bool, differs: bool) {
        let mark = match (held, differs) {
            (true, false) => "ok",
            (true, true) => "ok*",
            (false, _) => "FAILED",
        };
        self.set(label, name, mark);
    }

    /// The provider does not claim what the case needs.
    pub fn unclaimed(&self, label: &'static str, name: &str) {
        self.set(label, name, "-");
    }

    fn set(&self, label: &'static str, name: &str, mark: &'static str) {
        let case = name.strip_prefix(label).and_then(|rest| rest.strip_prefix("::")).unwrap_or(name);
        self.cells().entry(case.to_owned()).or_default().insert(label, mark);
    }

    fn cells(&self) -> MutexGuard<'_, Cells> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table for people; nothing where nothing was judged.
    pub fn lines(&self) -> Vec<String> {
        let cells = self.cells();
        let labels: BTreeSet<&str> = cells.values().flat_map(BTreeMap::keys).copied().collect();
        let width = cells.keys().map(String::len).max().unwrap_or(0);
        if labels.is_empty() {
            return Vec::new();
        }
        let line = |name: &str, mark: &dyn Fn(&str) -> String| {
            let marks = labels.iter().map(|label| format!("  {:1$}", mark(label), label.len()));
            format!("{name:width$}{}", marks.collect::<String>()).trim_end().to_owned()
        };
        let mut lines = vec![String::new(), line("case", &|label| label.to_owned())];
        for (name, row) in cells.iter() {
            lines.push(line(name, &|label| (*row.get(label).unwrap_or(&"")).to_owned()));
        }
        lines.push(
            "ok* may answer otherwise, for a reason that differences.rs gives; - is not claimed".into(),
        );
        lines
    }
}

impl Default for Matrix {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_case_and_a_column_for_each_provider() {
        let matrix = Matrix::new();
        assert!(matrix.lines().is_empty());
        matrix.note("a", "a::files::x", true, false);
        matrix.note("b", "b::files::x", false, false);
        matrix.unclaimed("b", "b::files::longer");
        let lines = matrix.lines();
        assert_eq!(lines[1..4], ["case           a  b", "files::longer     -", "files::x       ok  FAILED"]);
    }
}
