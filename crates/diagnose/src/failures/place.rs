//! From the paths of a log to the user's own files, with the lines around a place.

use super::SourceText;
use super::raw::{RawError, RawPlace};
use formicary_model::{CodeLine, ErrorPlace, StackFrame};

/// Lines shown before and after the place.
const AROUND: u32 = 3;
/// Characters of a shown line.
const WIDTH: usize = 300;

/// Parts of paths that only libraries and runtimes have.
const FOREIGN: &[&str] = &[
    "site-packages/",
    "dist-packages/",
    "/lib/python",
    "<frozen",
    "<string>",
    "<__array_function__",
    "node:",
    "node_modules/",
    "/usr/lib",
    "/usr/include",
    "/usr/src",
    "/usr/share/go",
    "/usr/local/go/",
    "/rustc/",
    "/.cargo/",
    "/.rustup/",
    "/go/pkg/mod/",
    "/sysdeps/",
    "/libio/",
    "/malloc/",
    "../sysdeps",
    "./nptl/",
    "./stdlib/",
    "./csu/",
    "./assert/",
    "./libio/",
    "./string/",
    "./malloc/",
    "/.formicary/",
    "internal/",
    "java.base/",
    "_testmain.go",
    "libsanitizer/",
    "pluggy/",
    "_pytest/",
    "unittest/",
    "importlib/",
];

/// The user's files.
pub struct Files<'a> {
    pub sources: &'a [SourceText],
}

impl<'a> Files<'a> {
    /// The source that a path of a log means.
    pub fn find(&self, path: &str) -> Option<&'a SourceText> {
        let path = shortened(path);
        let by_path = self.sources.iter().find(|source| source.path == path);
        let by_end = || {
            let mut same = self
                .sources
                .iter()
                .filter(|source| ends_in(path, &source.path) || ends_in(&source.path, path));
            same.next().filter(|_| same.next().is_none())
        };
        // A recipe may have named a lone snippet anew; nothing else of the user's is there that it could mean.
        let alone = || match self.sources {
            [only] if !path.starts_with('/') && !is_foreign(path) && same_kind(path, &only.path) => {
                Some(only)
            }
            _ => None,
        };
        by_path.or_else(by_end).or_else(alone)
    }

    /// Whether a frame is in the user's own code, and under which name he knows the file.
    pub fn settle(&self, frame: &mut StackFrame) {
        let Some(path) = frame.file.clone() else { return };
        if let Some(source) = self.find(&path) {
            frame.own = true;
            frame.file = Some(source.path.clone());
            return;
        }
        frame.own = !is_foreign(&path) && (self.sources.is_empty() || path.starts_with("/work/"));
        if frame.own {
            frame.file = Some(shortened(&path).to_owned());
        }
    }

    /// The place of an error: what the tool says, else the innermost own frame.
    pub fn place(&self, error: &RawError) -> Option<ErrorPlace> {
        let own = error.frames.iter().find(|frame| frame.own && frame.line.is_some());
        let told = error
            .place
            .as_ref()
            .filter(|place| own.is_none() || !is_foreign(&place.file) || self.find(&place.file).is_some());
        if let Some(told) = told {
            let function =
                own.filter(|frame| frame.line == Some(told.line)).and_then(|frame| frame.function.clone());
            return Some(self.shown(told, function));
        }
        let frame = own?;
        let place =
            RawPlace { file: frame.file.clone()?, line: frame.line?, column: frame.column, end_column: None };
        Some(self.shown(&place, frame.function.clone()))
    }

    /// A place with its lines.
    pub fn shown(&self, place: &RawPlace, function: Option<String>) -> ErrorPlace {
        let source = self.find(&place.file);
        // Some tools point behind the last line.
        let count = source.map_or(u32::MAX, |source| source.text.lines().count().max(1) as u32);
        let line = place.line.clamp(1, count);
        let frame = source.map(|source| code_frame(&source.text, line)).unwrap_or_default();
        ErrorPlace {
            file: source.map_or_else(|| shortened(&place.file).to_owned(), |source| source.path.clone()),
            line,
            column: place.column.filter(|column| *column > 0),
            end_column: place.end_column.filter(|end| Some(*end) > place.column),
            function,
            frame,
        }
    }
}

/// Columns that count from the first character that is not a space, made to count from the line's beginning.
pub fn unshift(place: &mut ErrorPlace) {
    let text = place.frame.iter().find(|line| line.number == place.line).map(|line| line.text.as_str());
    let left = text.map_or(0, |text| text.chars().take_while(|c| c.is_whitespace()).count() as u32);
    place.column = place.column.map(|column| column + left);
    place.end_column = place.end_column.map(|column| column + left);
}

/// Some lines around one.
pub fn code_frame(text: &str, line: u32) -> Vec<CodeLine> {
    let first = line.saturating_sub(AROUND).max(1);
    let shown = |(index, text): (usize, &str)| CodeLine {
        number: index as u32 + 1,
        text: text.chars().take(WIDTH).collect::<String>().trim_end().to_owned(),
    };
    text.lines()
        .enumerate()
        .skip(first as usize - 1)
        .take((line + AROUND - first + 1) as usize)
        .map(shown)
        .collect()
}

/// A path as the user knows it.
pub fn shortened(path: &str) -> &str {
    let path = path.strip_prefix("file://").unwrap_or(path);
    let path = path.strip_prefix("/work/").unwrap_or(path);
    path.strip_prefix("./").unwrap_or(path)
}

/// Whether a path is a library's or a runtime's.
pub fn is_foreign(path: &str) -> bool {
    path.starts_with('<') || FOREIGN.iter().any(|part| path.contains(part))
}

fn ends_in(long: &str, short: &str) -> bool {
    long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// Whether two names have the same ending; a lone script that is a module is run as one.
fn same_kind(one: &str, other: &str) -> bool {
    let kind = |path| ending(path).map(|ending| if ending == "mjs" { "js" } else { ending });
    kind(one) == kind(other)
}

fn ending(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_find_their_sources() {
        let sources =
            ["app.py", "lib/tool.py"].map(|path| SourceText { path: path.into(), text: String::new() });
        let files = Files { sources: &sources };
        for (path, expected) in [
            ("/work/app.py", Some("app.py")),
            ("./app.py", Some("app.py")),
            ("/home/me/project/lib/tool.py", Some("lib/tool.py")),
            ("tool.py", Some("lib/tool.py")),
            ("/usr/lib/python3.11/json/tool2.py", None),
            ("snapp.py", None),
        ] {
            assert_eq!(files.find(path).map(|source| source.path.as_str()), expected, "{path}");
        }
        let alone = Files { sources: &sources[..1] };
        assert!(alone.find("/work/main.py").is_some());
        assert!(alone.find("main.js").is_none());
    }

    #[test]
    fn frames_stay_inside_the_text() {
        let text = "1\n2\n3\n4\n5\n6\n7\n8\n9";
        for (line, first, last) in [(1, 1, 4), (5, 2, 8), (9, 6, 9)] {
            let frame = code_frame(text, line);
            assert_eq!((frame[0].number, frame.last().unwrap().number), (first, last));
        }
        assert!(code_frame("", 1).is_empty());
    }
}
