//! JavaScript and TypeScript: V8 stacks, unhandled rejections, syntax errors, tsc, the type stripper.

use super::raw::{Known, RawError, RawPlace, frame, known, pattern};
use super::text::Log;
use formicary_model::ErrorCategory::{
    Arithmetic, Assertion, Attribute, Environment, Import, Io, Name, Null, Permission, Raised, Recursion,
    Resource, Syntax, Type, Value,
};
use formicary_model::StackFrame;
use regex::Regex;
use std::sync::LazyLock;

pub static AT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\s*at (?:async )?(?:(.*?) \()?((?:file://|node:)?[^()\s][^()]*?):(\d+):(\d+)\)?(?: \{)?$")
});
static NATIVE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*at (?:async )?(.+?)(?: \((?:<anonymous>|native|index \d+)\))?(?: \{)?$"));
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\s*(?:\[cause\]: |Uncaught |\[)?((?:[A-Z][\w$]*)?(?:Error|Exception|Rejection|[A-Z]\w+))(?: \[(\w+)\])?(?:: (.*?)|)(?:\] \{|\])?$",
    )
});
static WHERE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^((?:file://)?(?:/|\.|\w)\S*\.(?:[cm]?[jt]sx?|json)):(\d+)$"));
static TSC: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(\S+?\.[cm]?tsx?)(?:\((\d+),(\d+)\):|:(\d+):(\d+) -) (error|warning) (TS\d+): (.*)$")
});
static STRIPPER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(\S+?\.[cm]?[jt]sx?):(\d+):(\d+): (?:error: )?(.*)$"));
static HEAP: LazyLock<Regex> = LazyLock::new(|| pattern(r"^FATAL ERROR: (.*)$"));

#[rustfmt::skip]
pub const KNOWN: &[Known] = &[
    known("ReferenceError", "Cannot access '(\\w+)' before initialization", Name, "$1 is used above the line that defines it", "Move the definition up"),
    known("ReferenceError", "(\\S+) is not defined in ES module scope", Environment, "$1 exists only in CommonJS, and this file is a module", "Use import instead"),
    known("ReferenceError", "(\\S+) is not defined", Name, "$1 is used but nothing defines it: misspelt or not imported", "Define or import $1, or correct its spelling"),
    known("ReferenceError", "", Name, "A name is used that nothing defines", "Correct its spelling"),
    known("TypeError", "Cannot (?:read|set) properties of (undefined|null) \\((?:reading|setting) '(.+?)'\\)", Null, "Something is $1 where an object with $2 was expected", "Find out why it is $1, or use ?."),
    known("TypeError", "Cannot destructure .* as it is (undefined|null)", Null, "Something is $1 where an object was expected", "Give a default, or check it first"),
    known("TypeError", "Assignment to constant variable", Type, "A const is given another value", "Declare it by let"),
    known("TypeError", "(.+) is not a function or its return value is not iterable", Type, "$1 gives nothing to go through", "Look at what it returns"),
    known("TypeError", "(.+)\\.(\\w+) is not a function", Attribute, "$1 has no method $2", "Correct the name, or look at what $1 is"),
    known("TypeError", "(.+) is not a function", Type, "$1 is called and is no function", "Look at what it is"),
    known("TypeError", "(.+) is not iterable", Type, "$1 is gone through in a loop and cannot be", "Use Object.entries() of it, or a collection"),
    known("TypeError", "(.+) is not a constructor", Type, "$1 is used with new and is no class", "Call it without new"),
    known("TypeError", "Class constructor (\\w+) cannot be invoked without 'new'", Type, "The class $1 is called like a function", "Write new before it"),
    known("TypeError", "Cannot convert undefined or null to object", Null, "Something is undefined or null where an object was expected", "Check it first"),
    known("TypeError", "Cannot mix BigInt", Type, "BigInts and numbers are mixed", "Convert one of them"),
    known("TypeError", "(?:read only property|object is not extensible|Cannot (?:delete|add|redefine) property)", Type, "A frozen object is changed", "Copy it first"),
    known("TypeError", "circular structure", Value, "A structure that holds itself is turned into JSON", "Leave out the part that leads back"),
    known("TypeError", "", Type, "A value has the wrong type", "Look where it comes from"),
    known("RangeError", "Maximum call stack", Recursion, "A function calls itself without end", "Give it a base case that is reached"),
    known("RangeError", "Invalid (array|string) length", Value, "A length is negative or too large", "Check it first"),
    known("RangeError", "Division by zero", Arithmetic, "A BigInt is divided by zero", "Check the divisor first"),
    known("RangeError", "", Value, "A value is outside of what is allowed", "Check it first"),
    known("SyntaxError", "(?:in JSON|JSON input|is not valid JSON)", Value, "The text is not JSON", "Look at what is parsed: it may be empty or already an object"),
    known("SyntaxError", "Identifier '(\\w+)' has already been declared", Syntax, "$1 is declared twice", "Rename one, or assign instead"),
    known("SyntaxError", "missing \\) after argument list", Syntax, "A call is not closed", "Add the )"),
    known("SyntaxError", "Invalid or unexpected token", Syntax, "A string is not closed, or a character has no place here", "Close the quote"),
    known("SyntaxError", "Unexpected end of input", Syntax, "A bracket is opened and never closed", "Close it"),
    known("SyntaxError", "Unexpected token '?(.+?)'?$", Syntax, "$1 stands where it has no meaning", "Look for a missing bracket or comma before it"),
    known("SyntaxError", "await is only valid", Syntax, "await stands outside of an async function", "Declare the function async"),
    known("SyntaxError", "does not provide an export named '(\\w+)'", Import, "The module has no export $1", "Correct the name, or import the default"),
    known("SyntaxError", "Cannot use import statement outside a module", Environment, "The file is CommonJS and uses import", "Name it .mjs, or set type to module in package.json"),
    known("SyntaxError", "", Syntax, "The text is not JavaScript at the marked place", "Look at the marked place and just before it"),
    known("AssertionError", "", Assertion, "A check of the program does not hold", "Look at the values that it compares"),
    known("URIError", "", Value, "The text is no encoded URI", "Check it first"),
    known("EvalError", "", Raised, "eval was misused", ""),
    known("Error", "Cannot find (?:module|package) '(.+?)'", Import, "The module $1 is not installed and not among the files", "Correct the path (a relative one begins with ./), or install the package"),
    known("Error", "ENOENT: no such file or directory, \\w+ '(.+?)'", Io, "$1 does not exist", "Correct the path, or create the file first"),
    known("Error", "EACCES|EPERM|EROFS", Permission, "The file's mode or the sandbox refuses it", "Write to the working folder or to /tmp"),
    known("Error", "E(?:ISDIR|NOTDIR|EXIST|BADF|NOTEMPTY)", Io, "The system refused", "Look at its reason"),
    known("Error", "(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH)", Environment, "There is no network in the sandbox, or nothing listens there", "Allow the network for this run if it is meant"),
    known("Error", "spawn", Environment, "A command could not be started", "Correct its name"),
    known("AggregateError", "", Raised, "Several things were tried and all failed", "Look at each of its errors"),
    known("UnhandledPromiseRejection", "", Raised, "A promise was rejected with something that is no error, and nobody caught it", "Catch it, and reject with an Error"),
    known("FatalError", "heap", Resource, "The memory is used up", "Look for a collection that grows without end"),
    known("FatalError", "", Resource, "The runtime gave up", ""),
    known("Thrown", "", Raised, "The program threw something that is no Error, so that it has no stack", "Throw new Error(…) instead"),
    known("TS2304", "Cannot find name '(.+?)'", Name, "$1 is used but nothing defines it", "Define or import it"),
    known("TS2552", "Cannot find name '(.+?)'", Name, "$1 is used but nothing defines it", "Correct its spelling"),
    known("TS2307", "Cannot find module '(.+?)'", Import, "The module $1 is not found", "Correct the path"),
    known("TS2339", "Property '(.+?)' does not exist on type '(.+?)'", Attribute, "$2 has no $1", "Correct the name"),
    known("TS2551", "Property '(.+?)' does not exist on type '(.+?)'", Attribute, "$2 has no $1", "Correct the name"),
    known("TS2531", "", Null, "Something may be null", "Check it first"),
    known("TS2532", "", Null, "Something may be undefined", "Check it first"),
    known("TS18047", "", Null, "Something may be null", "Check it first"),
    known("TS18048", "", Null, "Something may be undefined", "Check it first"),
    known("", "^Type '(.+?)' is not assignable to type '(.+?)'", Type, "A $1 is given where a $2 is wanted", "Convert it, or change the type"),
    known("", "Expected \\d+ arguments?, but got", Type, "The call has the wrong number of arguments", "Correct the call"),
    known("Error", "", Raised, "The program raised an error of its own", "Look at where it is raised"),
];

/// All errors of a log, the one that ended the program first.
pub fn read(log: &Log) -> Vec<RawError> {
    let reported = super::javascript_tests::read(log);
    if !reported.is_empty() {
        return reported;
    }
    let mut found = Vec::new();
    let mut compile = Vec::new();
    let mut at = 0;
    let mut header: Option<(usize, RawPlace)> = None;
    while at < log.lines.len() {
        let line = log.line(at);
        if let Some(parts) = TSC.captures(line) {
            let group = |a: usize, b: usize| parts.get(a).or_else(|| parts.get(b)).map_or("", |m| m.as_str());
            let error = RawError::new(&parts[7], &parts[8]).at(&parts[1], group(2, 4), Some(group(3, 5)));
            compile.push(error);
        } else if let Some(parts) = WHERE.captures(line) {
            header = Some((at, place(log, at, &parts[1], &parts[2])));
        } else if let Some(parts) = HEAP.captures(line) {
            found.push(RawError::new("FatalError", &parts[1]));
        } else if let Some(mut error) = head(log, &mut at) {
            let syntax = error.kind == "SyntaxError"
                && error
                    .frames
                    .iter()
                    .all(|frame| super::place::is_foreign(frame.file.as_deref().unwrap_or("<")));
            if let Some((_, place)) = header.take().filter(|_| syntax || error.frames.is_empty()) {
                error.place = Some(place);
            }
            if error.kind == "cause" {
                continue;
            }
            found.push(error);
            continue;
        } else if let Some(parts) = STRIPPER.captures(line) {
            let mut error = RawError::new("SyntaxError", &parts[4]).at(&parts[1], &parts[2], Some(&parts[3]));
            error.category = Some(Syntax);
            compile.push(error);
        } else if line.starts_with("(Use `node --trace-uncaught")
            && let Some((_, place)) = header.take()
        {
            // `throw "text"`: what was thrown stands just before.
            let said =
                (0..at).rev().map(|index| log.line(index)).find(|line| !line.is_empty()).unwrap_or_default();
            found.push(RawError {
                place: Some(place),
                ..RawError::new("Thrown", said.trim_start_matches("Uncaught "))
            });
        }
        at += 1;
    }
    found.reverse();
    compile.extend(found);
    compile
}

/// The place that node shows above an error: path and line, the line's text, the caret.
fn place(log: &Log, at: usize, file: &str, line: &str) -> RawPlace {
    let caret = log.line(at + 2);
    let marked = caret.trim_start().starts_with('^');
    let column = marked.then(|| caret.chars().take_while(|c| *c != '^').count() as u32 + 1);
    let width = caret.chars().filter(|c| *c == '^').count() as u32;
    RawPlace {
        file: file.to_owned(),
        line: line.parse().unwrap_or(1),
        column,
        end_column: column.map(|c| c + width),
    }
}

/// An error's first line with its message and stack. Moves behind it.
fn head(log: &Log, at: &mut usize) -> Option<RawError> {
    let first = log.line(*at);
    let parts = HEAD.captures(first)?;
    let kind = parts[1].to_owned();
    let mut message = parts.get(3).map_or("", |text| text.as_str()).to_owned();
    // A message may have several lines; the stack comes within some.
    let stack = (*at + 1..log.lines.len().min(*at + 40)).find(|index| is_frame(log.line(*index)));
    let told = first.trim_start().starts_with("[UnhandledPromise") || parts.get(2).is_some();
    if stack.is_none() && !told && !kind.ends_with("Error") {
        return None;
    }
    let end = stack.unwrap_or(*at + 1);
    let between: Vec<&str> = (*at + 1..end).map(|index| log.line(index)).collect();
    if between.iter().any(|line| HEAD.is_match(line) && line.contains("Error"))
        || (between.len() > 1 && !told && !kind.ends_with("Error"))
    {
        // The stack is another error's.
        *at += 1;
        return Some(RawError::new(kind, message)).filter(|error| error.kind.ends_with("Error"));
    }
    for line in between {
        message.push('\n');
        message.push_str(line);
    }
    let mut error = RawError::new(kind, message.trim_end().trim_end_matches(['{', ']']).trim_end());
    *at = end;
    while *at < log.lines.len() && is_frame(log.line(*at)) {
        let line = log.line(*at);
        if line.trim_start().starts_with("... ") {
            *at += 1;
            continue;
        }
        if let Some(frame) = stack_frame(line) {
            error.frames.push(frame);
        } else if let Some(parts) = NATIVE.captures(line) {
            error.frames.push(frame(Some(&parts[1]), "", "", None));
        }
        *at += 1;
    }
    if log.line(*at).trim_start().starts_with("[cause]: ")
        && let Some(cause) = head(log, at)
    {
        error.causes.push(RawError { causes: Vec::new(), ..cause.clone() });
        error.causes.extend(cause.causes);
    }
    Some(error)
}

/// A frame of V8's that has a place.
pub fn stack_frame(line: &str) -> Option<StackFrame> {
    let parts = AT.captures(line)?;
    Some(frame(parts.get(1).map(|name| name.as_str()), &parts[2], &parts[3], Some(&parts[4])))
}

fn is_frame(line: &str) -> bool {
    if line.trim_start().starts_with("... ") && line.contains("lines matching") {
        return true;
    }
    let rest = line.trim_start();
    rest.len() < line.len()
        && rest.starts_with("at ")
        && (AT.is_match(line)
            || rest.ends_with(')')
            || rest.starts_with("at async ")
            || rest.starts_with("at new ")
            || !rest[3..].contains(' '))
}
