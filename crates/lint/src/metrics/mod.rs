//! What is measured, and how each figure is defined.
//!
//! **Lines.** *Physical*: all. *Blank*: nothing but space. *Comment*: with a comment on them, or part of a Python
//! docstring. *Source*: with code on them that is no docstring. *Logical*: statements, and the `else`, `except`,
//! `finally`, `case` and decorators that have a line of their own by custom.
//!
//! **Cyclomatic**: 1, and 1 for each `if`, `elif`, loop, `except`/`catch`, case, conditional expression, and each further
//! operand of `and`, `or`, `&&`, `||`, `??`. In Python as radon has it: also for each comprehension and its `if`s, each
//! `assert`, each `else` of a loop or `try`; not for a wildcard case. Elsewhere as lizard has it: `else` of a switch
//! (`default`) counts nothing, Rust's `?` and `assert` count nothing. A nested named function counts for itself alone, a
//! lambda counts where it stands.
//!
//! **Cognitive**: as SonarSource defines it: each break of the linear flow counts 1 plus its nesting; `else`, `elif`, a
//! change of logical operator and a labelled jump count 1. A lambda nests, a nested named function counts for itself.
//!
//! **Halstead**: operators are those of arithmetic, comparison, logic and augmented assignment; operands are theirs, told
//! apart by name or value (as radon has it, for all languages).
//!
//! **Maintainability**: 171 − 5.2 ln(volume) − 0.23 cyclomatic − 16.2 ln(logical) + 50 sin √(2.46 radians(comment %)),
//! scaled to 0–100; the classic form leaves out the comments and is not scaled.

mod classes;
mod complexity;
mod halstead;
mod lines;

use formicary_model::review::{FileMetrics, FunctionMetrics, LineCounts};
use formicary_syntax::place::{place, qualified};
use formicary_syntax::{FunctionId, ParameterKind, Unit};

pub(crate) use classes::{is_abstract, methods_of};
pub use complexity::{Complexity, complexity_of};

/// Measures a file; the functions that have a body come with their numbers.
pub fn measure(path: &str, unit: &Unit<'_>) -> (FileMetrics, Vec<(FunctionId, FunctionMetrics)>) {
    let counter = lines::Counter::new(unit);
    let functions: Vec<_> = unit
        .functions()
        .filter(|(_, function)| function.has_body && !(function.lambda && function.name.is_empty()))
        .map(|(id, _)| (id, function_metrics(unit, &counter, id)))
        .collect();
    let file_lines = counter.whole();
    let halstead = halstead::of_file(unit);
    let top = complexity_of(unit, &unit.body);
    let inside: u32 = functions.iter().map(|(_, metrics)| metrics.cyclomatic).sum();
    let total = top.cyclomatic + inside - functions.len() as u32;
    let classes = classes::measure(unit, &counter, &functions);
    let documentation = documentation(unit);
    let comments = f64::from(file_lines.comment) / f64::from(file_lines.source.max(1)) * 100.0;
    let metrics = FileMetrics {
        file: path.to_owned(),
        language: unit.dialect.language(),
        lines: file_lines,
        halstead,
        cyclomatic: functions.iter().map(|(_, metrics)| metrics.cyclomatic).sum(),
        cognitive: functions.iter().map(|(_, metrics)| metrics.cognitive).sum::<u32>() + top.cognitive,
        maintainability_classic: classic(halstead.volume(), total, file_lines.logical),
        maintainability: maintainability(halstead.volume(), total, file_lines.logical, comments),
        documentation,
        functions: Vec::new(),
        classes,
        parsed: unit.notes.is_empty(),
    };
    (metrics, functions)
}

fn function_metrics(unit: &Unit<'_>, counter: &lines::Counter<'_, '_>, id: FunctionId) -> FunctionMetrics {
    let function = unit.function(id);
    let complexity = complexity_of(unit, &function.body);
    let mut line_counts = counter.of(function.span);
    line_counts.logical = complexity.statements + 1;
    let halstead = halstead::of_function(unit, id);
    let parameters =
        function.parameters.iter().filter(|parameter| parameter.kind != ParameterKind::Receiver).count();
    let comments = f64::from(line_counts.comment) / f64::from(line_counts.source.max(1)) * 100.0;
    FunctionMetrics {
        name: qualified(unit, id),
        span: place(unit, function.span),
        lines: line_counts,
        cyclomatic: complexity.cyclomatic,
        cognitive: complexity.cognitive,
        nesting: complexity.nesting,
        parameters: parameters as u32,
        exits: complexity.exits,
        halstead,
        maintainability: maintainability(
            halstead.volume(),
            complexity.cyclomatic,
            line_counts.logical,
            comments,
        ),
        documented: function.documented,
    }
}

fn classic(volume: f64, cyclomatic: u32, logical: u32) -> f64 {
    if volume <= 0.0 || logical == 0 {
        return 171.0;
    }
    171.0 - 5.2 * volume.ln() - 0.23 * f64::from(cyclomatic) - 16.2 * f64::from(logical).ln()
}

/// The maintainability index, 0–100.
pub fn maintainability(volume: f64, cyclomatic: u32, logical: u32, comment_percent: f64) -> f64 {
    if volume <= 0.0 || logical == 0 {
        return 100.0;
    }
    let comments = 50.0 * (2.46 * comment_percent.to_radians()).sqrt().sin();
    ((classic(volume, cyclomatic, logical) + comments) * 100.0 / 171.0).clamp(0.0, 100.0)
}

/// The share of public functions and classes that are explained.
fn documentation(unit: &Unit<'_>) -> Option<f64> {
    let functions = unit
        .functions
        .iter()
        .filter(|function| !function.lambda && !function.modifiers.private && function.has_body)
        .map(|function| function.documented);
    let classes = unit
        .classes
        .iter()
        .filter(|class| class.kind != formicary_syntax::ClassKind::Implementation && !class.modifiers.private)
        .map(|class| class.documented);
    let all: Vec<bool> = functions.chain(classes).collect();
    if all.is_empty() {
        return None;
    }
    Some(all.iter().filter(|documented| **documented).count() as f64 / all.len() as f64)
}

/// The sum of line counts.
pub fn sum<'l>(all: impl Iterator<Item = &'l LineCounts>) -> LineCounts {
    all.fold(LineCounts::default(), |sum, one| sum.plus(one))
}
