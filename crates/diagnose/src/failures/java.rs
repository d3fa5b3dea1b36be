//! Java: stack traces with their causes, javac.

use super::raw::{Known, RawError, RawPlace, Weight, frame, known, named, pattern};
use super::text::Log;
use formicary_model::ErrorCategory::{
    Arithmetic, Assertion, Attribute, Compile, Concurrency, Environment, Import, Index, Io, Key, Name, Null,
    Other, Permission, Raised, Recursion, Resource, Syntax, Type, Value,
};
use regex::Regex;
use std::sync::LazyLock;

static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"^(?:Exception in thread "([^"]*)" |Caused by: |\s*Suppressed: )?((?:[a-z_][\w]*\.)*[A-Z][\w$]*(?:Exception|Error|Throwable|Failure|[A-Z]\w*)?)(?:: (.*))?$"#,
    )
});
static AT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s+at (?:[\w.@]+/)?([\w.$<>]+)\(([^:()]*)(?::(\d+))?\)$"));
static JAVAC: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(\S+\.java):(\d+): (error|warning): (?:\[(\w+)\] )?(.*)$"));
static LAUNCH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:Error|error): ((?:Could not find|Main method|Main class|LinkageError).*)$")
});

#[rustfmt::skip]
pub const KNOWN: &[Known] = &[
    known("NullPointerException", "because \"(.+?)\" is null", Null, "$1 is null where an object was expected", "Find out why it is null, or check it first"),
    known("NullPointerException", "", Null, "Something is null where an object was expected", "Find out which value is null, or check it first"),
    known("ArrayIndexOutOfBoundsException", "Index (-?\\d+) out of bounds for length (\\d+)", Index, "Index $1 is taken of an array of $2", "Look at the loop's bounds"),
    known("StringIndexOutOfBoundsException", "", Index, "A text is indexed beyond its end", "Check against length() first"),
    known("IndexOutOfBoundsException", "Index (-?\\d+) out of bounds for length (\\d+)", Index, "Index $1 is taken of a list of $2", "Look at the loop's bounds"),
    known("IndexOutOfBoundsException", "", Index, "Something is indexed beyond its end", "Look at the loop's bounds"),
    known("NegativeArraySizeException", "", Value, "An array of a negative size is made", "Check the size first"),
    known("ArithmeticException", "/ by zero", Arithmetic, "A number is divided by zero", "Check the divisor first"),
    known("ArithmeticException", "", Arithmetic, "A number is too large for its kind", "Use long or BigInteger"),
    known("ClassCastException", "class (\\S+) cannot be cast to class (\\S+)", Type, "A $1 is taken for a $2", "Check with instanceof first"),
    known("ClassCastException", "", Type, "An object is taken for what it is not", "Check with instanceof first"),
    known("ArrayStoreException", "", Type, "An array is given an element of another type", "Use the right element type"),
    known("NumberFormatException", "For input string: (.+)", Value, "$1 is no number", "Check or strip the text first"),
    known("NumberFormatException", "", Value, "The text is no number", "Check or strip the text first"),
    known("IllegalArgumentException", "", Value, "A method got a value that it does not take", "Check it first"),
    known("DateTimeParseException", "", Value, "The text is no date of the expected form", "Name the form"),
    known("PatternSyntaxException", "", Value, "The text is no regular expression", "Escape its special characters"),
    known("InputMismatchException", "", Value, "The input is not of the expected kind", "Check with hasNext… first"),
    known("IllegalStateException", "", Value, "A method is called at a time when it must not be", "Look at the order of the calls"),
    known("IllegalFormatConversionException", "", Type, "A format names another type than the argument has", "Correct the format"),
    known("MissingFormatArgumentException", "", Type, "A format names more arguments than there are", "Give them"),
    known("UnknownFormatConversionException", "", Value, "A format holds an unknown conversion", "Correct the format"),
    known("NoSuchElementException", "", Key, "Something is taken from what is empty or has ended", "Check hasNext(), isEmpty() or isPresent() first"),
    known("EmptyStackException", "", Index, "Something is taken from an empty stack", "Check isEmpty() first"),
    known("UnsupportedOperationException", "", Type, "The collection cannot be changed", "Copy it into a new ArrayList or HashMap first"),
    known("ConcurrentModificationException", "", Concurrency, "A collection is changed while a loop goes through it", "Use the iterator's remove, removeIf, or a copy"),
    known("IllegalMonitorStateException", "", Concurrency, "wait or notify is called without the lock", "Put it into a synchronized block"),
    known("InterruptedException", "", Concurrency, "A thread was interrupted", ""),
    known("ExecutionException", "", Concurrency, "A task in another thread failed", "Look at its cause"),
    known("CompletionException", "", Concurrency, "A task in another thread failed", "Look at its cause"),
    known("RejectedExecutionException", "", Concurrency, "A task is given to an executor that was shut down", "Shut it down later"),
    known("StackOverflowError", "", Recursion, "A method calls itself without end", "Give it a base case that is reached"),
    known("OutOfMemoryError", "", Resource, "The memory is used up", "Look for a collection that grows without end"),
    known("FileNotFoundException", "", Io, "The file does not exist", "Correct the path, or create it first"),
    known("NoSuchFileException", "(.*)", Io, "$1 does not exist", "Correct the path, or create it first"),
    known("AccessDeniedException", "", Permission, "The file's mode or the sandbox refuses it", "Write to the working folder or to /tmp"),
    known("FileAlreadyExistsException", "", Io, "The file is there already", "Choose another name"),
    known("EOFException", "", Io, "The input has ended", ""),
    known("UncheckedIOException", "", Io, "A file or stream failed", "Look at its cause"),
    known("IOException", "", Io, "A file or stream failed", "Look at its reason"),
    known("UnknownHostException", "", Environment, "The name has no address: the sandbox has no network", "Allow the network for this run if it is meant"),
    known("ConnectException", "", Environment, "Nothing listens there", "Start the server first"),
    known("SocketException", "", Environment, "There is no network in the sandbox", "Allow the network for this run if it is meant"),
    known("ClassNotFoundException", "(.*)", Import, "The class $1 is not there", "Correct its name, or add what holds it"),
    known("NoClassDefFoundError", "(.*)", Import, "The class $1 is not there", "Add what holds it"),
    known("NoSuchMethodException", "", Attribute, "The class has no such method", "Correct its name or its parameter types"),
    known("NoSuchFieldException", "", Attribute, "The class has no such field", "Correct its name"),
    known("ExceptionInInitializerError", "", Raised, "A static initialiser failed", "Look at its cause"),
    known("AssertionError", "", Assertion, "A check of the program does not hold", "Look at the values that it compares"),
    known("AssertionFailedError", "", Assertion, "A test does not hold", "Look at the values that it compares"),
    known("CloneNotSupportedException", "", Type, "The class does not implement Cloneable", "Implement it"),
    known("MatchException", "", Value, "No case of a switch fits", "Add it"),
    known("launch", "Could not find or load main class (\\S+)", Environment, "There is no class $1 to start", "Name the class that holds main"),
    known("launch", "", Environment, "There is no main method to start", "Add public static void main(String[] args)"),
    named("cannot find symbol[\\s\\S]*symbol:\\s+(?:method (\\w+)\\([^)]*\\))[\\s\\S]*location: (?:variable|class|interface) ", "cannot-find-symbol", Name, "The method $1 is not there", "Correct its name, or define it"),
    named("cannot find symbol[\\s\\S]*symbol:\\s+class (\\w+)", "cannot-find-symbol", Name, "The class $1 is neither defined nor imported", "Import or define it"),
    named("cannot find symbol[\\s\\S]*symbol:\\s+\\w+ (\\w+)", "cannot-find-symbol", Name, "$1 is used but nothing defines it", "Define it, or correct its spelling"),
    named("cannot find symbol", "cannot-find-symbol", Name, "A name is used that nothing defines", "Correct its spelling"),
    named("package (\\S+) does not exist", "package-does-not-exist", Import, "The package $1 is not there", "Correct its name"),
    named("incompatible types: possible lossy conversion from (\\w+) to (\\w+)", "incompatible-types", Type, "A $1 does not fit into a $2 without loss", "Cast it: ($2)"),
    named("incompatible types: (\\S+) cannot be converted to (\\S+)", "incompatible-types", Type, "A $1 is given where a $2 is wanted", "Convert it, or change the type"),
    named("incompatible types", "incompatible-types", Type, "A value has the wrong type", "Convert it, or change the type"),
    named("bad operand types for binary operator '(.+)'", "bad-operand-types", Type, "$1 does not go between these types", "Convert one of them"),
    named("bad operand type", "bad-operand-types", Type, "The operator does not go with this type", "Convert it"),
    named("(?:method|constructor) (\\S+) in (?:class|record|interface|enum) (\\S+) cannot be applied", "wrong-arguments", Type, "$1 is called with the wrong arguments", "Correct the call"),
    named("no suitable (?:method|constructor) found", "wrong-arguments", Type, "Nothing of this name takes these arguments", "Correct the call"),
    named("missing return statement", "missing-return", Compile, "A way through the method returns nothing", "Return something at its end"),
    named("variable (\\w+) might not have been initialized", "uninitialized-variable", Compile, "$1 is read before it has a value", "Give it one where it is declared"),
    named("variable (\\w+) is already defined", "already-defined", Name, "$1 is declared twice", "Rename one, or assign instead"),
    named("(?:is already defined|duplicate class)", "already-defined", Name, "Something is defined twice", "Rename one"),
    named("cannot assign a value to final variable (\\w+)", "final-reassigned", Compile, "$1 is final and is given another value", "Remove final"),
    named("unreported exception ([\\w.]+)", "unreported-exception", Compile, "$1 may be thrown and is neither caught nor declared", "Catch it, or add throws $1"),
    named("exception (\\S+) is never thrown", "exception-never-thrown", Compile, "$1 is caught and cannot be thrown there", "Remove the catch"),
    named("unreachable statement", "unreachable-statement", Compile, "The statement can never be reached", "Remove it, or what leaves before it"),
    named("non-static (?:variable|method) (\\S+) cannot be referenced from a static context", "non-static-from-static", Compile, "$1 belongs to an object and is used without one", "Declare it static, or make an object"),
    named("(\\S+) has private access in (\\S+)", "private-access", Attribute, "$1 is private to $2", "Use its public methods"),
    named("(\\S+) is not abstract and does not override abstract method (\\S+)", "missing-override", Type, "$1 does not define $2", "Define it"),
    named("method does not override or implement", "bad-override", Type, "The method overrides nothing", "Correct its name and parameters, or remove @Override"),
    named("(\\S+) is abstract; cannot be instantiated", "abstract-instantiated", Type, "An object of the abstract $1 is made", "Make one of a class that extends it"),
    named("class (\\S+) is public, should be declared in a file named (\\S+)", "public-class-file-name", Compile, "The public class $1 stands in a file of another name", "Name the file $2"),
    named("'(.+)' expected", "token-expected", Syntax, "$1 is missing", "Add it"),
    named("(?:reached end of file while parsing)", "end-of-file", Syntax, "A bracket is opened and never closed", "Add the } that is missing"),
    named("unclosed string literal", "unclosed-string", Syntax, "A text is opened and never closed", "Close the quote"),
    named("(?:unclosed character literal|empty character literal)", "unclosed-character", Syntax, "A character is not written as one", "Use double quotes for texts"),
    named("(?:illegal start of (?:expression|type)|not a statement|class, interface, enum, or record expected|illegal character|malformed|orphaned|'else' without 'if'|<identifier> expected|without 'try'|without 'catch')", "illegal-start", Syntax, "The text is not Java at the marked place", "Look for a missing bracket or semicolon before it"),
    named("invalid method declaration; return type required", "return-type-required", Syntax, "The method names no type of its result", "Write void or a type before its name"),
    named("int cannot be dereferenced|cannot be dereferenced", "cannot-be-dereferenced", Type, "A number or boolean has no methods", "Use the methods of its class"),
    named("array required, but (\\S+) found", "array-required", Type, "A $1 is indexed and is no array", "Use get()"),
    named("integer number too large", "number-too-large", Value, "The number does not fit into an int", "Add L to it"),
    named("", "compile-error", Compile, "The compiler refuses it", ""),
];

/// All errors of a log, the one that ended the program first.
pub fn read(log: &Log) -> Vec<RawError> {
    let mut compile = Vec::new();
    let mut found: Vec<RawError> = Vec::new();
    let mut at = 0;
    while at < log.lines.len() {
        let line = log.line(at);
        if let Some(parts) = JAVAC.captures(line) {
            compile.push(javac(log, at, &parts));
        } else if let Some(parts) = LAUNCH.captures(line) {
            found.push(RawError::new("launch", &parts[1]));
        } else if let Some((error, link, next)) = trace(log, at) {
            match (link, found.last_mut()) {
                (true, Some(outer)) => outer.causes.push(error),
                _ => found.push(error),
            }
            at = next;
            continue;
        }
        at += 1;
    }
    for error in &mut found {
        if error.kind.ends_with("AssertionError") && error.message.is_empty() {
            error.message = "assertion failed".into();
        }
    }
    found.reverse();
    compile.extend(found);
    compile
}

/// A message of javac with the lines beneath it: the caret, symbol and location.
fn javac(log: &Log, at: usize, parts: &regex::Captures<'_>) -> RawError {
    let mut error = RawError::new("", &parts[5]);
    let mut column = None;
    for index in at + 1..log.lines.len().min(at + 12) {
        let line = log.line(index);
        if JAVAC.is_match(line) || (line.ends_with(" error") || line.ends_with(" errors")) {
            break;
        }
        if line.trim() == "^" {
            column = Some(line.chars().count() as u32);
        } else if column.is_some()
            || ["symbol:", "location:", "required:", "found:", "reason:"]
                .iter()
                .any(|word| line.trim_start().starts_with(word))
        {
            error.message.push('\n');
            error.message.push_str(line.trim_end());
        }
    }
    error.place = Some(RawPlace {
        file: parts[1].to_owned(),
        line: parts[2].parse().unwrap_or(1),
        column,
        end_column: None,
    });
    if &parts[3] == "warning" {
        error.weight = Weight::Warning;
        error.category = Some(Other);
    }
    error
}

/// A trace: its first line, the rest of its message, its frames. Whether it is the cause of the one before, and what
/// comes next.
fn trace(log: &Log, at: usize) -> Option<(RawError, bool, usize)> {
    let parts = HEAD.captures(log.line(at))?;
    let told = parts.get(1).is_some();
    let link = log.line(at).trim_start().starts_with("Caused by: ");
    let first = (at + 1..log.lines.len().min(at + 30)).find(|index| AT.is_match(log.line(*index)));
    let between = first.map(|first| (at + 1..first).map(|index| log.line(index)));
    let sound = between
        .is_some_and(|mut between| !between.any(|line| HEAD.is_match(line) && line.contains("Exception")));
    if !sound {
        // The stack may be switched off.
        let error = RawError::new(&parts[2], parts.get(3).map_or("", |text| text.as_str()));
        return (told || link).then_some((error, link, at + 1));
    }
    let first = first?;
    if first > at + 1 && !told && !link {
        return None;
    }
    let mut message = parts.get(3).map_or("", |text| text.as_str()).to_owned();
    for index in at + 1..first {
        message.push('\n');
        message.push_str(log.line(index));
    }
    let mut error = RawError::new(&parts[2], message);
    let mut next = first;
    while let Some(parts) = AT.captures(log.line(next)) {
        let (function, file, line) = (&parts[1], &parts[2], parts.get(3).map_or("", |line| line.as_str()));
        let runtime = ["java.", "javax.", "jdk.", "sun.", "com.sun.", "org.junit."]
            .iter()
            .any(|own| function.starts_with(own));
        // An enum's own `valueOf` is the compiler's.
        let made = function.ends_with(".valueOf")
            && error
                .frames
                .last()
                .is_some_and(|inner| inner.function.as_deref() == Some("java.lang.Enum.valueOf"));
        let file = if runtime || made { format!("java.base/{file}") } else { file.to_owned() };
        error.frames.push(frame(Some(function), &file, line, None));
        next += 1;
    }
    while log.line(next).trim_start().starts_with("... ") {
        next += 1;
    }
    Some((error, link, next))
}
