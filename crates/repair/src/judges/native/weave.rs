//! Many versions of a program in one text: each function that candidates change holds all its bodies, and a number that is
//! chosen when the program starts says which of them is run. So one build serves hundreds of candidates.
//!
//! Whole bodies stand side by side, not single expressions: each is checked by the compiler as if it were alone, and an
//! error tells by its line which candidate does not compile.

use crate::{Candidate, Case};
use formicary_model::Language;
use formicary_syntax::{Dialect, Span, Unit, parse};
use std::ops::RangeInclusive;

const CHOOSE_C: &str = include_str!("choose.c");
const CHOOSE_GO: &str = include_str!("choose.go.txt");
const CHOOSE_RUST: &str = include_str!("choose.rs.txt");
const GO_IMPORTS: &str = "; import (formicaryOs \"os\"; formicaryExec \"os/exec\"; formicaryTime \"time\"; \
                          formicaryStrconv \"strconv\"; formicarySyscall \"syscall\"; formicaryRuntime \"runtime\")";

/// Whether programs of this language can be woven.
pub(super) fn speaks(language: Language) -> bool {
    matches!(language, Language::C | Language::Cpp | Language::Go | Language::Rust)
}

/// A body of a function as one candidate has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    /// Which body of [`Loom::bodies`].
    pub(super) body: usize,
    /// What stands there, braces included.
    pub(super) text: String,
}

/// A file whose bodies can be exchanged.
#[derive(Debug)]
pub(super) struct Loom<'a> {
    /// Which file of the case.
    pub(super) file: usize,
    language: Language,
    text: &'a str,
    /// The bodies of the outermost functions, in order.
    pub(super) bodies: Vec<Span>,
    /// Where Go's package clause ends.
    package: usize,
}

/// A text with many versions in it.
#[derive(Debug, Default)]
pub(super) struct Woven {
    pub(super) text: String,
    /// The lines of each version, in their order.
    pub(super) lines: Vec<RangeInclusive<u32>>,
}

/// How the versions of a run are judged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    pub(super) workers: usize,
    pub(super) seconds: u64,
}

impl<'a> Loom<'a> {
    /// A file of a case, where it has bodies that can be exchanged.
    pub(super) fn new(case: &'a Case, file: usize) -> Option<Self> {
        let own = case.files.get(file)?;
        let dialect = Dialect::of_file(&own.path, &own.text).unwrap_or_else(|| Dialect::of(case.language));
        let unit = parse(dialect, &own.text);
        let package = unit.package.map_or(0, |name| offset(&own.text, name) + name.len());
        if case.language == Language::Go && package == 0 {
            return None;
        }
        let bodies = bodies(&unit);
        (!bodies.is_empty()).then_some(Self {
            file,
            language: case.language,
            text: &own.text,
            bodies,
            package,
        })
    }

    /// The version that a candidate makes, where it changes the inside of one body alone.
    pub(super) fn version(&self, candidate: &Candidate) -> Option<Version> {
        let first = candidate.edits.first()?;
        let holds =
            |span: &Span, start: usize, end: usize| (span.start as usize) < start && end < span.end as usize;
        let body = self.bodies.iter().position(|span| holds(span, first.start, first.end))?;
        let span = self.bodies[body];
        let mut edits: Vec<_> = candidate.edits.iter().collect();
        edits.sort_by_key(|edit| (edit.start, edit.end));
        let (mut text, mut at) = (String::new(), span.start as usize);
        for edit in edits {
            if edit.file != self.file || !holds(&span, edit.start, edit.end) {
                return None;
            }
            text.push_str(self.text.get(at..edit.start)?);
            text.push_str(&edit.replacement);
            at = edit.end;
        }
        text.push_str(self.text.get(at..span.end as usize)?);
        Some(Version { body, text })
    }

    /// The program as it is, as a version of each body.
    pub(super) fn unchanged(&self) -> Vec<Version> {
        let one = |(body, span): (usize, &Span)| Version {
            body,
            text: self.text[span.start as usize..span.end as usize].to_owned(),
        };
        self.bodies.iter().enumerate().map(one).collect()
    }

    /// All versions in one text; they are numbered from one.
    pub(super) fn woven(&self, versions: &[&Version], course: Course) -> Woven {
        let mut out = Writer::default();
        let filled = |text: &str| {
            text.replace("@COUNT@", &versions.len().to_string())
                .replace("@WORKERS@", &course.workers.max(1).to_string())
                .replace("@SECONDS@", &course.seconds.max(1).to_string())
        };
        let mut lines = vec![0..=0; versions.len()];
        if matches!(self.language, Language::C | Language::Cpp) {
            out.push(&filled(CHOOSE_C));
        }
        let mut at = 0;
        if self.language == Language::Go {
            out.push(&self.text[..self.package]);
            out.push(GO_IMPORTS);
            at = self.package;
        }
        for (index, span) in self.bodies.iter().enumerate() {
            let (start, end) = (span.start as usize, span.end as usize);
            let own: Vec<usize> =
                (0..versions.len()).filter(|number| versions[*number].body == index).collect();
            if own.is_empty() || start < at {
                continue;
            }
            out.push(&self.text[at..start]);
            let (open, case, next, otherwise, close) = match self.language {
                Language::Go => {
                    ("{\nswitch formicaryMutant {\n", ("case ", ":\n"), "\n", "default:\n", "\n}\n}")
                }
                Language::Rust => (
                    "{ unsafe extern \"C\" { safe fn formicary_mutant() -> i32; } match formicary_mutant() {\n",
                    ("", " => "),
                    "\n",
                    "_ => ",
                    "\n}\n}",
                ),
                _ => ("{ switch (formicary_mutant) {\n", ("case ", ": "), " break;\n", "default: ", "\n}\n}"),
            };
            out.push(open);
            for number in own {
                out.push(&format!("{}{}{}", case.0, number + 1, case.1));
                let first = out.line;
                out.push(&versions[number].text);
                lines[number] = first..=out.line;
                out.push(next);
            }
            out.push(otherwise);
            out.push(&self.text[start..end]);
            out.push(close);
            at = end;
        }
        out.push(&self.text[at..]);
        match self.language {
            Language::Go => out.push(&format!("\n{}", filled(CHOOSE_GO))),
            Language::Rust => out.push(&filled(CHOOSE_RUST)),
            _ => {}
        }
        Woven { text: out.text, lines }
    }
}

/// Counts lines while it writes.
#[derive(Debug)]
struct Writer {
    text: String,
    line: u32,
}

impl Default for Writer {
    fn default() -> Self {
        Self { text: String::new(), line: 1 }
    }
}

impl Writer {
    fn push(&mut self, text: &str) {
        self.line += text.matches('\n').count() as u32;
        self.text.push_str(text);
    }
}

/// Where a part of a text begins.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The bodies of functions that stand in no other, in braces. What must be known when it is compiled cannot choose.
fn bodies(unit: &Unit<'_>) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for function in &unit.functions {
        let text = unit.text(function.body_span);
        let inner = unit
            .functions
            .iter()
            .any(|other| other.span != function.span && other.span.contains(function.span) && other.has_body);
        if function.has_body
            && !function.lambda
            && !function.modifiers.constant
            && !inner
            && text.starts_with('{')
            && text.ends_with('}')
        {
            found.push(function.body_span);
        }
    }
    found.sort_by_key(|span| span.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CaseFile, TextEdit};

    fn case(language: Language, path: &str, text: &str) -> Case {
        let files = vec![CaseFile { path: path.into(), text: text.into(), editable: true }];
        Case { language, files, evidence: None, suspects: Vec::new() }
    }

    #[test]
    fn bodies_stand_side_by_side_and_keep_their_lines() {
        for (language, path, text) in [
            (Language::C, "a.c", "int one(int a) {\n    return a;\n}\nint two(void) { return 2; }\n"),
            (
                Language::Cpp,
                "a.cpp",
                "struct S {\n  int f(int a) { return a; }\n};\nint two() { return 2; }\n",
            ),
            (
                Language::Rust,
                "a.rs",
                "fn one(a: i32) -> i32 {\n    a\n}\nfn two() -> i32 { let f = |x| { x }; f(2) }\n",
            ),
            (
                Language::Go,
                "a.go",
                "package main\n\nfunc one(a int) int {\n\treturn a\n}\n\nfunc two() int { return 2 }\n",
            ),
        ] {
            let case = case(language, path, text);
            let loom = Loom::new(&case, 0).unwrap();
            assert_eq!(loom.bodies.len(), 2, "{path}");
            let place = text.rfind('2').unwrap();
            let edits = vec![TextEdit { file: 0, start: place, end: place + 1, replacement: "3".into() }];
            let candidate = Candidate {
                edits,
                origin: String::new(),
                cost: 1.0,
                confidence: 1.0,
                explanation: String::new(),
            };
            let version = loom.version(&candidate).unwrap();
            assert!(version.text.contains('3'), "{version:?}");
            let woven = loom.woven(&[&version], Course { workers: 2, seconds: 4 });
            let line = *woven.lines[0].start() as usize;
            assert!(woven.text.lines().nth(line - 1).unwrap().contains('3'), "{}", woven.text);
            let outside = TextEdit { file: 0, start: 0, end: 1, replacement: String::new() };
            assert_eq!(loom.version(&Candidate { edits: vec![outside], ..candidate }), None);
        }
    }
}
