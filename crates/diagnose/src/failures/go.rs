//! Go: panics with their goroutines, fatal errors, the race detector, build errors, failing tests.

use super::raw::{Known, RawError, frame, known, named, pattern};
use super::text::Log;
use formicary_model::ErrorCategory::{
    Arithmetic, Assertion, Attribute, Compile, Concurrency, Environment, Import, Index, Io, Key, Memory,
    Name, Null, Raised, Recursion, Resource, Syntax, Type, Value,
};
use formicary_model::StackFrame;
use regex::Regex;
use std::sync::LazyLock;

static BUILD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:vet: )?(\.?/?[^:\s]+\.go):(\d+)(?::(\d+))?: (.*)$"));
static AT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s+(\S+\.(?:go|s|c)):(\d+)(?: \+0x[0-9a-f]+)?(?: .*)?$"));
static TEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s+(\S+_test\.go):(\d+): (.*)$"));
static MODULE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:\S+\.go:\d+:\d+: )?(?:cannot find (?:package|module) .*|no required module provides .*|package (\S+) is not in .*)",
    )
});

#[rustfmt::skip]
pub const KNOWN: &[Known] = &[
    known("panic", "index out of range \\[(-?\\d+)\\](?: with length (\\d+))?", Index, "Index $1 is taken of a sequence of $2", "Look at the loop's bounds"),
    known("panic", "slice bounds out of range", Index, "A slice is cut beyond its end", "Check against len() first"),
    known("panic", "integer divide by zero", Arithmetic, "An integer is divided by zero", "Check the divisor first"),
    known("panic", "invalid memory address or nil pointer", Null, "A nil pointer is used", "Find out why it is nil, or check it first"),
    known("panic", "assignment to entry in nil map", Null, "A map is written to before it was made", "Make it first: make(map[…]…)"),
    known("panic", "interface conversion: .* is (\\S+), not (\\S+)", Type, "An interface holds $1 and is taken for $2", "Use the form with ok"),
    known("panic", "interface conversion", Type, "An interface does not hold what it is taken for", "Use the form with ok"),
    known("panic", "send on closed channel", Concurrency, "Something is sent on a channel that is closed", "Close it only after the last send"),
    known("panic", "close of (closed|nil) channel", Concurrency, "A $1 channel is closed", "Close it once, by its sender"),
    known("panic", "makeslice: (?:len|cap) out of range", Value, "A slice of an impossible size is made", "Check the size first"),
    known("panic", "sync: negative WaitGroup counter", Concurrency, "Done is called more often than Add", "Call Add before the goroutine starts"),
    known("panic", "sync: (?:unlock of unlocked|Unlock of unlocked|RUnlock)", Concurrency, "A mutex is unlocked that is not locked", "Lock it first"),
    known("panic", "unhashable type|hash of unhashable", Type, "A map's key cannot be compared", "Use another type for keys"),
    known("panic", "comparing uncomparable", Type, "Two values that cannot be compared are compared", "Use reflect.DeepEqual"),
    known("panic", "strconv\\.\\w+: parsing (\"[^\"]*\"): (.*)", Value, "$1 is no number: $2", "Check it first"),
    known("panic", "regexp: Compile", Value, "The text is no regular expression", ""),
    known("panic", "strings: negative Repeat count|negative shift", Value, "A count is negative", "Check it first"),
    known("panic", "open (\\S+): no such file", Io, "$1 does not exist", "Correct the path, or create it first"),
    known("panic", "permission denied|read-only file system", formicary_model::ErrorCategory::Permission, "The file's mode or the sandbox refuses it", "Write to the working folder or to /tmp"),
    known("panic", "reflect:", Type, "A value is used by reflection as what it is not", "Check its Kind first"),
    known("panic", "dial tcp|lookup ", Environment, "There is no network in the sandbox", "Allow the network for this run if it is meant"),
    known("panic", "", Raised, "The program panicked by itself", "Look at where it panics"),
    known("fatal error", "all goroutines are asleep", Concurrency, "Every goroutine waits for another: a channel nobody sends on or receives from, or a WaitGroup nobody finishes", "Look at what each goroutine waits for"),
    known("fatal error", "concurrent map", Concurrency, "Goroutines use a map at the same time", "Guard it by a mutex, or use sync.Map"),
    known("fatal error", "stack overflow", Recursion, "A function calls itself without end", "Give it a base case that is reached"),
    known("fatal error", "out of memory|cannot allocate", Resource, "The memory is used up", "Look for a collection that grows without end"),
    known("fatal error", "sync: (?:unlock|RUnlock|Unlock)", Concurrency, "A mutex is unlocked that is not locked", "Lock it first"),
    known("fatal error", "unexpected signal|segmentation|checkptr", Memory, "Memory is touched that is not the program's", "Look at uses of unsafe and cgo"),
    known("fatal error", "", Memory, "The runtime gave up", ""),
    known("DATA RACE", "", Concurrency, "Two goroutines use the same variable, one of them writes, and nothing orders them", "Guard it by a mutex, or send it through a channel"),
    known("test-failed", "", Assertion, "A test does not hold", "Look at what it got and what it wanted"),
    named("undefined: (\\S+)", "undefined", Name, "$1 is used but nothing defines it", "Define it, import its package, or correct its spelling"),
    named("(\\S+) undefined \\(type (\\S+) has no field or method (\\w+)", "no-field-or-method", Attribute, "$2 has no $3", "Correct its name"),
    named("(?:\\S+) (?:not declared|not exported) by package (\\S+)", "undefined", Name, "The package $1 has no such name", "Correct it"),
    named("declared (?:and|but) not used: ?(\\w+)|(\\w+) declared (?:and|but) not used", "unused-variable", Compile, "$1$2 is declared and never used", "Use it, or write _"),
    named("\"(\\S+)\" imported (?:and|but) not used|imported (?:and|but) not used: \"(\\S+?)\"", "unused-import", Import, "$1$2 is imported and never used", "Remove the import"),
    named("(?:package (\\S+) is not in|cannot find (?:package|module)|no required module provides package (\\S+))", "package-not-found", Import, "The package $1$2 is not there", "Correct its path"),
    named("syntax error: (.*)", "syntax-error", Syntax, "The text is not Go at the marked place: $1", "Look at the marked place and just before it"),
    named("(?:non-declaration statement outside function body|expected '|string literal not terminated|newline in string|rune literal|invalid character|illegal|unexpected)", "syntax-error", Syntax, "The text is not Go at the marked place", "Look at the marked place and just before it"),
    named("missing return", "missing-return", Compile, "A way through the function returns nothing", "Return something at its end"),
    named("cannot use (.+?) \\((?:.*)\\) as (?:type )?(\\S+?)(?: value)? in", "type-mismatch", Type, "$1 is given where a $2 is wanted", "Convert it, or change the type"),
    named("mismatched types (\\S+) and (\\S+)", "mismatched-types", Type, "$1 and $2 are mixed", "Convert one of them"),
    named("cannot (?:convert|use|assign|index|range over|call non-function|slice|compare)", "type-mismatch", Type, "A value has the wrong type", "Convert it, or change the type"),
    named("invalid operation: .*(?:non-function|cannot call)", "not-a-function", Type, "Something is called and is no function", "Look at its type"),
    named("invalid operation", "invalid-operation", Type, "The operator does not go with these types", "Convert one of them"),
    named("(not enough|too many) arguments in call to (\\S+)", "wrong-arguments", Type, "$2 gets $1 arguments", "Correct the call"),
    named("(not enough|too many) return values", "wrong-return", Type, "The function returns $1 values", "Correct the return"),
    named("assignment mismatch: (.*)", "assignment-mismatch", Type, "As many names as values are wanted: $1", "Correct the left side"),
    named("(\\w+) redeclared", "redeclared", Name, "$1 is declared twice", "Rename one"),
    named("no new variables on left side of :=", "no-new-variables", Name, "Everything on the left side is declared already", "Write = instead of :="),
    named("missing (?:method|return)|does not implement", "does-not-implement", Type, "The type lacks a method of the interface", "Add it, with the right receiver"),
    named("import cycle", "import-cycle", Import, "Packages import each other in a circle", "Move the shared part to a third"),
    named("(?:constant|cannot represent|truncated|overflows)", "constant-overflow", Value, "The constant does not fit its type", "Use a wider type"),
    named("division by zero", "division-by-zero", Arithmetic, "A constant is divided by zero", "Correct it"),
    named("(?:is not used|evaluated but not used)", "unused-result", Compile, "A value is computed and not used", "Assign it, or remove it"),
    named("duplicate (?:case|key|field|method)|missing function body|function main is undeclared|label .* (?:defined|not defined)|break|continue|defer", "compile-error", Compile, "The compiler refuses it", ""),
    named("unknown field '?(\\w+)'? in struct literal", "unknown-field", Attribute, "The structure has no field $1", "Correct its name"),
    named("exit status|signal: ", "exit", Environment, "A program that was started failed", ""),
    known("error", "key", Key, "A key is not there", ""),
    named("", "compile-error", Compile, "The compiler refuses it", ""),
];

/// All errors of a log.
pub fn read(log: &Log) -> Vec<RawError> {
    let mut found: Vec<RawError> = Vec::new();
    let mut at = 0;
    let mut test: Option<&str> = None;
    while at < log.lines.len() {
        let line = log.line(at);
        let panic = line.strip_prefix("panic: ").map(|said| ("panic", said));
        let fatal = || line.strip_prefix("fatal error: ").map(|said| ("fatal error", said));
        if let Some((kind, said)) = panic.or_else(fatal) {
            let mut error = RawError::new(kind, said.trim_end_matches(" [recovered]"));
            let end = (at + 1..log.lines.len())
                .find(|index| log.line(*index).starts_with("goroutine "))
                .unwrap_or(log.lines.len());
            let signal = (at + 1..end).find(|index| log.line(*index).starts_with("[signal "));
            // What a fatal error adds is the runtime's own stack.
            let told = if kind == "panic" { signal.unwrap_or(end).min(at + 12) } else { at };
            for index in at + 1..told {
                let more = log.line(index).trim();
                if let Some(again) = more.strip_prefix("panic: ") {
                    // A panic while another was under way: the first is the cause.
                    let first = std::mem::replace(&mut error, RawError::new(kind, again));
                    error.causes.insert(0, first);
                } else if !more.is_empty() && error.causes.is_empty() {
                    error.message.push('\n');
                    error.message.push_str(more);
                }
            }
            let (frames, next) = goroutine(log, end + 1);
            error.frames = frames;
            error.message = error.message.trim_start_matches("runtime error: ").trim().to_owned();
            found.push(error);
            // Other goroutines only tell what else was under way.
            at = next.max(at + 1);
        } else if line == "WARNING: DATA RACE" {
            let (frames, next) = goroutine(log, at + 2);
            found.push(RawError { frames, ..RawError::new("DATA RACE", log.line(at + 1)) });
            at = next.max(at + 1);
        } else if let Some(name) = line.trim_start().strip_prefix("--- FAIL: ") {
            test = name.split(' ').next();
            at += 1;
        } else if let Some(parts) = TEST.captures(line).filter(|_| test.is_some()) {
            let mut error = RawError::new("test-failed", &parts[3]);
            error.frames.push(frame(test, &parts[1], &parts[2], None));
            found.push(error);
            at += 1;
        } else if let Some(parts) = BUILD.captures(line) {
            let mut message = parts[4].to_owned();
            while log.line(at + 1).starts_with(['\t', ' ']) && !BUILD.is_match(log.line(at + 1).trim_start())
            {
                at += 1;
                message.push('\n');
                message.push_str(log.line(at));
            }
            if message != "too many errors" {
                found.push(RawError::new("", message).at(
                    &parts[1],
                    &parts[2],
                    parts.get(3).map(|column| column.as_str()),
                ));
            }
            at += 1;
        } else {
            if MODULE.is_match(line) {
                found.push(RawError::new("", line));
            }
            at += 1;
        }
    }
    found
}

/// The frames of a goroutine: a function's line, then its place.
fn goroutine(log: &Log, from: usize) -> (Vec<StackFrame>, usize) {
    let mut frames = Vec::new();
    let mut at = from;
    while at < log.lines.len() {
        let line = log.line(at);
        if line.is_empty() && !frames.is_empty() {
            break;
        }
        if let Some(parts) = AT.captures(line) {
            let before = log.line(at.saturating_sub(1)).trim();
            let name = before.strip_prefix("created by ").unwrap_or(before);
            let name = match name.rfind('(') {
                Some(paren) if name.ends_with(')') => &name[..paren],
                _ => name,
            };
            frames.push(frame(Some(name), &parts[1], &parts[2], None));
        } else if line.starts_with("panic: ") || line.starts_with("exit status") {
            break;
        }
        at += 1;
        if frames.len() >= 200 {
            break;
        }
    }
    (frames, at)
}
