//! A small project while it is changed, and the places in it that can be.

use formicary_clones::tokens::{Class, Token, tokens};
use formicary_syntax::{Dialect, Function, Owner, StmtKind, Unit, parse};
use std::collections::BTreeSet;

pub use formicary_testkit::Chance;

/// The project.
#[derive(Debug, Clone)]
pub struct State {
    /// Its language.
    pub dialect: Dialect,
    /// Its files: path and text.
    pub files: Vec<(String, String)>,
    /// Files that an operator needs to have been there before.
    pub added_before: Vec<(String, String)>,
    /// Names of methods, types and files that were changed already.
    pub used: BTreeSet<String>,
    count: u32,
}

/// A method that may be changed.
#[derive(Debug, Clone)]
pub struct Place {
    /// The number of its file.
    pub file: usize,
    /// Its name.
    pub name: String,
    /// Its type.
    pub owner: Option<String>,
    /// Its whole lines, decorators not included.
    pub lines: (usize, usize),
    /// Its body.
    pub body: (usize, usize),
    /// Where its name stands.
    pub name_at: (usize, usize),
    /// Name and place of what it takes.
    pub parameters: Vec<(String, usize, usize)>,
}

impl State {
    /// Of two files.
    pub fn new(dialect: Dialect, files: Vec<(String, String)>) -> Self {
        Self { dialect, files, added_before: Vec::new(), used: BTreeSet::new(), count: 0 }
    }

    /// A name that nobody has.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.count += 1;
        format!("{stem}{}", ["Alpha", "Bravo", "Delta", "Gamma", "Omega", "Sigma"][self.count as usize % 6])
    }

    /// Whether everything can still be parsed.
    pub fn is_sound(&self) -> bool {
        self.files.iter().all(|(_, text)| parse(self.dialect, text).notes.is_empty())
    }

    /// Replaces parts of a file.
    pub fn edit(&mut self, file: usize, mut edits: Vec<(usize, usize, String)>) {
        edits.sort_by_key(|(from, _, _)| *from);
        let text = &self.files[file].1;
        let (mut out, mut at) = (String::new(), 0);
        for (from, to, new) in edits {
            if from < at {
                continue;
            }
            out += &text[at..from];
            out += &new;
            at = to;
        }
        out += &text[at..];
        self.files[file].1 = out;
    }

    /// Gives another name to every such word of a file within a part of it.
    pub fn rename(&mut self, file: usize, within: (usize, usize), from: &str, to: &str, after_dots: bool) {
        let text = self.files[file].1.clone();
        let all = tokens(self.dialect, &text);
        let word = |token: &Token| &text[token.start as usize..token.end as usize];
        let mut edits = Vec::new();
        for (index, token) in all.iter().enumerate() {
            let inside = token.start as usize >= within.0 && (token.end as usize) <= within.1;
            let dotted = index > 0 && matches!(word(&all[index - 1]), "." | "?.");
            if inside && token.class == Class::Name && word(token) == from && (after_dots || !dotted) {
                edits.push((token.start as usize, token.end as usize, to.to_owned()));
            }
        }
        self.edit(file, edits);
    }

    /// How often a word stands in all files.
    pub fn times(&self, name: &str) -> usize {
        let count = |text: &str| {
            let all = tokens(self.dialect, text);
            all.iter().filter(|token| &text[token.start as usize..token.end as usize] == name).count()
        };
        self.files.iter().map(|(_, text)| count(text)).sum()
    }

    /// Whether a word is nothing but a method's name: a variable of the same name would be renamed with it.
    pub fn is_only_called(&self, name: &str) -> bool {
        self.files.iter().all(|(_, text)| {
            let all = tokens(self.dialect, text);
            let word = |token: &Token| &text[token.start as usize..token.end as usize];
            let mut places =
                all.windows(2).filter(|pair| pair[0].class == Class::Name && word(&pair[0]) == name);
            places.all(|pair| word(&pair[1]) == "(")
        })
    }

    /// A method whose name is its own and that says enough.
    pub fn method(&self, chance: &mut Chance, wanted: impl Fn(&Place, &str) -> bool) -> Option<Place> {
        let all = self.methods();
        let fitting: Vec<&Place> =
            all.iter().filter(|place| wanted(place, &self.files[place.file].1)).collect();
        fitting.get(chance.below(fitting.len())).map(|place| (*place).clone())
    }

    /// All methods that may be changed.
    pub fn methods(&self) -> Vec<Place> {
        let mut found: Vec<Place> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for (file, (_, text)) in self.files.iter().enumerate() {
            let unit = parse(self.dialect, text);
            names.extend(unit.functions.iter().map(|function| function.name.to_owned()));
            for function in unit.functions.iter().filter(|function| function.has_body && !function.lambda) {
                found.extend(place(&unit, function, file));
            }
        }
        let times = |name: &str| names.iter().filter(|other| *other == name).count();
        let alone: Vec<bool> = found.iter().map(|place| times(&place.name) == 1).collect();
        let mut index = 0;
        found.retain(|place| {
            index += 1;
            let owners = place.owner.as_ref();
            alone[index - 1]
                && !self.used.contains(&place.name)
                && owners != Some(&place.name)
                && !place.name.starts_with("__")
                && !matches!(place.name.as_str(), "constructor" | "main")
        });
        found
    }
}

fn place(unit: &Unit<'_>, function: &Function<'_>, file: usize) -> Option<Place> {
    let owner = match function.owner {
        Owner::File => None,
        Owner::Class(class) => Some(unit.class(class).name.to_owned()),
        Owner::Function(_) => return None,
    };
    if let Owner::Class(class) = function.owner
        && unit.class(class).owner != Owner::File
    {
        return None;
    }
    let first = unit.lines.line(function.span.start);
    let last = unit.lines.line(function.span.end.saturating_sub(1));
    let start = unit.lines.start(first) as usize;
    let end =
        unit.source[function.span.end as usize..].find('\n').map(|at| function.span.end as usize + at + 1)?;
    let size = tokens(
        unit.dialect,
        &unit.source[function.body_span.start as usize..function.body_span.end as usize],
    )
    .len();
    // What stands on its line beside others cannot be cut out; short ones say too little to be recognised.
    let alone = unit.source[start..function.span.start as usize].trim().is_empty()
        && unit.source[function.span.end as usize..end].trim().trim_matches(';').is_empty();
    let plain = function.decorators.is_empty() && !function.modifiers.accessor;
    if last < first + 3 || size < 30 || !alone || !plain || function.name.is_empty() {
        return None;
    }
    Some(Place {
        file,
        name: function.name.to_owned(),
        owner,
        lines: (start, end),
        body: (function.body_span.start as usize, function.body_span.end as usize),
        name_at: (function.name_span.start as usize, function.name_span.end as usize),
        parameters: function
            .parameters
            .iter()
            .filter(|parameter| {
                parameter.kind == formicary_syntax::ParameterKind::Normal && !parameter.name.is_empty()
            })
            .map(|parameter| {
                (parameter.name.to_owned(), parameter.span.start as usize, parameter.span.end as usize)
            })
            .collect(),
    })
}

/// Lines, from zero, that hold exactly one assignment or call.
pub fn simple_lines(dialect: Dialect, text: &str) -> Vec<(usize, &str)> {
    let unit = parse(dialect, text);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (_, stmt) in unit.stmts() {
        if !matches!(stmt.kind, StmtKind::Expression(_) | StmtKind::Assign { .. }) || stmt.function.is_none()
        {
            continue;
        }
        let line = unit.lines.line(stmt.span.start) as usize - 1;
        let Some(whole) = lines.get(line) else { continue };
        if whole.trim().trim_end_matches(';') == unit.text(stmt.span).trim_end_matches(';') {
            found.push((line, *whole));
        }
    }
    found.dedup_by_key(|(line, _)| *line);
    found
}
