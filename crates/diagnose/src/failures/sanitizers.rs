//! What the sanitizers of gcc, clang and rustc report: addresses, threads, leaks, undefined behaviour.

use super::raw::{Known, RawError, frame, known, pattern};
use super::text::Log;
use formicary_model::ErrorCategory::{
    Arithmetic, Concurrency, Index, Memory, Null, Recursion, Resource, Type, Value,
};
use regex::Regex;
use std::sync::LazyLock;

static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:ERROR|WARNING): (Address|Thread|Leak|Memory|UndefinedBehavior)Sanitizer:? (.*?)(?: \(pid=\d+\))?$",
    )
});
static FRAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*#\d+ (?:0x[0-9a-f]+ in )?(.+?) (?:\(|([^\s()]+?):(\d+)(?::(\d+))?)"));
static UBSAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^([^:\s]+):(\d+):(\d+): runtime error: (.*)$"));

#[rustfmt::skip]
pub const KNOWN: &[Known] = &[
    known("heap-use-after-free", "", Memory, "Memory is used after it was freed", "Free it later, or set the pointer to NULL after it"),
    known("heap-buffer-overflow", "", Memory, "Allocated memory is used beyond its end", "Check the index, and the size that was allocated"),
    known("stack-buffer-overflow", "", Memory, "A local array is used beyond its end", "Check the index"),
    known("global-buffer-overflow", "", Memory, "A global array is used beyond its end", "Check the index"),
    known("stack-use-after-return", "", Memory, "A local variable is used after its function returned", "Allocate it, or let the caller give it"),
    known("stack-use-after-scope", "", Memory, "A local variable is used after its block ended", "Declare it further out"),
    known("attempting double-free", "", Memory, "Memory is freed twice", "Free it once"),
    known("double-free", "", Memory, "Memory is freed twice", "Free it once"),
    known("bad-free", "", Memory, "free() gets what malloc() did not give", "Free only what was allocated"),
    known("alloc-dealloc-mismatch", "", Memory, "Memory is freed by another function than its kind wants", "Use delete for new, delete[] for new[], free for malloc"),
    known("stack-overflow", "", Recursion, "A function calls itself without end, or a local array is too large", "Give it a base case that is reached"),
    known("SEGV", "unknown address (?:0x0{8,}|\\(nil\\)|0x0*[0-9a-f]{1,3}\\b)", Null, "A null pointer is used", "Check it first"),
    known("SEGV", "", Memory, "Memory is touched that is not the program's", "Look at the pointer on the marked line"),
    known("FPE", "", Arithmetic, "An integer is divided by zero", "Check the divisor first"),
    known("LeakSanitizer", "", Resource, "Memory is allocated and never freed", "Free it"),
    known("data race", "", Concurrency, "Two threads use the same memory, one of them writes, and nothing orders them", "Guard it by a mutex, or make it atomic"),
    known("allocation-size-too-big", "", Value, "An absurd amount of memory is asked for", "Check the size first"),
    known("negative-size-param", "", Value, "A size is negative", "Check it first"),
    known("memcpy-param-overlap", "", Memory, "Source and target of a copy overlap", "Use memmove"),
    known("undefined-behavior", "division by zero", Arithmetic, "A number is divided by zero", "Check the divisor first"),
    known("undefined-behavior", "overflow|cannot be represented", Arithmetic, "A number is too large for its type", "Use a wider type, or check first"),
    known("undefined-behavior", "null pointer", Null, "A null pointer is used", "Check it first"),
    known("undefined-behavior", "index (-?\\d+) out of bounds for type '(.+)'", Index, "Index $1 is taken of $2", "Check the index"),
    known("undefined-behavior", "shift exponent", Arithmetic, "A shift is by more bits than the type has, or by a negative number", "Check the exponent first"),
    known("undefined-behavior", "without returning a value", Value, "A function that promises a value ends without return", "Return something at its end"),
    known("undefined-behavior", "not a valid value for type", Value, "A variable holds what its type does not allow: it was never set", "Give it a value first"),
    known("undefined-behavior", "misaligned|insufficient space", Memory, "An address does not fit its type", "Copy by memcpy"),
    known("undefined-behavior", "vptr|dynamic type", Type, "An object is not of the type it is used as", "Look at where it was made"),
    known("undefined-behavior", "", Memory, "What the program does has no defined meaning", "Look at the marked line"),
    known("use-of-uninitialized-value", "", Value, "A value is used that was never set", "Set it first"),
];

/// All reports of a log.
pub fn read(log: &Log) -> Vec<RawError> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < log.lines.len() {
        let line = log.line(at);
        if let Some(parts) = UBSAN.captures(line) {
            let error =
                RawError::new("undefined-behavior", &parts[4]).at(&parts[1], &parts[2], Some(&parts[3]));
            let (frames, next) = stack(log, at + 1);
            found.push(RawError { frames, ..error });
            at = next.max(at + 1);
        } else if let Some(parts) = HEAD.captures(line) {
            let said = parts[2].to_owned();
            let kind = kind(&parts[1], &said);
            let (frames, next) = stack(log, at + 1);
            found.push(RawError { frames, ..RawError::new(kind, said) });
            at = next.max(at + 1);
        } else {
            at += 1;
        }
    }
    // A report of undefined behaviour is often followed by the crash that it leads to; that one adds nothing.
    if found.len() > 1 && found[0].kind == "undefined-behavior" {
        found.retain(|error| error.kind == "undefined-behavior");
    }
    found
}

fn kind(sanitizer: &str, said: &str) -> String {
    if sanitizer == "Leak" {
        return "LeakSanitizer".into();
    }
    if said.starts_with("attempting double-free") {
        return "double-free".into();
    }
    if said.starts_with("attempting free on address which was not malloc") {
        return "bad-free".into();
    }
    if said.starts_with("requested allocation size") {
        return "allocation-size-too-big".into();
    }
    if said.starts_with("data race") {
        return "data race".into();
    }
    said.split([' ', ':']).next().unwrap_or_default().to_owned()
}

/// The first stack after a report's head, and the line after it.
fn stack(log: &Log, from: usize) -> (Vec<formicary_model::StackFrame>, usize) {
    let mut at = from;
    while at < log.lines.len().min(from + 8) && !log.line(at).trim_start().starts_with("#0 ") {
        if HEAD.is_match(log.line(at)) {
            return (Vec::new(), at);
        }
        at += 1;
    }
    let mut frames = Vec::new();
    while log.line(at).trim_start().starts_with('#') {
        if let Some(parts) = FRAME.captures(log.line(at)) {
            let group = |index: usize| parts.get(index).map_or("", |text| text.as_str());
            frames.push(frame(
                Some(&parts[1]),
                group(2),
                group(3),
                parts.get(4).map(|column| column.as_str()),
            ));
        }
        at += 1;
    }
    (frames, at)
}
