//! The error that ended a program, out of what it wrote to its error output: the line that names it, its type, its kind.
//!
//! Interpreters end with other lines than the error itself: node with its version, Go with goroutines and an exit status, Rust
//! with a note. Each language has its own place where the error stands.

use formicary_model::{ErrorCategory, Language};

/// An error as a program's error output names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastWords {
    /// The line for people.
    pub line: String,
    /// What the language calls it.
    pub error_type: Option<String>,
    /// What kind of error it is.
    pub category: Option<ErrorCategory>,
}

/// Names longer than this are no names of errors.
const LONGEST_NAME: usize = 80;
/// Characters of a line that are shown.
const LONGEST_LINE: usize = 200;
/// Lines from the end that are looked at: programs may write without end before they fail.
const MOST_LINES: usize = 2_000;
/// What node calls a promise that was rejected with a value that is no error.
const REJECTION: &str = "UnhandledPromiseRejection";

/// What ended a program of this language. Nothing where it wrote nothing.
pub fn last_words(language: Option<Language>, stderr: &str) -> Option<LastWords> {
    let mut lines: Vec<&str> = stderr.lines().rev().take(MOST_LINES).collect();
    lines.reverse();
    let found = match language {
        Some(Language::Python) => python(&lines),
        Some(Language::JavaScript | Language::TypeScript) => node(&lines),
        Some(Language::Java) => java(&lines),
        Some(Language::Go) => go(&lines),
        Some(Language::Rust) => rust(&lines),
        Some(Language::C | Language::Cpp) => native(&lines),
        Some(Language::Bash) | None => None,
    };
    found.or_else(|| lines.iter().rfind(|line| !line.trim().is_empty()).map(|line| words(line, None)))
}

fn words(line: &str, error_type: Option<&str>) -> LastWords {
    let error_type = error_type.filter(|name| !name.is_empty() && name.len() <= LONGEST_NAME);
    LastWords {
        line: line.trim().chars().take(LONGEST_LINE).collect(),
        error_type: error_type.map(str::to_owned),
        category: error_type.map(category),
    }
}

/// The name that a line such as `ValueError: x` or `pkg.Error [CODE]: x` begins with.
fn named(line: &str) -> Option<&str> {
    let end = line.find([':', ' ']).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let is_word = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
            && part.chars().next().is_some_and(|c| !c.is_numeric())
    };
    let follows = rest.is_empty() || rest.starts_with(':') || rest.starts_with(" [");
    (follows && name.split('.').all(is_word)).then_some(name)
}

/// The first line without indentation below the last frame; messages may have more lines.
fn python(lines: &[&str]) -> Option<LastWords> {
    if let Some(group) = lines.iter().rposition(|line| line.starts_with("  + Exception Group Traceback")) {
        let members = lines[group + 1..].iter().filter_map(|line| line.strip_prefix("  | "));
        let line = members.into_iter().find(|line| !line.starts_with(' '))?;
        return Some(words(line, named(line)));
    }
    let frame = lines.iter().rposition(|line| line.starts_with("  File \""))?;
    let line = lines[frame + 1..].iter().find(|line| !line.is_empty() && !line.starts_with([' ', '\t']))?;
    Some(words(line, named(line)))
}

/// The first line below the mark that names an error; the line below the mark where a value was thrown that is none.
fn node(lines: &[&str]) -> Option<LastWords> {
    let is_error = |line: &&&str| {
        let name = line.split([':', ' ']).next().unwrap_or("");
        let is_own = line[name.len()..].starts_with(" [Error]");
        named(line).is_some() && (is_own || name.ends_with("Error") || name.ends_with("Exception"))
    };
    let version = lines.iter().rposition(|line| line.starts_with("Node.js v"));
    let until = version.unwrap_or(lines.len());
    // What the program itself wrote may name errors too: the one that ended it stands last, above its stack.
    let stack = lines[..until].iter().rposition(|line| line.starts_with("    at ")).unwrap_or(until);
    let mark = lines[..stack].iter().rposition(|line| line.trim_end().ends_with('^'));
    let found = match mark {
        Some(at) => lines[at + 1..until].iter().find(is_error),
        None => lines[..until].iter().rfind(is_error),
    };
    if let Some(line) = found {
        return Some(words(line, line.split([':', ' ']).next()));
    }
    version?;
    let noise =
        |line: &str| line.trim().is_empty() || line.starts_with("(Use `node ") || line.starts_with("    at ");
    let line = match mark {
        Some(at) => lines[at + 1..until].iter().find(|line| !noise(line)),
        None => lines[..until].iter().rfind(|line| !noise(line)),
    }?;
    // A rejection with a value that is no error: node explains at length first.
    let rejected = line.split_once("rejected with the reason ").filter(|_| line.contains(REJECTION));
    match rejected {
        Some((_, reason)) => {
            let mut found = words(&format!("{REJECTION}: {}", reason.trim_end()), Some(REJECTION));
            found.category = Some(ErrorCategory::Raised);
            Some(found)
        }
        None => Some(words(line, None)),
    }
}

/// `Exception in thread "main" java.lang.IllegalStateException: x`.
fn java(lines: &[&str]) -> Option<LastWords> {
    let line = lines.iter().rfind(|line| line.starts_with("Exception in thread "))?;
    let error = line.splitn(3, '"').nth(2)?.trim();
    let name = named(error).map(|name| name.rsplit('.').next().unwrap_or(name));
    Some(words(error, name))
}

/// `panic: x`, `fatal error: x`; goroutines and the exit status follow.
fn go(lines: &[&str]) -> Option<LastWords> {
    let is_error = |line: &&&str| line.starts_with("panic: ") || line.starts_with("fatal error: ");
    let line = lines.iter().find(is_error)?;
    let kind = if line.starts_with("panic: ") { "panic" } else { "fatal error" };
    let mut found = words(line, Some(kind));
    found.category = Some(by_message(line).unwrap_or(ErrorCategory::Raised));
    Some(found)
}

/// `thread 'main' panicked at main.rs:2:5:` with the message below it, or between quotes before 1.73.
fn rust(lines: &[&str]) -> Option<LastWords> {
    let at = lines.iter().rposition(|line| line.starts_with("thread '") && line.contains(" panicked at "))?;
    let below = lines.get(at + 1).filter(|_| lines[at].ends_with(':'));
    let message = match below {
        Some(line) => line,
        None => lines[at].split_once(" panicked at ").map_or("", |(_, rest)| rest),
    };
    let mut found = words(&format!("panicked: {}", message.trim()), Some("panic"));
    found.category = Some(by_message(message).unwrap_or(ErrorCategory::Raised));
    Some(found)
}

/// A failed assertion of the C library, or an exception that nobody caught.
fn native(lines: &[&str]) -> Option<LastWords> {
    if let Some(line) = lines.iter().rfind(|line| line.contains(": Assertion `") && line.ends_with("failed."))
    {
        let mut found = words(line, Some("assertion"));
        found.category = Some(ErrorCategory::Assertion);
        return Some(found);
    }
    let at = lines.iter().rposition(|line| line.starts_with("terminate called "))?;
    let kind = lines[at].split('\'').nth(1);
    let what = lines.get(at + 1).and_then(|line| line.trim().strip_prefix("what():")).map(str::trim);
    let mut found = match (kind, what) {
        (Some(kind), Some(what)) => words(&format!("{kind}: {what}"), Some(kind)),
        _ => words(lines[at], kind),
    };
    found.category = kind.map(|_| ErrorCategory::Raised);
    Some(found)
}

/// Kinds of panics, which have no types: only their words show the kind.
fn by_message(message: &str) -> Option<ErrorCategory> {
    [
        ("assertion", ErrorCategory::Assertion),
        ("out of range", ErrorCategory::Index),
        ("out of bounds", ErrorCategory::Index),
        ("divide by zero", ErrorCategory::Arithmetic),
        ("overflow", ErrorCategory::Arithmetic),
        ("nil pointer", ErrorCategory::Null),
        ("nil map", ErrorCategory::Null),
        ("`None` value", ErrorCategory::Null),
        ("deadlock", ErrorCategory::Concurrency),
    ]
    .into_iter()
    .find(|(part, _)| message.contains(part))
    .map(|(_, category)| category)
}

/// The kind of an error by its name, in the languages that name their errors.
fn category(name: &str) -> ErrorCategory {
    let name = name.rsplit('.').next().unwrap_or(name);
    match name {
        "SyntaxError" | "IndentationError" | "TabError" => ErrorCategory::Syntax,
        "AssertionError" | "AssertionFailedError" | "ComparisonFailure" => ErrorCategory::Assertion,
        "NameError" | "UnboundLocalError" | "ReferenceError" => ErrorCategory::Name,
        "TypeError" | "ClassCastException" => ErrorCategory::Type,
        "ValueError"
        | "RangeError"
        | "NumberFormatException"
        | "IllegalArgumentException"
        | "UnicodeDecodeError" => ErrorCategory::Value,
        "ImportError" | "ModuleNotFoundError" | "ClassNotFoundException" | "NoClassDefFoundError" => {
            ErrorCategory::Import
        }
        "AttributeError" => ErrorCategory::Attribute,
        "IndexError"
        | "IndexOutOfBoundsException"
        | "ArrayIndexOutOfBoundsException"
        | "StringIndexOutOfBoundsException" => ErrorCategory::Index,
        "KeyError" | "NoSuchElementException" => ErrorCategory::Key,
        "NullPointerException" => ErrorCategory::Null,
        "ZeroDivisionError" | "OverflowError" | "ArithmeticException" | "FloatingPointError" => {
            ErrorCategory::Arithmetic
        }
        "RecursionError" | "StackOverflowError" => ErrorCategory::Recursion,
        "MemoryError" | "OutOfMemoryError" => ErrorCategory::Resource,
        "TimeoutError" => ErrorCategory::Timeout,
        "PermissionError" => ErrorCategory::Permission,
        "FileNotFoundError"
        | "OSError"
        | "IOError"
        | "EOFError"
        | "BrokenPipeError"
        | "IOException"
        | "FileNotFoundException" => ErrorCategory::Io,
        _ => ErrorCategory::Raised,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_names_its_error() {
        use ErrorCategory as C;
        let node = "/work/main.js:3\n  throw new TypeError('bad\\nthing');\n  ^\n\nTypeError: bad\nthing\n    at f (/work/main.js:3:9)\n    at node:internal/main\n\nNode.js v20.20.2\n";
        let asserted = "node:assert:126\n  throw new AssertionError(obj);\n  ^\n\nAssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n\n    at Object.<anonymous> (/work/main.js:2:8) {\n  code: 'ERR_ASSERTION',\n  actual: 1\n}\n\nNode.js v20.20.2\n";
        let own = "/work/main.js:2\nthrow new MyFault('x')\n^\n\nMyFault [Error]: x\n    at Object.<anonymous> (/work/main.js:2:7)\n\nNode.js v20.20.2\n";
        let rejected = "node:internal/process/promises:389\n      new UnhandledPromiseRejection(reason);\n      ^\n\nUnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason \"words\".\n    at node:internal\n  code: 'ERR_UNHANDLED_REJECTION'\n}\n\nNode.js v20.20.2\n";
        let thrown = "Error: of the program\n/work/main.js:1\nthrow 'words alone';\n^\nwords alone\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n\nNode.js v20.20.2\n";
        let python = "noise: 1\nTraceback (most recent call last):\n  File \"/work/main.py\", line 3, in <module>\n    check(f)\n  File \"/work/main.py\", line 2, in check\n    assert g() == 2, 'first\\nsecond'\nAssertionError: first\nsecond\n";
        let syntax =
            "  File \"/work/main.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n";
        let group = "  + Exception Group Traceback (most recent call last):\n  |   File \"/work/main.py\", line 1, in <module>\n  |     raise ExceptionGroup('all', [ValueError(1), KeyError(2)])\n  | ExceptionGroup: all (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | ValueError: 1\n    +---------------- 2 ----------------\n    | KeyError: 2\n    +------------------------------------\n";
        let java = "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 1\n\tat Main.main(Main.java:3)\n";
        let go = "panic: runtime error: index out of range [3] with length 1\n\ngoroutine 1 [running]:\nmain.main()\n\t/work/main.go:5 +0x1d\nexit status 2\n";
        let rust = "\nthread 'main' panicked at main.rs:2:5:\nassertion `left == right` failed\n  left: 1\n right: 2\nnote: run with `RUST_BACKTRACE=1`\n";
        let c = "program: main.c:3: main: Assertion `x == 2' failed.\nAborted (core dumped)\n";
        let cpp = "terminate called after throwing an instance of 'std::runtime_error'\n  what():  bad\n";
        for (language, stderr, line, error_type, category) in [
            (Language::JavaScript, node, "TypeError: bad", Some("TypeError"), Some(C::Type)),
            (
                Language::TypeScript,
                asserted,
                "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
                Some("AssertionError"),
                Some(C::Assertion),
            ),
            (Language::JavaScript, own, "MyFault [Error]: x", Some("MyFault"), Some(C::Raised)),
            (
                Language::JavaScript,
                rejected,
                "UnhandledPromiseRejection: \"words\".",
                Some("UnhandledPromiseRejection"),
                Some(C::Raised),
            ),
            (Language::JavaScript, thrown, "words alone", None, None),
            (Language::Python, python, "AssertionError: first", Some("AssertionError"), Some(C::Assertion)),
            (Language::Python, syntax, "SyntaxError: invalid syntax", Some("SyntaxError"), Some(C::Syntax)),
            (
                Language::Python,
                group,
                "ExceptionGroup: all (2 sub-exceptions)",
                Some("ExceptionGroup"),
                Some(C::Raised),
            ),
            (Language::Python, "gone\n", "gone", None, None),
            (
                Language::Java,
                java,
                "java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 1",
                Some("ArrayIndexOutOfBoundsException"),
                Some(C::Index),
            ),
            (
                Language::Go,
                go,
                "panic: runtime error: index out of range [3] with length 1",
                Some("panic"),
                Some(C::Index),
            ),
            (
                Language::Rust,
                rust,
                "panicked: assertion `left == right` failed",
                Some("panic"),
                Some(C::Assertion),
            ),
            (
                Language::C,
                c,
                "program: main.c:3: main: Assertion `x == 2' failed.",
                Some("assertion"),
                Some(C::Assertion),
            ),
            (Language::Cpp, cpp, "std::runtime_error: bad", Some("std::runtime_error"), Some(C::Raised)),
            (
                Language::Bash,
                "main.sh: line 1: foo: command not found\n",
                "main.sh: line 1: foo: command not found",
                None,
                None,
            ),
        ] {
            let found = last_words(Some(language), stderr).unwrap();
            assert_eq!(found.line, line, "{language:?}");
            assert_eq!(
                (found.error_type.as_deref(), found.category),
                (error_type, category),
                "{language:?} {line}"
            );
        }
        assert_eq!(last_words(Some(Language::Python), " \n"), None);
    }
}
