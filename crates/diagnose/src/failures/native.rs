//! C and C++: gcc and clang, the linker, assertions, what the C library says of a corrupted heap, uncaught exceptions.

use super::raw::{Known, RawError, RawPlace, Weight, frame, known, named, pattern};
use super::text::Log;
use super::{SourceText, sanitizers};
use formicary_model::ErrorCategory::{
    Arithmetic, Assertion, Attribute, Compile, Concurrency, Import, Index, Io, Key, Link, Memory, Name, Null,
    Other, Raised, Resource, Syntax, Type, Value,
};
use formicary_model::review::{Confidence, Edit, Span};
use formicary_model::{SuggestedEdit, Suggestion};
use regex::Regex;
use std::sync::LazyLock;

static GCC: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^((?:/|\.|\w)[^:\s]*):(\d+):(?:(\d+):)? (fatal error|error|warning): (.*?)(?: \[(-W[\w+=\-]+)\])?$",
    )
});
static FIXIT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^fix-it:"([^"]+)":\{(\d+):(\d+)-(\d+):(\d+)\}:"(.*)"$"#));
static LD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:/usr/bin/(?:[\w\-]+-)?ld: )?(?:([^:\s]+?)(?::(\d+)|:\(\.[^)]*\))?: )?((?:undefined reference to|multiple definition of) [`‘']([^'’;]+)['’]?.*)$",
    )
});
static LD_MISSING: LazyLock<Regex> = LazyLock::new(|| pattern(r"ld: cannot find (-l\S+)"));
static ASSERT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:\S+: )?([^:\s]+):(\d+): (.+?): Assertion [`'‘](.*)['’] failed\.$"));
static HEAP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:\*\*\* )?((?:free|malloc|realloc|munmap_chunk|corrupted|double free|stack smashing|buffer overflow|malloc_consolidate|invalid|Fatal error: glibc)[^*]*)(?: \*\*\*)?",
    )
});
static GDB: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^#\d+\s+(?:0x[0-9a-f]+ in )?([\w:~<>,& *]+?)\s*\(.*\) (?:at|from) ([^:\s]+)(?::(\d+))?$")
});
const HEAP_WORDS: &[&str] = &[
    "free(): ",
    "malloc(): ",
    "realloc(): ",
    "munmap_chunk(): ",
    "corrupted ",
    "double free",
    "stack smashing detected",
    "buffer overflow detected",
    "malloc_consolidate(): ",
    "invalid fastbin",
];

#[rustfmt::skip]
pub const KNOWN: &[Known] = &[
    named("'(\\w+)' (?:undeclared|was not declared)", "undeclared", Name, "$1 is used but nothing declares it", "Declare it, include its header, or correct its spelling"),
    named("use of undeclared identifier '(\\w+)'", "undeclared", Name, "$1 is used but nothing declares it", "Declare it, include its header, or correct its spelling"),
    named("'(\\S+)' is not a member of '(\\S+)'", "not-a-member", Name, "$2 has no $1: misspelt, or its header is not included", "Include its header"),
    named("implicit declaration of function '(\\w+)'", "implicit-function", Name, "$1 is called but nothing declares it", "Include its header, or declare it above"),
    named("unknown type name '(\\w+)'", "unknown-type", Name, "The type $1 is not declared", "Include its header, or correct its spelling"),
    named("'(\\w+)' does not name a type", "unknown-type", Name, "The type $1 is not declared", "Include its header, or correct its spelling"),
    named("(\\S+): No such file or directory", "missing-header", Import, "The header $1 is not there", "Correct its name"),
    named("'(\\S+)' file not found", "missing-header", Import, "The header $1 is not there", "Correct its name"),
    named("has no member named '(\\w+)'", "no-member", Attribute, "The type has no $1", "Correct its name"),
    named("no member named '(\\w+)' in", "no-member", Attribute, "The type has no $1", "Correct its name"),
    named("'(.+)' is (?:private|protected) within this context", "private-member", Attribute, "$1 is not for everybody", "Use its public members"),
    named("too (few|many) arguments to function '(.+)'", "wrong-arguments", Type, "$2 is called with too $1 arguments", "Correct the call"),
    named("too (few|many) arguments", "wrong-arguments", Type, "A function is called with too $1 arguments", "Correct the call"),
    named("no matching function for call to '(.+)'", "no-matching-function", Type, "Nothing of this name takes these arguments: $1", "Correct the arguments"),
    named("no match for 'operator(\\S+)'", "no-matching-operator", Type, "$1 does not go between these types", "Convert one of them, or define it"),
    named("invalid operands to binary (\\S+)", "invalid-operands", Type, "$1 does not go between these types", "Convert one of them"),
    named("(?:invalid conversion|cannot convert|could not convert|invalid user-defined conversion)", "invalid-conversion", Type, "A value has the wrong type", "Convert it, or change the type"),
    named("(?:incompatible types|invalid initializer|incompatible type for|conversion to non-scalar|incompatible pointer|makes integer from pointer|makes pointer from integer|aggregate value used where)", "incompatible-types", Type, "A value has the wrong type", "Convert it, or change the type"),
    named("conflicting types for '(\\w+)'", "conflicting-types", Type, "$1 is declared in two ways", "Make them the same"),
    named("redefinition of '(.+)'", "redefinition", Name, "$1 is defined twice", "Rename one"),
    named("(?:redeclared|redeclaration|conflicting declaration)", "redefinition", Name, "Something is declared twice", "Rename one"),
    named("(?:assignment of read-only|increment of read-only|decrement of read-only|discards qualifiers)", "read-only", Type, "Something const is changed", "Remove const, or change a copy"),
    named("called object '?(\\w+)'? is not a function|'(\\w+)' cannot be used as a function", "not-a-function", Type, "$1$2 is called and is no function", "Correct its name"),
    named("(?:subscripted value is neither|invalid types '.+' for array subscript)", "not-an-array", Type, "Something is indexed and is no array", "Look at its type"),
    named("(?:invalid type argument of unary|base operand of '->')", "not-a-pointer", Type, "Something is used as a pointer and is none", "Use . instead of ->, or leave the * out"),
    named("is a pointer; did you mean to use '->'|request for member '(\\w+)' in '.*', which is of pointer type", "pointer-member", Type, "A pointer's member is asked for by a dot", "Write ->"),
    named("request for member '(\\w+)' in something not a structure", "not-a-structure", Type, "$1 is asked of what is no structure", "Look at its type"),
    named("dereferencing pointer to incomplete|incomplete type|storage size of", "incomplete-type", Type, "A type is declared and not defined", "Define it, or include its header"),
    named("lvalue required", "lvalue-required", Type, "Something that is no variable is assigned to", "Write == to compare"),
    named("(?:expected '(.+?)' before|expected '(.+?)' at end of input|expected '(.+?)' after)", "token-expected", Syntax, "$1$2$3 is missing", "Add it"),
    named("(?:expected .+ (?:before|at end of input|after)|expected (?:expression|declaration|identifier|unqualified-id|primary-expression|initializer))", "expected", Syntax, "The text is not C at the marked place", "Look for a missing bracket or semicolon before it"),
    named("(?:missing terminating|unterminated)", "unterminated", Syntax, "A text, comment or condition is opened and never closed", "Close it"),
    named("stray '(.+)' in program", "stray-character", Syntax, "$1 has no place in C", "Remove it"),
    named("(?:'else' without a previous 'if'|'case' label.* not within|break statement not within|continue statement not within|case label not within|extraneous|duplicate case)", "misplaced", Syntax, "A statement stands where it has no meaning", "Move it to where it belongs"),
    named("static assertion failed:? ?(.*)", "static-assertion", Assertion, "A check at compile time does not hold: $1", "Look at what it compares"),
    named("(?:void value not ignored|invalid use of void)", "void-value", Type, "The result of a function that gives none is used", "Look at what it returns"),
    named("(?:return-statement with no value|with a value, in function returning)", "wrong-return", Type, "The function returns what it does not promise", "Correct the return or the function's type"),
    named("cannot declare variable '(.+?)' to be of abstract type", "abstract-type", Type, "An object of an abstract class is made", "Define its pure virtual functions"),
    named("use of deleted function '(.+)'", "deleted-function", Type, "Something that must not be copied is copied: $1", "Move it, or take a reference"),
    named("template argument|deduced conflicting|couldn't deduce", "template-argument", Type, "A template cannot be filled in", "Name its arguments"),
    named("crosses initialization|jump to case label", "jump-over", Compile, "A case jumps over a declaration", "Put braces around the case"),
    named("uninitialized (?:const|reference)|declared as reference but not initialized", "uninitialized", Compile, "It must have a value where it is declared", "Give it one"),
    named("undefined reference to '(.+?)'", "undefined-reference", Link, "$1 is declared and used but defined nowhere", "Define it, add the file that does, or link its library"),
    named("multiple definition of '(.+?)'", "multiple-definition", Link, "$1 is defined in several files", "Define it in one, declare it extern in the others"),
    named("cannot find (-l\\S+)", "missing-library", Link, "The library $1 is not there", "Install it, or correct its name"),
    known("assert", "(.*)", Assertion, "A check of the program does not hold: $1", "Look at the values that it compares"),
    known("heap", "double free", Memory, "Memory is freed twice", "Free it once, set the pointer to NULL after it"),
    known("heap", "invalid pointer|invalid size", Memory, "free() gets what malloc() did not give, or the heap was overwritten", "Free only what was allocated; look for writes beyond the end"),
    known("heap", "stack smashing", Memory, "A local array is written beyond its end", "Check the index and the length of what is copied"),
    known("heap", "buffer overflow", Memory, "More is copied than the target holds", "Check the length of what is copied"),
    known("heap", "", Memory, "The heap was overwritten", "Look for writes beyond the end of what was allocated"),
    known("out_of_range", "map::at|unordered_map", Key, "The key is not in the map", "Use find() or count() first"),
    known("out_of_range", "", Index, "Something is indexed beyond its end", "Check against size() first"),
    known("bad_alloc", "", Resource, "The memory is used up, or a size is absurd", "Look at what is allocated"),
    known("length_error", "", Value, "A length is too large", "Check it first"),
    known("bad_optional_access", "", Null, "An empty optional is read", "Check has_value() first"),
    known("bad_variant_access", "", Type, "A variant holds another type", "Use std::visit or holds_alternative"),
    known("bad_any_cast", "", Type, "An any holds another type", "Check type() first"),
    known("bad_cast", "", Type, "An object is taken for what it is not", "Cast a pointer and check it"),
    known("bad_function_call", "", Null, "An empty std::function is called", "Give it a function first"),
    known("bad_weak_ptr", "", Memory, "The object behind a weak_ptr is gone", "Use lock() and check it"),
    known("bad_array_new_length", "", Value, "An array of an impossible size is made", "Check the size first"),
    known("invalid_argument", "(sto\\w+)", Value, "The text given to $1 is no number", "Check it first"),
    known("invalid_argument", "", Value, "A function got a value that it does not take", "Check it first"),
    known("domain_error", "", Value, "A value is outside of where the function is defined", "Check it first"),
    known("overflow_error", "", Arithmetic, "A number is too large", ""),
    known("range_error", "", Value, "A value is outside of what is allowed", ""),
    known("filesystem_error", "", Io, "A file operation failed", "Look at its reason"),
    known("ios_base::failure", "", Io, "A stream failed", "Look at its reason"),
    known("failure", "", Io, "A stream failed", "Look at its reason"),
    known("system_error", "", Concurrency, "The system refused, often a thread that was not joined", "Look at its reason"),
    known("regex_error", "", Value, "The text is no regular expression", ""),
    known("terminate", "", Raised, "An exception got out of where none may, or a thread was destroyed before it was joined", "Join threads; catch exceptions"),
    known("runtime_error", "", Raised, "The program raised an error of its own", "Look at where it is raised"),
    known("logic_error", "null|NULL", Null, "A text is made of a null pointer", "Check it first"),
    known("logic_error", "", Raised, "The program raised an error of its own", "Look at where it is raised"),
    known("exception", "", Raised, "The program raised an error of its own", "Look at where it is raised"),
];

/// All errors of a log: compilers' in their order, then the linker's, then the run's.
pub fn read(log: &Log) -> Vec<RawError> {
    let mut found: Vec<RawError> = Vec::new();
    let mut frames = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        if let Some(parts) = FIXIT.captures(line) {
            fixit(&mut found, &parts);
        } else if let Some(parts) = GCC.captures(line) {
            let mut error =
                RawError::new("", &parts[5]).at(&parts[1], &parts[2], parts.get(3).map(|c| c.as_str()));
            if &parts[4] == "warning" {
                error.weight = Weight::Warning;
                error.kind = parts.get(6).map_or("warning", |name| name.as_str()).to_owned();
                error.category = Some(Other);
            }
            if let Some((_, meant)) = parts[5].split_once("did you mean ") {
                let meant = meant.trim_matches(|c: char| !c.is_alphanumeric() && !"_:<>.".contains(c));
                error.suggest(format!("Write {meant}"), "gcc", Confidence::High);
            }
            marked(log, at, &mut error);
            found.push(error);
        } else if let Some(parts) = LD_MISSING.captures(line) {
            found.push(RawError::new("", format!("cannot find {}", &parts[1])));
        } else if let Some(parts) = LD.captures(line) {
            let error = RawError::new("", &parts[3]);
            let file = parts.get(1).map_or("", |file| file.as_str());
            found.push(match parts.get(2) {
                Some(number) => error.at(file, number.as_str(), None),
                None => error,
            });
        } else if let Some(parts) = ASSERT.captures(line) {
            let mut error = RawError::new("assert", &parts[4]);
            error.frames.push(frame(Some(&parts[3]), &parts[1], &parts[2], None));
            found.push(error);
        } else if let Some(kind) = line.strip_prefix("terminate called after throwing an instance of '") {
            let kind = kind
                .trim_end_matches('\'')
                .replace("std::__cxx11::", "std::")
                .replace("__ios_failure", "ios_base::failure");
            let what = log.line(at + 1).trim().strip_prefix("what():").unwrap_or_default().trim();
            found.push(RawError { category: own_kind(&kind), ..RawError::new(kind, what) });
        } else if line.starts_with("terminate called ") {
            found.push(RawError::new("terminate", line.as_str()));
        } else if HEAP_WORDS.iter().any(|word| line.trim_start_matches("*** ").starts_with(word))
            && HEAP.is_match(line)
        {
            found.push(RawError::new("heap", line.trim_matches(['*', ' '])));
        } else if let Some(parts) = GDB.captures(line) {
            frames.push(frame(
                Some(&parts[1]),
                &parts[2],
                parts.get(3).map_or("", |line| line.as_str()),
                None,
            ));
        }
    }
    let sanitized = sanitizers::read(log);
    if !sanitized.is_empty() {
        found.retain(|error| error.weight == Weight::Warning);
        found.extend(sanitized);
    }
    if let Some(error) =
        found.iter_mut().rev().find(|error| error.weight == Weight::Error && error.place.is_none())
        && error.frames.is_empty()
    {
        error.frames = frames;
    }
    found
}

/// An exception type of the program's own.
fn own_kind(kind: &str) -> Option<formicary_model::ErrorCategory> {
    (!kind.starts_with("std::")).then_some(Raised)
}

/// How far the carets beneath a message reach.
fn marked(log: &Log, at: usize, error: &mut RawError) {
    let Some(caret) = (at + 1..at + 4).map(|index| log.line(index)).find(|line| {
        line.trim_start().starts_with('|')
            && line.contains('^')
            && line.trim_start_matches([' ', '|']).starts_with(['^', '~'])
    }) else {
        return;
    };
    let width = caret.chars().skip_while(|c| *c != '^').take_while(|c| *c == '^' || *c == '~').count() as u32;
    if let Some(place) = &mut error.place {
        place.end_column = place.column.map(|column| column + width);
    }
}

/// An edit that gcc or clang proposes. Their columns count bytes; the lines are looked up when the sources are known.
fn fixit(found: &mut [RawError], parts: &regex::Captures<'_>) {
    let number = |index: usize| parts[index].parse().unwrap_or(1u32);
    let replacement = unescaped(&parts[6]);
    let span = Span {
        start_line: number(2),
        start_column: number(3),
        end_line: number(4),
        end_column: number(5),
        start_byte: 0,
        end_byte: 0,
    };
    let Some(error) = found.last_mut() else { return };
    let edit =
        SuggestedEdit { file: parts[1].to_owned(), edit: Edit { span, replacement: replacement.clone() } };
    let shown = replacement.trim();
    let text = if shown.is_empty() { "Remove it".to_owned() } else { format!("Write {shown}") };
    match error
        .suggestions
        .iter_mut()
        .find(|suggestion| suggestion.origin == "gcc" && !suggestion.edits.is_empty())
    {
        Some(suggestion) => suggestion.edits.push(edit),
        None => {
            error.suggestions.retain(|suggestion| suggestion.text != text);
            error.suggestions.push(Suggestion {
                text,
                origin: "gcc".into(),
                confidence: Confidence::High,
                edits: vec![edit],
            });
        }
    }
}

fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\t", "\t").replace("\\\\", "\\")
}

/// What only the sources can tell: where a symbol that the linker misses is used, and the bytes of fix-its.
pub fn locate(error: &mut RawError, sources: &[SourceText]) {
    let files = super::place::Files { sources };
    for suggestion in &mut error.suggestions {
        suggestion.edits.retain_mut(|edit| {
            let Some(source) = files.find(&edit.file) else { return false };
            let place = |line: u32, column: u32| {
                let start: usize =
                    source.text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
                start + column as usize - 1
            };
            let span = edit.edit.span;
            let (start, end) =
                (place(span.start_line, span.start_column), place(span.end_line, span.end_column));
            edit.edit.span = Span::of_bytes(&source.text, start, end);
            edit.file.clone_from(&source.path);
            end <= source.text.len()
        });
    }
    before_the_place(error, sources);
    if error.place.is_some()
        || !(error.message.contains("undefined reference") || error.message.contains("multiple definition"))
    {
        return;
    }
    let Some(symbol) = error.message.split(['`', '\'', '‘', '’']).nth(1) else { return };
    let name = symbol.split('(').next().unwrap_or(symbol).rsplit("::").next().unwrap_or(symbol);
    let word = pattern(&format!(r"\b{}\b", regex::escape(name)));
    let used =
        |line: &str| word.is_match(line) && !line.trim_end().ends_with(");") | !is_declaration(line, name);
    for source in sources {
        if let Some(index) = source.text.lines().position(used) {
            error.place = Some(RawPlace {
                file: source.path.clone(),
                line: index as u32 + 1,
                column: None,
                end_column: None,
            });
            return;
        }
    }
}

/// A missing semicolon is reported where the next token stands; it is missing at the end of the line before.
fn before_the_place(error: &mut RawError, sources: &[SourceText]) {
    let said = error.message.replace(['‘', '’'], "'");
    let Some(place) =
        error.place.as_mut().filter(|_| said.contains("';' before") || said.contains("',' before"))
    else {
        return;
    };
    let Some(source) = (super::place::Files { sources }).find(&place.file) else { return };
    let lines: Vec<&str> = source.text.lines().collect();
    let Some(line) = lines.get(place.line as usize - 1) else { return };
    let first = line.chars().take_while(|c| c.is_whitespace()).count() as u32 + 1;
    if place.column != Some(first) {
        return;
    }
    let before = lines[..place.line as usize - 1].iter().rposition(|line| !line.trim().is_empty());
    if let Some(index) = before {
        place.line = index as u32 + 1;
        place.column = Some(lines[index].trim_end().chars().count() as u32 + 1);
        place.end_column = None;
    }
}

/// Whether a line only declares the function: a type before its name and a semicolon at its end.
fn is_declaration(line: &str, name: &str) -> bool {
    let before = line.split(name).next().unwrap_or_default().trim();
    let typed = !before.is_empty() && before.chars().all(|c| c.is_alphanumeric() || " _*&:<>".contains(c));
    typed && !before.starts_with("return") && line.trim_end().ends_with(';')
}
