//! One file, all files, the whole project.

use crate::file::{File, Report};
use crate::metrics;
use crate::project::{self, FileFacts, ProjectAnalysis};
use crate::rules::RULES;
use crate::source::{Options, SourceFile};
use formicary_model::review::{FileMetrics, Finding, Note, NoteKind};
use formicary_syntax::place::place;
use formicary_syntax::{Scopes, Unit, parse_bounded};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What one file says; depends on nothing but the file and the options, so it can be kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FileAnalysis {
    /// What was measured.
    pub metrics: FileMetrics,
    /// What was found in the file alone.
    pub findings: Vec<Finding>,
    /// What could not be read.
    pub notes: Vec<Note>,
    /// What the project's analyses need of it.
    pub facts: FileFacts,
}

/// What the files and the project say.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The files in the order in which they were given; those of no known language are left out.
    pub files: Vec<FileAnalysis>,
    /// What needs all files.
    pub project: ProjectAnalysis,
    /// Whether it was cancelled: then files are missing.
    pub cancelled: bool,
}

/// Analyses one file; none when it is no source of a known language.
pub fn analyze_file(source: &SourceFile, options: &Options) -> Option<FileAnalysis> {
    analyze_file_with(source, options, |_| ()).map(|(analysis, ())| analysis)
}

/// The same, with what another engine learns from the file: reading it twice would double the cost.
pub fn analyze_file_with<T>(
    source: &SourceFile,
    options: &Options,
    learn: impl FnOnce(&File<'_, '_>) -> T,
) -> Option<(FileAnalysis, T)> {
    let dialect = source.dialect()?;
    let path = source.path.as_str();
    let unit = &parse_bounded(dialect, &source.text, options.bounds);
    let scopes = Scopes::new(unit);
    let (mut metrics, functions) = metrics::measure(path, unit);
    let file = File::new(path, unit, &scopes, &functions, options);
    let mut findings = Vec::new();
    if unit.was_read() {
        for rule in RULES {
            if options.wants(rule.info.name, rule.info.category)
                && rule.info.languages.contains(&file.language())
            {
                let mut report =
                    Report { info: rule.info, file: path, source: unit.source, unit, findings: Vec::new() };
                (rule.check)(&file, &mut report);
                findings.append(&mut report.findings);
            }
        }
    }
    findings.retain(|finding| is_sound(&file, finding));
    for finding in &mut findings {
        let span = formicary_syntax::Span { start: finding.span.start_byte, end: finding.span.end_byte };
        finding.symbol = file.symbol(span);
    }
    findings.sort_by(|a, b| (a.span.start_byte, &a.rule).cmp(&(b.span.start_byte, &b.rule)));
    let facts = project::facts_of(&file);
    let learned = learn(&file);
    metrics.functions = functions.into_iter().map(|(_, metrics)| metrics).collect();
    Some((FileAnalysis { metrics, findings, notes: notes(path, unit), facts }, learned))
}

/// Whether a finding stands in a part that was understood: not in a function that holds a broken place.
fn is_sound(file: &File<'_, '_>, finding: &Finding) -> bool {
    use formicary_syntax::{NoteKind as Syntax, Span};
    let unit = file.unit;
    let mut broken =
        unit.notes.iter().filter(|note| matches!(note.kind, Syntax::Syntax | Syntax::Missing)).peekable();
    if broken.peek().is_none() {
        return true;
    }
    let span = Span { start: finding.span.start_byte, end: finding.span.end_byte };
    let around =
        unit.functions.iter().filter(|function| function.span.contains(span)).map(|function| function.span);
    let around = around
        .min_by_key(|span| span.start)
        .or_else(|| unit.body.iter().map(|id| unit.stmt(*id).span).find(|outer| outer.contains(span)));
    match around {
        Some(around) => !broken.any(|note| around.contains(note.span) || note.span.contains(span)),
        None => false,
    }
}

fn notes(path: &str, unit: &Unit<'_>) -> Vec<Note> {
    use formicary_syntax::NoteKind as Syntax;
    let note = |note: &formicary_syntax::Note| Note {
        kind: match note.kind {
            Syntax::Syntax | Syntax::Missing => NoteKind::Unparsable,
            Syntax::TooLarge | Syntax::Minified => NoteKind::TooLarge,
            Syntax::TooDeep | Syntax::TooSlow => NoteKind::Bounded,
        },
        file: Some(path.to_owned()),
        line: Some(place(unit, note.span).start_line),
        message: note.kind.message().to_owned(),
    };
    // One broken place is enough to know; the rest follows from it more often than not.
    let mut seen = Vec::new();
    let first = unit.notes.iter().filter(|note| {
        let new = !seen.contains(&note.kind);
        seen.push(note.kind);
        new
    });
    first.map(note).collect()
}

/// Puts the results of files together.
pub fn analyze_project(files: &[FileAnalysis], options: &Options) -> ProjectAnalysis {
    project::analyze(files, options)
}

/// Analyses files on all cores, then the project. `progress` counts files that are done; `cancel` ends it early.
pub fn analyze(
    files: &[SourceFile],
    options: &Options,
    progress: Option<&AtomicUsize>,
    cancel: Option<&AtomicBool>,
) -> Analysis {
    let cancelled = || cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let one = |source: &SourceFile| {
        if cancelled() {
            return None;
        }
        let found = analyze_file(source, options);
        if let Some(progress) = progress {
            progress.fetch_add(1, Ordering::Relaxed);
        }
        found
    };
    let mut files: Vec<FileAnalysis> = files.par_iter().filter_map(one).collect();
    project::settle_inheritance(&mut files);
    project::settle_imports(&mut files);
    let project = analyze_project(&files, options);
    Analysis { files, project, cancelled: cancelled() }
}
