//! Rust: rustc as text and as JSON with its machine-applicable suggestions, panics with backtraces.

use super::raw::{Known, RawError, RawPlace, Weight, frame, known, pattern};
use super::text::Log;
use formicary_model::ErrorCategory::{
    Arithmetic, Assertion, Attribute, Compile, Concurrency, Environment, Import, Index, Io, Link, Name, Null,
    Other, Ownership, Permission, Raised, Recursion, Resource, Syntax, Type, Value,
};
use formicary_model::review::{Confidence, Edit, Span};
use formicary_model::{SuggestedEdit, Suggestion};
use regex::Regex;
use serde::Deserialize;
use std::sync::LazyLock;

static HEAD: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(error|warning)(?:\[(E\d{4})\])?: (.*)$"));
static ARROW: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*--> (\S+):(\d+):(\d+)$"));
static PANIC: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^thread '(.*?)' (?:\(\d+\) )?panicked at (?:'(.*)', )?([^'\s]+):(\d+):(\d+):?$")
});
static OVERFLOW: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^thread '(.*?)' (?:\(\d+\) )?has overflowed its stack"));
static FUNCTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*\d+: (?:0x[0-9a-f]+ - )?(.+)$"));
static AT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s+at (\S+):(\d+)(?::(\d+))?$"));
static TEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Error: (.+)$"));

#[rustfmt::skip]
pub const KNOWN: &[Known] = &[
    known("panic", "index out of bounds: the len is (\\d+) but the index is (\\d+)", Index, "Index $2 is taken of a sequence of $1", "Check the index, or use get()"),
    known("panic", "(?:range|slice index|out of range for slice|byte index|out of bounds)", Index, "A sequence is cut beyond its end", "Check against len() first, or use get()"),
    known("panic", "attempt to (?:divide by zero|calculate the remainder)", Arithmetic, "A number is divided by zero", "Check the divisor first, or use checked_div"),
    known("panic", "attempt to \\w+ (?:with overflow|.*overflow)", Arithmetic, "A number is too large or too small for its type", "Use a wider type, or checked_ and wrapping_ operations"),
    known("panic", "called `?'?Option::unwrap\\(\\)", Null, "unwrap() meets a None", "Handle the None by match, if let or ?"),
    known("panic", "called .Result::(?:unwrap|expect)\\(\\). on an .Err. value: (.*NotFound.*)", Io, "A file is not there: $1", "Correct the path"),
    known("panic", "called .Result::(?:unwrap|expect)\\(\\). on an .Err. value: (.*Parse.*|.*InvalidDigit.*|.*Utf8.*)", Value, "A text cannot be read as what is wanted: $1", "Handle the Err"),
    known("panic", "called .Result::(?:unwrap|expect)\\(\\). on an .Err. value: (.*)", Raised, "unwrap() meets an error: $1", "Handle the Err by match or ?"),
    known("panic", ": (Os \\{.*NotFound.*)", Io, "A file is not there", "Correct the path"),
    known("panic", ": (Os \\{.*PermissionDenied.*)", Permission, "The system refuses it", ""),
    known("panic", "(ParseIntError|ParseFloatError|InvalidDigit|Utf8Error|ParseBoolError|ParseCharError)", Value, "A text cannot be read as what is wanted", "Handle the Err"),
    known("panic", "assertion .* failed", Assertion, "A check of the program does not hold", "Look at the values that it compares"),
    known("panic", "already (?:mutably )?borrowed|BorrowMutError|BorrowError", Ownership, "A RefCell is borrowed twice at the same time, once to change it", "End the first borrow earlier"),
    known("panic", "PoisonError", Concurrency, "A thread panicked while it held the lock", "Look at that panic"),
    known("panic", "(?:not yet implemented|not implemented)", Raised, "The place is not written yet", "Write it"),
    known("panic", "internal error: entered unreachable code", Raised, "A place that was thought unreachable was reached", "Handle the case"),
    known("panic", "capacity overflow|memory allocation", Resource, "An absurd amount of memory is asked for", "Check the size first"),
    known("panic", "char boundary", Index, "A text is cut inside a character", "Use char_indices()"),
    known("panic", "chunk size must be non-zero|step != 0|cannot sample", Value, "A size is zero", "Check it first"),
    known("panic", "", Raised, "The program panicked by itself", "Look at where it panics"),
    known("stack overflow", "", Recursion, "A function calls itself without end", "Give it a base case that is reached"),
    known("Error", "", Raised, "main returned an error", "Look at where it comes from"),
    known("E0425", "cannot find (?:value|type|function|function, tuple struct or tuple variant) '(\\w+)'", Name, "$1 is used but nothing defines it", "Define it, use its path, or correct its spelling"),
    known("E0425", "", Name, "A name is used that nothing defines", "Correct its spelling"),
    known("E0412", "cannot find type '(\\w+)'", Name, "The type $1 is not in scope", "Use its path, or correct its spelling"),
    known("E0422", "", Name, "The structure is not in scope", "Use its path"),
    known("E0433", "(?:undeclared type|use of undeclared type|failed to resolve|cannot find type|cannot find) .*?'(\\w+)'", Name, "$1 is not in scope", "Add a use for it"),
    known("E0433", "", Name, "A path leads nowhere", "Add a use for it"),
    known("E0405", "", Name, "The trait is not in scope", "Add a use for it"),
    known("E0432", "unresolved import '(.+?)'", Import, "$1 is not there", "Correct the path"),
    known("E0463", "", Import, "A crate is not there", "Add it to the dependencies"),
    known("E0583", "", Import, "The file of a module is not there", "Create it"),
    known("E0599", "no (?:method|function or associated item|associated function or constant|associated item|variant or associated item|variant|associated function) named '(\\w+)' found for (.*?)(?: in the current scope)?$", Attribute, "$2 has no $1", "Correct its name, or bring the trait that has it into scope"),
    known("E0609", "no field '(\\w+)' on type '(.+?)'", Attribute, "$2 has no field $1", "Correct its name"),
    known("E0560", "", Attribute, "The structure has no such field", "Correct its name"),
    known("E0026", "", Attribute, "The structure has no such field", "Correct its name"),
    known("E0610", "", Attribute, "A number or boolean has no fields", ""),
    known("E0616", "field '(\\w+)' of (?:struct )?'(.+?)' is private", Attribute, "$1 is private to its module", "Declare it pub, or use a method"),
    known("E0603", "'(\\w+)' is private", Attribute, "$1 is private to its module", "Declare it pub"),
    known("E0624", "'(\\w+)' is private", Attribute, "$1 is private to its module", "Declare it pub"),
    known("E0308", "", Type, "A value has another type than is wanted", "Convert it, or change the type"),
    known("E0277", "cannot (add|subtract|multiply|divide|compare) (.*)", Type, "These types do not go together: $2", "Convert one of them"),
    known("E0277", "the trait bound '(.+?)' is not satisfied", Type, "$1 is wanted and does not hold", "Implement or derive the trait"),
    known("E0277", "can't compare", Type, "These types cannot be compared", "Convert one of them"),
    known("E0277", "the '\\?' operator can only be used", Type, "? stands in a function that returns neither Result nor Option", "Let it return one, or handle the error"),
    known("E0277", "cannot be indexed by|'(.+)' is not an iterator|doesn't implement", Type, "A type lacks a trait that is needed here", "Use the right type, or derive the trait"),
    known("E0277", "(?:Send|Sync)|between threads", Concurrency, "A value that must stay in its thread is given to another", "Use Arc and Mutex"),
    known("E0277", "", Type, "A type lacks a trait that is needed here", "Implement or derive it"),
    known("E0282", "", Type, "The type cannot be guessed", "Name it"),
    known("E0283", "", Type, "The type cannot be guessed", "Name it"),
    known("E0061", "", Type, "The call has the wrong number of arguments", "Correct it"),
    known("E0107", "", Type, "The wrong number of generic arguments", "Correct it"),
    known("E0369", "", Type, "The operator does not go with this type", "Derive or implement its trait"),
    known("E0600", "", Type, "The operator does not go with this type", ""),
    known("E0604", "", Type, "Only a u8 becomes a char", "Use char::from_u32"),
    known("E0605", "", Type, "as does not convert between these types", "Use From, parse or to_string"),
    known("E0606", "", Type, "as does not convert between these types", "Use From"),
    known("E0607", "", Type, "as does not convert between these types", ""),
    known("E0608", "", Type, "Something is indexed and cannot be", "Use a field, or get()"),
    known("E0614", "", Type, "Something is dereferenced and is no reference", "Leave the * out"),
    known("E0618", "", Type, "Something is called and is no function", "Correct its name"),
    known("E0620", "", Type, "as does not convert between these types", ""),
    known("E0053", "", Type, "The method's types are not the trait's", "Make them the same"),
    known("E0050", "", Type, "The method's parameters are not the trait's", "Make them the same"),
    known("E0046", "missing: '(\\w+)'", Type, "The trait's $1 is not implemented", "Implement it"),
    known("E0046", "", Type, "A method of the trait is not implemented", "Implement it"),
    known("E0407", "", Type, "The method is not one of the trait", "Move it to an impl of its own"),
    known("E0023", "", Type, "The pattern has the wrong number of fields", "Correct it"),
    known("E0027", "", Type, "The pattern leaves fields out", "Add .."),
    known("E0063", "missing field '?(\\w+)'?", Type, "The structure is made without $1", "Give it"),
    known("E0070", "", Type, "Something that is no variable is assigned to", ""),
    known("E0072", "", Type, "The type holds itself and would be infinitely large", "Put a Box around it"),
    known("E0004", "", Compile, "A match does not handle every case", "Add the missing arm, or _"),
    known("E0005", "", Compile, "The pattern may not fit", "Use if let or let else"),
    known("E0382", "(?:use of moved value|borrow of moved value|use of partially moved value): '(.+?)'", Ownership, "$1 is used after it was given away", "Borrow it there, or clone it"),
    known("E0382", "", Ownership, "A value is used after it was given away", "Borrow it there, or clone it"),
    known("E0384", "cannot assign twice to immutable variable '(\\w+)'", Ownership, "$1 is changed and was not declared mut", "Declare it mut"),
    known("E0381", "", Ownership, "A variable is used before it has a value", "Give it one"),
    known("E0596", "cannot borrow '(.+?)' as mutable", Ownership, "$1 is changed and was not declared mut", "Declare it mut"),
    known("E0594", "cannot assign to '(.+?)'", Ownership, "$1 is changed and was not declared mut", "Declare it mut"),
    known("E0499", "", Ownership, "Something is borrowed twice at the same time to change it", "End the first borrow earlier"),
    known("E0502", "", Ownership, "Something is changed while it is borrowed", "End the first borrow earlier, or clone"),
    known("E0503", "", Ownership, "Something is used while it is borrowed to be changed", "End the borrow earlier"),
    known("E0505", "", Ownership, "Something is given away while it is borrowed", "End the borrow earlier, or clone"),
    known("E0506", "", Ownership, "Something is assigned while it is borrowed", "End the borrow earlier"),
    known("E0507", "", Ownership, "Something is moved out of a reference", "Clone it, or borrow"),
    known("E0515", "", Ownership, "A reference to a local variable is returned", "Return the value itself"),
    known("E0597", "'(.+?)' does not live long enough", Ownership, "$1 is gone while it is still borrowed", "Declare it further out"),
    known("E0716", "", Ownership, "A temporary value is gone while it is still borrowed", "Bind it by let"),
    known("E0106", "", Ownership, "A reference has no lifetime", "Name one, or own the value"),
    known("E0310", "", Ownership, "The type may not live long enough", "Name its lifetime"),
    known("E0373", "", Ownership, "A closure may outlive what it borrows", "Write move before it"),
    known("E0521", "", Ownership, "A borrow gets out of where it may live", ""),
    known("E0133", "", Compile, "Something unsafe is done outside of an unsafe block", "Put it into one"),
    known("E0200", "", Compile, "", ""),
    known("E0428", "", Name, "Something is defined twice", "Rename one"),
    known("E0119", "", Type, "A trait is implemented twice for one type", "Remove one"),
    known("E0117", "", Type, "A foreign trait is implemented for a foreign type", "Wrap the type"),
    known("E0015", "", Compile, "A constant calls a function that is not const", "Compute it at run time"),
    known("E0080", "", Arithmetic, "A constant cannot be computed", "Look at its value"),
    known("E0601", "", Compile, "There is no main function", "Add fn main() {}"),
    known("E0571", "", Compile, "break with a value is for loop alone", ""),
    known("E0268", "", Syntax, "break or continue stands outside of a loop", "Move it"),
    known("E0728", "", Syntax, "await stands outside of an async function", "Declare it async"),
    known("E0765", "", Syntax, "A text is opened and never closed", "Close the quote"),
    known("E0758", "", Syntax, "A comment is opened and never closed", "Close it"),
    known("", "this arithmetic operation will overflow|this operation will panic", Arithmetic, "The compiler sees that this will fail when it runs", "Correct the numbers"),
    known("", "literal out of range", Value, "The number does not fit its type", "Use a wider type"),
    known("", "linking with .* failed|undefined (?:reference|symbol)", Link, "The linker failed", "Look at what it misses"),
    known("", "(?:cannot find macro|cannot find attribute|cannot find derive macro) '(\\w+)'", Name, "$1 is not in scope", "Correct its spelling"),
    known("", "can't find crate|unresolved", Import, "A crate is not there", ""),
    known("", "(?:expected|unclosed|unterminated|mismatched|missing|unexpected|unknown start of token|prefix|invalid|this file contains|character literal|format argument|positional argument|keyword)", Syntax, "The text is not Rust at the marked place", "Look at the marked place and just before it"),
    known("", "could not (?:compile|find)|no such (?:command|file)", Environment, "The build could not start", ""),
];

/// Sentences that only count errors.
const TRAILERS: &[&str] = &["aborting due to", "could not compile", "build failed", "generated"];

/// All errors of a log.
pub fn read(log: &Log) -> Vec<RawError> {
    let mut found: Vec<RawError> = Vec::new();
    let mut at = 0;
    while at < log.lines.len() {
        let line = log.line(at);
        if line.starts_with('{') {
            found.extend(
                serde_json::from_str::<Message>(line).ok().and_then(|message| message.unwrapped().raw()),
            );
        } else if let Some(parts) = PANIC.captures(line) {
            let (error, next) = panic(log, at, &parts);
            found.push(error);
            at = next;
            continue;
        } else if OVERFLOW.is_match(line) {
            found.push(RawError::new("stack overflow", line));
        } else if let Some(parts) = HEAD.captures(line) {
            found.extend(text(log, at, &parts));
        } else if let Some(parts) = TEST.captures(line) {
            found.push(RawError::new("Error", &parts[1]));
        }
        at += 1;
    }
    // A double panic ends the program by the second, but the first is why.
    found
}

/// An error as text: `error[E…]: message`, then the place, then labels and notes.
fn text(log: &Log, at: usize, parts: &regex::Captures<'_>) -> Option<RawError> {
    let message = &parts[3];
    if TRAILERS.iter().any(|trailer| message.contains(trailer)) {
        return None;
    }
    let code = parts.get(2).map_or("", |code| code.as_str());
    let mut error = RawError::new(code, message);
    for index in at + 1..log.lines.len().min(at + 60) {
        let line = log.line(index);
        if line.is_empty() || HEAD.is_match(line) {
            break;
        }
        if let Some(place) = ARROW.captures(line).filter(|_| error.place.is_none()) {
            error = error.at(&place[1], &place[2], Some(&place[3]));
        } else if let Some(help) = line.trim_start().trim_start_matches("= ").strip_prefix("help: ") {
            error.suggest(help, "rustc", Confidence::Medium);
            let file = error.place.as_ref().map(|place| place.file.clone()).unwrap_or_default();
            if let Some(suggestion) = error.suggestions.last_mut() {
                suggestion.edits = super::meant::shown_by_rustc(log, index, &file);
            }
        }
    }
    if &parts[1] == "warning" {
        error.weight = Weight::Warning;
        error.category = Some(Other);
        if error.kind.is_empty() {
            error.kind = "warning".into();
        }
    }
    error.place.as_ref()?;
    Some(error)
}

/// A panic: its message is on the next lines in new forms, in the line itself in old ones.
fn panic(log: &Log, at: usize, parts: &regex::Captures<'_>) -> (RawError, usize) {
    let mut next = at + 1;
    let mut message = parts.get(2).map_or("", |text| text.as_str()).to_owned();
    if message.is_empty() {
        let ends = |line: &str| {
            line.starts_with("note: ")
                || line.starts_with("stack backtrace:")
                || PANIC.is_match(line)
                || OVERFLOW.is_match(line)
        };
        let mut lines = Vec::new();
        while next < log.lines.len() && lines.len() < 20 && !ends(log.line(next)) {
            lines.push(log.line(next));
            next += 1;
        }
        message = lines.join("\n").trim_end().to_owned();
    }
    let mut error = RawError::new("panic", message);
    if log.line(next).starts_with("stack backtrace:") {
        next += 1;
        while let Some(function) = FUNCTION.captures(log.line(next)) {
            next += 1;
            match AT.captures(log.line(next)) {
                Some(place) => {
                    error.frames.push(frame(
                        Some(&function[1]),
                        &place[1],
                        &place[2],
                        place.get(3).map(|column| column.as_str()),
                    ));
                    next += 1;
                }
                None => error.frames.push(frame(Some(&function[1]), "", "", None)),
            }
        }
    }
    let told = frame(None, &parts[3], &parts[4], Some(&parts[5]));
    if !super::place::is_foreign(&parts[3]) {
        error = error.at(&parts[3], &parts[4], Some(&parts[5]));
    }
    if error.frames.is_empty() {
        error.frames.push(told);
    }
    (error, next)
}

/// rustc's JSON, and cargo's around it.
#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    message: Option<Inner>,
    #[serde(default)]
    level: String,
    #[serde(default)]
    code: Option<Code>,
    #[serde(default)]
    spans: Vec<Marked>,
    #[serde(default)]
    children: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Inner {
    Text(String),
    Wrapped(Box<Message>),
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Marked {
    file_name: String,
    byte_start: u32,
    byte_end: u32,
    line_start: u32,
    line_end: u32,
    column_start: u32,
    column_end: u32,
    is_primary: bool,
    #[serde(default)]
    suggested_replacement: Option<String>,
    #[serde(default)]
    suggestion_applicability: Option<String>,
}

impl Message {
    fn unwrapped(self) -> Self {
        match self.message {
            Some(Inner::Wrapped(inner)) => inner.unwrapped(),
            message => Self { message, ..self },
        }
    }

    fn text(&self) -> &str {
        match &self.message {
            Some(Inner::Text(text)) => text,
            _ => "",
        }
    }

    fn raw(&self) -> Option<RawError> {
        let weight = match self.level.as_str() {
            level if level.starts_with("error") => Weight::Error,
            "warning" => Weight::Warning,
            _ => return None,
        };
        if TRAILERS.iter().any(|trailer| self.text().contains(trailer))
            || (weight == Weight::Warning && self.spans.is_empty())
        {
            return None;
        }
        let kind = self.code.as_ref().map(|code| code.code.clone()).unwrap_or_default();
        let mut error = RawError { weight, ..RawError::new(kind, self.text()) };
        if weight == Weight::Warning {
            error.category = Some(Other);
        }
        if let Some(span) = self.spans.iter().find(|span| span.is_primary) {
            error.place = Some(RawPlace {
                file: span.file_name.clone(),
                line: span.line_start,
                column: Some(span.column_start),
                end_column: (span.line_start == span.line_end).then_some(span.column_end),
            });
        }
        error.suggestions = self.children.iter().filter_map(Self::suggestion).collect();
        Some(error)
    }

    /// Help with its edits; `MachineApplicable` ones are as sure as the compiler is.
    fn suggestion(&self) -> Option<Suggestion> {
        if self.level != "help" {
            return None;
        }
        let sure = self
            .spans
            .iter()
            .all(|span| span.suggestion_applicability.as_deref() == Some("MachineApplicable"));
        let placeholders =
            self.spans.iter().any(|span| span.suggestion_applicability.as_deref() == Some("HasPlaceholders"));
        let edits: Vec<SuggestedEdit> = self
            .spans
            .iter()
            .filter_map(|span| {
                let span_of = Span {
                    start_line: span.line_start,
                    start_column: span.column_start,
                    end_line: span.line_end,
                    end_column: span.column_end,
                    start_byte: span.byte_start,
                    end_byte: span.byte_end,
                };
                let edit = Edit { span: span_of, replacement: span.suggested_replacement.clone()? };
                Some(SuggestedEdit { file: super::place::shortened(&span.file_name).to_owned(), edit })
            })
            .collect();
        let confidence = match (edits.is_empty(), sure) {
            (false, true) => Confidence::High,
            _ => Confidence::Medium,
        };
        let edits = if placeholders { Vec::new() } else { edits };
        Some(Suggestion { text: self.text().to_owned(), origin: "rustc".into(), confidence, edits })
    }
}
