//! Bash: `file: line 3: …`, and what the commands that a script starts say of themselves.

use super::SourceText;
use super::raw::{Known, RawError, RawPlace, named, pattern};
use super::text::Log;
use formicary_model::ErrorCategory::{
    Arithmetic, Environment, Import, Index, Io, Name, Permission, Recursion, Resource, Syntax, Type, Value,
};
use regex::Regex;
use std::sync::LazyLock;

static LINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^((?:\S*/)?[^:\s]+): (?:line )?(\d+): (.*)$"));
static ECHO: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\S+: (?:line )?\d+: `.*'$"));
static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:/usr)?(?:/bin/)?([a-z][\w.+\-]*): (.*(?:[Nn]o such file|cannot |[Pp]ermission denied|invalid |unrecognized|missing operand|not found|failed|Is a directory|Not a directory|File exists|unknown|extra operand|illegal|not permitted|not in sorted order|requires an argument|[Ee]rror).*)$",
    )
});

#[rustfmt::skip]
pub const KNOWN: &[Known] = &[
    named("^\\[(\\S+): command not found", "command-not-found", Syntax, "[ is a command and wants a space behind it", "Write [ $1"),
    named("^(\\w+): command not found.*", "command-not-found", Environment, "The command $1 does not exist here: misspelt, not installed, or an assignment with spaces around =", "Correct its name"),
    named("^(.+): command not found", "command-not-found", Environment, "The command $1 does not exist here", "Correct its name"),
    named("^(\\S+): unbound variable", "unbound-variable", Name, "The variable $1 has no value, and set -u forbids that", "Set it, or give a default: $${$1:-}"),
    named("^(\\S+): parameter (?:null or )?not set", "parameter-not-set", Name, "The variable $1 has no value", "Set it"),
    named("unexpected EOF while looking for matching [`'](.)'", "unclosed-quote", Syntax, "$1 is opened and never closed", "Close it"),
    named("syntax error: unexpected end of file", "syntax-error", Syntax, "A block is opened and never closed: fi, done, esac or } is missing", "Add it"),
    named("syntax error near unexpected token '(.+?)'", "syntax-error", Syntax, "$1 stands where it has no meaning", "Look for a missing then, do, ; or quote before it"),
    named("syntax error in conditional expression|unexpected argument .* to conditional|conditional (?:binary|unary) operator expected|unexpected token .* in conditional|unexpected token .*, conditional", "conditional-error", Syntax, "The condition between [[ and ]] is not one", "Correct it"),
    named("(?:syntax error|arithmetic syntax error): .*(?:operand expected|invalid arithmetic operator|error token is|in expression)", "arithmetic-syntax", Syntax, "The text between the double parentheses is no arithmetic", "Correct it; write names without $$"),
    named("value too great for base", "bad-number", Value, "A number that begins with 0 is octal and holds an 8 or 9", "Write 10#$$number"),
    named("division by 0", "division-by-zero", Arithmetic, "A number is divided by zero", "Check the divisor first"),
    named("exponent less than 0|expression recursion level", "arithmetic-error", Arithmetic, "The arithmetic cannot be done", "Check its operands"),
    named("syntax error", "syntax-error", Syntax, "The text is not Bash at the marked place", "Look at the marked place and just before it"),
    named("\\[: missing [`']\\]'", "missing-bracket", Syntax, "[ is not closed by ]", "Write a space and ]"),
    named("\\[: too many arguments", "too-many-arguments", Syntax, "An unquoted variable became several words inside [ ]", "Quote it, or use [[ ]]"),
    named("\\[: (\\S+): (?:unary|binary) operator expected", "operator-expected", Syntax, "An empty or several-worded variable stands unquoted inside [ ]", "Quote it, or use [[ ]]"),
    named("integer expression expected|integer expected", "integer-expected", Type, "A text is compared as a number", "Use = for texts, or check that it is a number"),
    named("bad substitution", "bad-substitution", Syntax, "What stands between $${ and } is not understood", "Correct it"),
    named("bad array subscript", "bad-subscript", Index, "The index of an array is empty or negative beyond it", "Check it first"),
    named("ambiguous redirect", "ambiguous-redirect", Io, "The target of a redirection is empty or several words", "Quote it and give it a value"),
    named("readonly variable", "readonly-variable", Type, "A variable that cannot change is changed", "Use another name"),
    named("not a valid identifier", "invalid-identifier", Syntax, "A name holds what names may not hold", "Leave $$ and dashes out of it"),
    named("invalid variable name", "invalid-identifier", Syntax, "A name holds what names may not hold", "Leave $$ and dashes out of it"),
    named("can only be used in a function|can only `?'?return'? from a function|only meaningful in a", "misplaced", Syntax, "It has a meaning only inside a function or loop", "Move it there"),
    named("numeric argument required", "numeric-argument", Type, "A number was expected", "Give one"),
    named("invalid number", "invalid-number", Value, "A text is used as a number", "Check it first"),
    named("(\\S+): (?:invalid option|illegal option|unrecognized option|unknown option)", "invalid-option", Value, "The command does not know this option", "Look at its help"),
    named("invalid (?:shell )?option name|invalid option", "invalid-option", Value, "The command does not know this option", "Look at its help"),
    named("shift count out of range|shift count", "shift-count", Index, "shift takes more arguments than there are", "Check $$# first"),
    named("cannot execute: required file not found|bad interpreter", "bad-interpreter", Environment, "The first line of the script names an interpreter that is not there", "Correct the shebang"),
    named("cannot execute binary file|Exec format error", "cannot-execute", Environment, "The file is no program for this machine", "Give it a shebang, or build it for this machine"),
    named("maximum function nesting level exceeded", "recursion", Recursion, "A function calls itself without end", "Give it a base case that is reached"),
    named("Argument list too long", "arguments-too-long", Resource, "The arguments are too long", "Use xargs"),
    named("fork: |Cannot allocate memory|xrealloc", "no-memory", Resource, "The processes or the memory are used up", "Start fewer at a time"),
    named("cannot create temp file|[Pp]ermission denied|[Oo]peration not permitted|Read-only file system", "permission-denied", Permission, "The file's mode or the sandbox refuses it", "Make it executable or writable, or use the working folder"),
    named("(\\S+): No such file or directory", "no-such-file", Io, "$1 does not exist", "Correct the path, or create it first"),
    named("file not found", "no-such-file", Import, "The file is not there", "Correct the path"),
    named("Is a directory", "is-a-directory", Io, "A folder is used as if it were a file", "Give the path of a file"),
    named("Not a directory", "not-a-directory", Io, "A file is used as if it were a folder", "Give the path of a folder"),
    named("File exists", "file-exists", Io, "The file is there already", "Choose another name"),
    named("missing operand|requires an argument|option requires", "missing-operand", Value, "The command lacks an argument", "Give it; an unquoted empty variable gives none"),
    named("cannot (?:access|open|stat|remove|create|copy|move)", "no-such-file", Io, "The file is not there", "Correct the path"),
    named("Bad file descriptor|write error|Broken pipe", "bad-descriptor", Io, "A stream is used that is not open", "Open it first"),
    named("unary operator expected|argument expected", "operator-expected", Syntax, "The condition is not complete", "Complete it"),
    named("could not|command failed|failed|[Ee]rror", "command-failed", Environment, "A command failed", "Look at what it says"),
];

/// Commands whose lines look like a shell's but are not.
const NOT_SHELLS: &[&str] = &["at", "warning", "error", "note"];

/// All errors of a log, in their order: a script goes on after most of them, and the first leads to the others.
pub fn read(log: &Log) -> Vec<RawError> {
    let mut found: Vec<RawError> = Vec::new();
    for line in &log.lines {
        if ECHO.is_match(line) {
            continue;
        }
        if let Some(parts) = LINE.captures(line) {
            if !parts[3].trim().is_empty() && !NOT_SHELLS.contains(&&parts[1]) {
                found.push(RawError::new("", &parts[3]).at(&parts[1], &parts[2], None));
            }
        } else if let Some(parts) = COMMAND.captures(line) {
            found.push(RawError::new("", line.as_str()).command(&parts[1]));
        }
    }
    found
}

impl RawError {
    /// Who said it, so that its line can be looked up.
    fn command(mut self, name: &str) -> Self {
        self.frames
            .push(formicary_model::StackFrame { function: Some(name.to_owned()), ..Default::default() });
        self
    }
}

/// The line that starts the command which failed; its words tell which, where there are several.
pub fn locate(error: &mut RawError, sources: &[SourceText]) {
    if error.place.is_some() {
        return;
    }
    let Some(command) = error.frames.first().and_then(|frame| frame.function.clone()) else { return };
    let word = pattern(&format!(r"(?:^|[\s;|&(`]){}(?:\s|$)", regex::escape(&command)));
    let said: Vec<&str> =
        error.message.split([' ', '\'', ':', '\u{2018}', '\u{2019}']).filter(|word| word.len() > 2).collect();
    let mut best: Option<(usize, RawPlace)> = None;
    for source in sources {
        for (index, line) in source.text.lines().enumerate() {
            if line.trim_start().starts_with('#') || !word.is_match(line) {
                continue;
            }
            let common = said.iter().filter(|word| line.contains(**word)).count();
            if best.as_ref().is_none_or(|(most, _)| common > *most) {
                let place = RawPlace {
                    file: source.path.clone(),
                    line: index as u32 + 1,
                    column: None,
                    end_column: None,
                };
                best = Some((common, place));
            }
        }
    }
    error.place = best.map(|(_, place)| place);
    error.frames.clear();
}
