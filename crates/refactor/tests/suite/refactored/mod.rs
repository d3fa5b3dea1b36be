//! Changes with exact labels: real files, refactored by operators, with other edits beside them.
//!
//! Every change is judged in both directions: what extracts on the way there inlines on the way back.

pub mod bodies;
pub mod members;
pub mod noise;
pub mod signatures;
pub mod state;

use formicary_model::refactorings::{Refactoring, RefactoringKind as Kind};
use formicary_refactor::detection::declarations::VersionFile;
use formicary_refactor::detection::detect;
use formicary_syntax::Dialect;
use state::{Chance, State};
use std::collections::BTreeMap;

/// The extension of a language's files.
pub fn extension(dialect: Dialect) -> &'static str {
    dialect.language().extensions()[0]
}

/// What a change holds by construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Which refactoring.
    pub kind: Kind,
    /// The last word of what it was; empty for anything.
    pub old: String,
    /// The last word of what it is; empty for anything.
    pub new: String,
}

impl Label {
    /// Of two names.
    pub fn new(kind: Kind, old: &str, new: &str) -> Self {
        Self { kind, old: old.to_owned(), new: new.to_owned() }
    }

    // The same on the way back.
    fn back(&self) -> Self {
        let kind = match self.kind {
            Kind::ExtractMethod => Kind::InlineMethod,
            Kind::ExtractVariable => Kind::InlineVariable,
            Kind::AddParameter => Kind::RemoveParameter,
            Kind::PullUpMethod => Kind::PushDownMethod,
            Kind::PullUpField => Kind::PushDownField,
            Kind::AddMethodAnnotation => Kind::RemoveMethodAnnotation,
            Kind::AddMethodModifier => Kind::RemoveMethodModifier,
            Kind::AddThrownException => Kind::RemoveThrownException,
            Kind::SplitConditional => Kind::MergeConditional,
            Kind::LoopToComprehension => Kind::ComprehensionToLoop,
            same => same,
        };
        Self { kind, old: self.new.clone(), new: self.old.clone() }
    }

    fn is(&self, found: &Refactoring) -> bool {
        let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
        let fits = |wanted: &str, name: &str| wanted.is_empty() || wanted == name || wanted == last(name);
        self.kind == found.kind && fits(&self.old, &found.before.name) && fits(&self.new, &found.after.name)
    }
}

/// One way to change a project.
pub type Operator = fn(&mut State, &mut Chance) -> Option<Vec<Label>>;

/// All of them.
pub const OPERATORS: &[(&str, Operator)] = &[
    ("rename method", members::rename_method),
    ("rename class", members::rename_class),
    ("rename attribute", members::rename_field),
    ("move method", members::move_method),
    ("move class", members::move_class),
    ("move file", members::move_file),
    ("pull up", members::pull_up),
    ("rename variable", bodies::rename_variable),
    ("rename parameter", signatures::rename_parameter),
    ("add parameter", signatures::add_parameter),
    ("reorder parameters", signatures::reorder_parameters),
    ("retype parameter", signatures::retype_parameter),
    ("change result", signatures::change_result),
    ("annotate", signatures::annotate),
    ("access", signatures::access),
    ("throws", signatures::throws),
    ("extract method", bodies::extract_method),
    ("extract variable", bodies::extract_variable),
    ("invert", bodies::invert),
];

/// What came of one kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    /// Made by construction.
    pub made: u32,
    /// Made and found.
    pub found: u32,
    /// Found and not made.
    pub wrong: u32,
}

impl Row {
    /// The share of those made that were found.
    pub fn recall(&self) -> f64 {
        if self.made == 0 { 1.0 } else { f64::from(self.found) / f64::from(self.made) }
    }

    /// The share of those found that were made.
    pub fn precision(&self) -> f64 {
        let all = self.found + self.wrong;
        if all == 0 { 1.0 } else { f64::from(self.found) / f64::from(all) }
    }
}

/// What came of everything.
#[derive(Debug, Default)]
pub struct Outcome {
    /// By kind.
    pub rows: BTreeMap<Kind, Row>,
    /// Some that were missed or invented.
    pub errors: Vec<String>,
}

/// Kinds by the words of the demand.
pub const FAMILIES: &[(&str, &[Kind])] = &[
    (
        "rename",
        &[
            Kind::RenameMethod,
            Kind::RenameClass,
            Kind::RenameField,
            Kind::RenameVariable,
            Kind::RenameParameter,
            Kind::RenameFile,
        ],
    ),
    ("move", &[Kind::MoveMethod, Kind::MoveClass, Kind::MoveFile, Kind::PullUpMethod, Kind::PushDownMethod]),
    ("extract", &[Kind::ExtractMethod, Kind::ExtractVariable]),
    ("inline", &[Kind::InlineMethod, Kind::InlineVariable]),
    (
        "signature",
        &[
            Kind::AddParameter,
            Kind::RemoveParameter,
            Kind::ReorderParameters,
            Kind::ChangeParameterType,
            Kind::ChangeReturnType,
        ],
    ),
];

impl Outcome {
    /// One family together.
    pub fn family(&self, kinds: &[Kind]) -> Row {
        let mut sum = Row::default();
        for row in kinds.iter().filter_map(|kind| self.rows.get(kind)) {
            sum.made += row.made;
            sum.found += row.found;
            sum.wrong += row.wrong;
        }
        sum
    }

    fn judge(
        &mut self,
        name: &str,
        before: &[(String, String)],
        after: &[(String, String)],
        labels: &[Label],
    ) {
        let report = detect(&versions(before), &versions(after));
        let mut rest: Vec<&Refactoring> = report.refactorings.iter().collect();
        for label in labels {
            let row = self.rows.entry(label.kind).or_default();
            row.made += 1;
            match rest.iter().position(|found| label.is(found)) {
                Some(at) => {
                    row.found += 1;
                    rest.remove(at);
                }
                None => self.errors.push(format!("missed {label:?} in {name}")),
            }
        }
        for found in rest {
            self.rows.entry(found.kind).or_default().wrong += 1;
            self.errors.push(format!(
                "invented {:?}: {} ({}:{} → {}) in {name}, made {labels:?}",
                found.kind,
                found.description,
                found.before.file,
                found.before.first_line,
                found.after.first_line
            ));
        }
    }
}

fn versions(list: &[(String, String)]) -> Vec<VersionFile<'_>> {
    list.iter().map(|(path, text)| VersionFile { path, text }).collect()
}

/// Refactors these files, one operator at a time and several at once, and asks what happened.
pub fn run(dialect: Dialect, files: &[(String, String)], seed: u64, rounds: usize) -> Outcome {
    let mut chance = Chance::new(seed);
    let mut outcome = Outcome::default();
    if files.len() < 2 {
        return outcome;
    }
    for round in 0..rounds {
        for (index, (name, operator)) in OPERATORS.iter().enumerate() {
            // Every fourth change holds three refactorings.
            let more = if (round + index) % 4 == 3 { 2 } else { 0 };
            let first = chance.below(files.len());
            let second = (first + 1 + chance.below(files.len() - 1)) % files.len();
            let before = vec![files[first].clone(), files[second].clone()];
            let mut state = State::new(dialect, before.clone());
            let Some(mut labels) = operator(&mut state, &mut chance) else { continue };
            for _ in 0..more {
                let (_, other) = OPERATORS[chance.below(OPERATORS.len())];
                let kept = state.clone();
                match other(&mut state, &mut chance) {
                    Some(found) => labels.extend(found),
                    None => state = kept,
                }
            }
            noise::add(&mut state, &mut chance);
            if !state.is_sound() {
                continue;
            }
            let mut start = before.clone();
            start.extend(state.added_before.iter().cloned());
            outcome.judge(name, &start, &state.files, &labels);
            let back: Vec<Label> = labels.iter().map(Label::back).collect();
            outcome.judge(&format!("{name}, back"), &state.files, &start, &back);
        }
    }
    outcome
}

/// The outcome as people read it.
pub fn table(name: &str, outcome: &Outcome) -> String {
    let mut text = format!(
        "{name}\n  {:<28}{:>6}{:>7}{:>7}{:>11}{:>9}\n",
        "", "made", "found", "wrong", "precision", "recall"
    );
    let mut line = |name: &str, row: &Row| {
        text += &format!(
            "  {name:<28}{:>6}{:>7}{:>7}{:>11.3}{:>9.3}\n",
            row.made,
            row.found,
            row.wrong,
            row.precision(),
            row.recall()
        );
    };
    for (kind, row) in &outcome.rows {
        line(kind.words(), row);
    }
    for (family, kinds) in FAMILIES {
        line(&format!("= {family}"), &outcome.family(kinds));
    }
    text
}
