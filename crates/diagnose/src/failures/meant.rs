//! What a tool says was meant, as an edit: "did you mean", "but does have", and the lines that rustc shows after its help.
//!
//! Tools that can be asked for machine-readable edits are; but a test command is the user's own, and then only the text is
//! there.

use super::place::Files;
use super::raw::{RawError, RawPlace, pattern};
use super::text::Log;
use formicary_model::review::{Confidence, Edit, Span};
use formicary_model::{Language, SuggestedEdit, Suggestion};
use regex::Regex;
use std::sync::LazyLock;

/// The wrong word and the right one, by language.
#[rustfmt::skip]
static SENTENCES: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    [
        ("tsc", r"'([\w$]+)'[^']*(?:'[^']*'[^']*)*?[Dd]id you mean (?:to use |the instance member |the static member )?'([\w$.]+)'"),
        ("go", r"undefined: (\w+) \(but have (\w+)\)"),
        ("go", r"has no field or method (\w+), but does have (?:method |field )?(\w+)"),
        ("gcc", r"'(\w+)'.*; did you mean '([\w:]+)'"),
    ]
    .map(|(tool, text)| (tool, pattern(text)))
    .into()
});
/// A line of a suggestion of rustc: its number, what happens to it, its text.
static SHOWN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(\d+)\s([-+~|])(?: (.*))?$"));
static MARKS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*\|\s*[+~]+[+~\s]*$"));

/// The end of a line, where nobody knows yet how long it is.
const END: u32 = u32::MAX;

/// Turns what was meant into edits of the sources.
pub fn locate(error: &mut RawError, language: Option<Language>, files: &Files<'_>) {
    if language == Some(Language::Rust) {
        error.suggestions.iter_mut().for_each(|suggestion| settle(suggestion, files));
        return;
    }
    let tool = match language {
        Some(Language::TypeScript | Language::JavaScript) => "tsc",
        Some(Language::Go) => "go",
        Some(Language::C | Language::Cpp) => "gcc",
        _ => return,
    };
    if error.suggestions.iter().any(|suggestion| !suggestion.edits.is_empty()) {
        return;
    }
    let message = error.message.replace(['‘', '’', '`'], "'");
    let said = SENTENCES.iter().filter(|(of, _)| *of == tool).find_map(|(_, form)| form.captures(&message));
    let (Some(said), Some(place)) = (said, &error.place) else { return };
    let (wrong, meant) = (&said[1], &said[2]);
    let Some(edit) = word(place, wrong, meant, files) else { return };
    let text = format!("Write {meant}");
    error.suggestions.retain(|suggestion| suggestion.text != text);
    error.suggestions.push(Suggestion {
        text,
        origin: tool.into(),
        confidence: Confidence::High,
        edits: vec![edit],
    });
}

/// The word at a place, or the next on its line, replaced.
fn word(place: &RawPlace, wrong: &str, meant: &str, files: &Files<'_>) -> Option<SuggestedEdit> {
    let source = files.find(&place.file)?;
    let start: usize =
        source.text.split_inclusive('\n').take((place.line as usize).checked_sub(1)?).map(str::len).sum();
    let line = source.text.get(start..)?.lines().next()?;
    let whole = pattern(&format!(r"(^|[^\w$])({})($|[^\w$])", regex::escape(wrong)));
    let from = place.column.map_or(0, |column| (column as usize).saturating_sub(2));
    let from = line.char_indices().nth(from).map_or(0, |(at, _)| at);
    let found = whole.captures(line.get(from..)?).map(|found| (found, from));
    let (found, from) = found.or_else(|| Some((whole.captures(line)?, 0)))?;
    let found = found.get(2)?;
    let (first, last) = (start + from + found.start(), start + from + found.end());
    let span = Span::of_bytes(&source.text, first, last);
    Some(SuggestedEdit { file: source.path.clone(), edit: Edit { span, replacement: meant.to_owned() } })
}

/// The edits that rustc shows as text below a help, line by line. They are settled when the sources are known.
pub fn shown_by_rustc(log: &Log, at: usize, file: &str) -> Vec<SuggestedEdit> {
    let mut edits: Vec<SuggestedEdit> = Vec::new();
    let mut gone: Vec<u32> = Vec::new();
    let edit = |line: u32, end: (u32, u32), replacement: String| SuggestedEdit {
        file: file.to_owned(),
        edit: Edit {
            span: Span {
                start_line: line,
                start_column: 1,
                end_line: end.0,
                end_column: end.1,
                start_byte: 0,
                end_byte: 0,
            },
            replacement,
        },
    };
    for index in at + 1..log.lines.len().min(at + 30) {
        let line = log.line(index);
        let Some(parts) = SHOWN.captures(line) else {
            if line.trim_start().starts_with(['|', '.']) {
                continue;
            }
            break;
        };
        let Ok(number) = parts[1].parse::<u32>() else { break };
        let text = parts.get(3).map_or("", |text| text.as_str()).to_owned();
        match &parts[2] {
            "-" => gone.push(number),
            "+" if gone.contains(&number) => {
                gone.retain(|line| *line != number);
                edits.push(edit(number, (number, END), text));
            }
            // A line more, before the one that stands there.
            "+" => edits.push(edit(number, (number, 1), format!("{text}\n"))),
            "~" => edits.push(edit(number, (number, END), text)),
            _ if MARKS.is_match(log.line(index + 1)) => edits.push(edit(number, (number, END), text)),
            _ => {}
        }
    }
    edits.extend(gone.into_iter().map(|line| edit(line, (line + 1, 1), String::new())));
    edits
}

/// Bytes for edits that know lines alone.
fn settle(suggestion: &mut Suggestion, files: &Files<'_>) {
    suggestion.edits.retain_mut(|edit| {
        let span = edit.edit.span;
        if (span.start_byte, span.end_byte) != (0, 0) || span.start_column != 1 || span.start_line == 0 {
            return true;
        }
        let Some(source) = files.find(&edit.file) else { return false };
        let start = |line: u32| -> usize {
            source.text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum()
        };
        let first = start(span.start_line);
        let last = match span.end_column {
            END => first + source.text[first..].lines().next().map_or(0, str::len),
            1 => start(span.end_line),
            _ => return true,
        };
        edit.edit.span = Span::of_bytes(&source.text, first, last);
        edit.file.clone_from(&source.path);
        first < source.text.len()
    });
}

#[cfg(test)]
mod tests {
    use super::super::{SourceText, of_text, text::Said};
    use super::*;

    fn mended(language: Language, path: &str, text: &str, said: &str) -> Vec<String> {
        let sources = [SourceText { path: path.into(), text: text.into() }];
        let diagnosis = of_text(&Said::of(said.as_bytes()), Some(language), &sources);
        let suggestions = diagnosis.errors.iter().flat_map(|error| &error.suggestions);
        suggestions
            .filter(|suggestion| !suggestion.edits.is_empty())
            .map(|suggestion| {
                let mut text = text.to_owned();
                for edit in suggestion.edits.iter().rev() {
                    let span = &edit.edit.span;
                    text.replace_range(
                        span.start_byte as usize..span.end_byte as usize,
                        &edit.edit.replacement,
                    );
                }
                text
            })
            .collect()
    }

    #[test]
    fn what_tools_mean_becomes_an_edit() {
        for (language, path, text, said, expected) in [
            (
                Language::TypeScript,
                "a.ts",
                "const s = 'x';\nconsole.log(s.lenght);\n",
                "a.ts(2,15): error TS2551: Property 'lenght' does not exist on type 'string'. Did you mean 'length'?\n",
                "const s = 'x';\nconsole.log(s.length);\n",
            ),
            (
                Language::TypeScript,
                "a.ts",
                "const count = 1;\nconsole.log(coutn);\n",
                "a.ts:2:13 - error TS2552: Cannot find name 'coutn'. Did you mean 'count'?\n",
                "const count = 1;\nconsole.log(count);\n",
            ),
            (
                Language::Go,
                "main.go",
                "package main\n\nfunc main() {\n\tb.Writestring(\"x\")\n}\n",
                "./main.go:4:4: b.Writestring undefined (type strings.Builder has no field or method Writestring, but does have WriteString)\n",
                "package main\n\nfunc main() {\n\tb.WriteString(\"x\")\n}\n",
            ),
            (
                Language::C,
                "a.c",
                "int main(void) {\n    int count = 1;\n    return coutn;\n}\n",
                "a.c: In function 'main':\na.c:3:12: error: 'coutn' undeclared (first use in this function); did you mean 'count'?\n",
                "int main(void) {\n    int count = 1;\n    return count;\n}\n",
            ),
            (
                Language::Rust,
                "src/main.rs",
                "fn main() {\n    let count = 1;\n    println!(\"{}\", cont);\n}\n",
                "error[E0425]: cannot find value `cont` in this scope\n --> src/main.rs:3:20\n  |\n3 |     println!(\"{}\", cont);\n  |                    ^^^^\n  |\nhelp: a local variable with a similar name exists\n  |\n3 |     println!(\"{}\", count);\n  |                        +\n\n",
                "fn main() {\n    let count = 1;\n    println!(\"{}\", count);\n}\n",
            ),
            (
                Language::Rust,
                "src/main.rs",
                "fn main() {\n    let m: HashMap<u8, u8> = HashMap::new();\n}\n",
                "error[E0412]: cannot find type `HashMap` in this scope\n --> src/main.rs:2:12\n  |\n2 |     let m: HashMap<u8, u8> = HashMap::new();\n  |            ^^^^^^^ not found in this scope\n  |\nhelp: consider importing this struct\n  |\n1 + use std::collections::HashMap;\n  |\n\n",
                "use std::collections::HashMap;\nfn main() {\n    let m: HashMap<u8, u8> = HashMap::new();\n}\n",
            ),
            (
                Language::Rust,
                "src/main.rs",
                "fn main() {\n    let x: i32 = \"1\".len();\n}\n",
                "error[E0308]: mismatched types\n --> src/main.rs:2:18\n  |\n2 |     let x: i32 = \"1\".len();\n  |            ---   ^^^^^^^^^ expected `i32`, found `usize`\n  |\nhelp: change the type\n  |\n2 -     let x: i32 = \"1\".len();\n2 +     let x: usize = \"1\".len();\n  |\n\n",
                "fn main() {\n    let x: usize = \"1\".len();\n}\n",
            ),
        ] {
            assert_eq!(mended(language, path, text, said), [expected], "{said}");
        }
    }

    #[test]
    fn nonsense_makes_no_edit() {
        for said in [
            "a.ts(99,15): error TS2551: Property 'lenght' does not exist. Did you mean 'length'?\n",
            "b.ts(1,1): error TS2551: Property 'lenght' does not exist. Did you mean 'length'?\n",
            "a.ts(1,1): error TS2304: Cannot find name 'zzz'. Did you mean 'yyy'?\n",
        ] {
            assert!(mended(Language::TypeScript, "a.ts", "let x = 1;\n", said).is_empty(), "{said}");
        }
    }
}
