//! Copies with exact labels: real functions, changed by operators whose effect is measured.
//!
//! The label of an edited copy is the smaller of its shares of equal lines and equal tokens, names and literals apart,
//! relative to the longer of the two; the operators go on until it lies in the wanted band.

pub mod functional;
pub mod mutate;
pub mod originals;

use formicary_clones::similarity::common_length;
use formicary_clones::tokens::{Class, tokens};
use formicary_clones::{CloneOptions, CloneSource, detect};
use formicary_syntax::Dialect;
use formicary_testkit::Chance;
use mutate::mutate;
use originals::Original;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a copy is by construction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// Layout and comments differ.
    Type1,
    /// Names and literals differ.
    Type2,
    /// 90 % and more are equal.
    VeryStrong,
    /// 70 to 90 %.
    Strong,
    /// 50 to 70 %.
    Moderate,
    /// The same work in another form.
    Functional,
}

impl Label {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Type1, Self::Type2, Self::VeryStrong, Self::Strong, Self::Moderate, Self::Functional];

    /// The band of likeness in which an edited copy lies.
    pub fn band(self) -> (f32, f32) {
        match self {
            Self::VeryStrong => (0.9, 0.995),
            Self::Strong => (0.7, 0.9),
            _ => (0.5, 0.7),
        }
    }

    /// For the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Type1 => "type 1",
            Self::Type2 => "type 2",
            Self::VeryStrong => "type 3, 90 % and more",
            Self::Strong => "type 3, 70 to 90 %",
            Self::Moderate => "type 3, 50 to 70 %",
            Self::Functional => "type 4",
        }
    }
}

/// The share of equal lines or tokens, whichever is smaller.
pub fn measured(dialect: Dialect, a: &str, b: &str) -> f32 {
    let read = |text: &str| -> (Vec<u32>, Vec<u32>) {
        let all = tokens(dialect, text);
        let lines = all
            .chunk_by(|x, y| x.line == y.line)
            .filter(|line| line.len() > 1 || line[0].class != Class::Mark)
            .map(|line| line.iter().fold(17u32, |sum, token| sum.wrapping_mul(31).wrapping_add(token.shape)))
            .collect();
        (lines, all.iter().map(|token| token.shape).collect())
    };
    let ((left_lines, left), (right_lines, right)) = (read(a), read(b));
    let share = |x: &[u32], y: &[u32]| common_length(x, y) as f32 / x.len().max(y.len()).max(1) as f32;
    share(&left_lines, &right_lines).min(share(&left, &right))
}

/// What came of one label.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    /// Copies that were made.
    pub made: u32,
    /// Copies that were found.
    pub found: u32,
}

/// What came of everything.
#[derive(Debug, Default)]
pub struct Outcome {
    /// By label.
    pub rows: BTreeMap<Label, Row>,
    /// Pairs that were reported.
    pub reported: u32,
    /// Those of them that are copies.
    pub right: u32,
    /// Some that are not.
    pub wrong: Vec<(String, String)>,
}

impl Outcome {
    /// The share of reported pairs that are copies.
    pub fn precision(&self) -> f64 {
        if self.reported == 0 { 1.0 } else { f64::from(self.right) / f64::from(self.reported) }
    }

    /// The share of copies that were found.
    pub fn recall(&self, label: Label) -> f64 {
        let row = self.rows.get(&label).copied().unwrap_or_default();
        if row.made == 0 { 1.0 } else { f64::from(row.found) / f64::from(row.made) }
    }
}

/// Makes copies of these functions and looks for them.
pub fn run(originals: &[Original], seed: u64) -> Outcome {
    let mut chance = Chance::new(seed);
    let donors: Vec<&str> = originals.iter().flat_map(|original| original.simple_lines()).collect();
    // One file each: path, the family, the label.
    let mut files: Vec<(String, Dialect, String)> = Vec::new();
    let mut made: Vec<(usize, Label)> = Vec::new();
    let mut family: HashMap<String, usize> = HashMap::new();
    for (index, original) in originals.iter().enumerate() {
        let ending = originals::ending(original.dialect);
        let mut file = |what: &str, text: String| {
            let path = format!("f{index}/{what}.{ending}");
            family.insert(path.clone(), index);
            files.push((path, original.dialect, text));
        };
        file("original", original.text.clone());
        for label in Label::ALL {
            if let Some(text) = mutate(original, label, &donors, &mut chance) {
                made.push((index, label));
                file(&format!("{label:?}"), text);
            }
        }
    }
    let sources: Vec<CloneSource<'_>> = files
        .iter()
        .map(|(path, dialect, text)| CloneSource { path, language: dialect.language(), text })
        .collect();
    let report = detect(&sources, &CloneOptions::default(), &|| false);
    let mut pairs: HashSet<(&str, &str)> = HashSet::new();
    for group in &report.groups {
        for (at, a) in group.places.iter().enumerate() {
            pairs.extend(group.places[at + 1..].iter().filter(|b| b.file != a.file).map(|b| {
                let (a, b) = (a.file.as_str(), b.file.as_str());
                if a < b { (a, b) } else { (b, a) }
            }));
        }
    }
    let mut outcome = Outcome { reported: pairs.len() as u32, ..Outcome::default() };
    for (a, b) in &pairs {
        if family[*a] == family[*b] {
            outcome.right += 1;
        } else {
            outcome.wrong.push(((*a).to_owned(), (*b).to_owned()));
        }
    }
    for (index, label) in made {
        let ending = originals::ending(originals[index].dialect);
        let (copy, original) =
            (format!("f{index}/{label:?}.{ending}"), format!("f{index}/original.{ending}"));
        let row = outcome.rows.entry(label).or_default();
        row.made += 1;
        row.found += u32::from(pairs.contains(&(copy.as_str(), original.as_str())));
    }
    outcome
}

/// The outcome as people read it.
pub fn table(name: &str, functions: usize, outcome: &Outcome) -> String {
    let mut text = format!("{name}: {functions} functions\n");
    for (label, row) in &outcome.rows {
        text += &format!(
            "  {:<24}{:>6} of {:>6}  {:>6.1} %\n",
            label.name(),
            row.found,
            row.made,
            outcome.recall(*label) * 100.0
        );
    }
    text += &format!(
        "  {:<24}{:>6} of {:>6}  {:>6.1} %\n",
        "precision",
        outcome.right,
        outcome.reported,
        outcome.precision() * 100.0
    );
    text
}
