//! Whose code a candidate changes: a patch never touches a test, also where program and tests stand in one file.

use super::{FixRequest, mixed};
use crate::{Candidate, TextEdit};
use formicary_syntax::{Dialect, Owner, Unit, parse};

/// Leaves out candidates that change tests.
pub(super) fn only_the_program(request: &FixRequest, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mixed = mixed(request);
    let files = &request.case.files;
    let touches_tests = |edit: &TextEdit| {
        let Some(file) = files.get(edit.file).filter(|file| file.editable) else { return true };
        mixed.contains(&edit.file) && is_of_tests(&file.path, &file.text, request, edit)
    };
    candidates.into_iter().filter(|candidate| !candidate.edits.iter().any(touches_tests)).collect()
}

/// Whether an edit of a file that holds program and tests is one of the tests.
fn is_of_tests(path: &str, text: &str, request: &FixRequest, edit: &TextEdit) -> bool {
    let (start, end) = (edit.start.min(text.len()), edit.end.min(text.len()));
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    if asserts(&text[first..last]) || asserts(&edit.replacement) {
        return true;
    }
    let dialect = Dialect::of_file(path, text).unwrap_or_else(|| Dialect::of(request.case.language));
    let unit = parse(dialect, text);
    let around = unit
        .functions()
        .filter(|(_, function)| (function.span.start as usize) <= start && end <= function.span.end as usize)
        .min_by_key(|(_, function)| function.span.end - function.span.start);
    match around {
        Some((_, function)) => {
            asserts(unit.text(function.span))
                || is_test_name(function.name)
                || matches!(function.owner, Owner::Class(class) if is_test_name(unit.class(class).name))
        }
        // Outside of functions stand imports and the calls that test.
        None => !(imports(&edit.replacement) || broken_at(&unit, start)),
    }
}

fn asserts(text: &str) -> bool {
    text.contains("assert") || text.contains("Assert")
}

/// Whether a text may hold checks of its own: everything that can make a program fail by its own will.
pub(super) fn may_check(text: &str) -> bool {
    ["assert", "Assert", "exit", "expect", "throw", "raise", "panic", "fail", "test", "Test", "return 1"]
        .iter()
        .any(|word| text.contains(word))
}

fn is_test_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.starts_with("test") || lower.ends_with("test") || lower.ends_with("tests")
}

fn imports(added: &str) -> bool {
    ["import ", "from ", "#include", "use ", "const ", "using "]
        .iter()
        .any(|word| added.trim_start().starts_with(word))
}

/// Whether the file cannot be read there: what is broken has no function around it.
fn broken_at(unit: &Unit<'_>, at: usize) -> bool {
    let near = 200;
    unit.notes.iter().any(|note| {
        (note.span.start as usize).saturating_sub(near) <= at && at <= note.span.end as usize + near
    })
}
