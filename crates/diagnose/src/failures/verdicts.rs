//! What the sandbox itself knows of the end of a program: time, memory, output, signals, refusals.

use super::raw::{Known, RawError, Weight, known};
use formicary_model::ErrorCategory::{
    Arithmetic, Environment, Io, Memory, Other, Permission, Resource, Timeout,
};
use formicary_model::{ExecutionResult, Language, Status, ViolationKind};

/// Names that the sandbox's verdicts carry as types.
const TIMEOUT: &str = "Timeout";
const CPU: &str = "CpuLimit";
const MEMORY: &str = "MemoryLimit";
const PROCESSES: &str = "ProcessLimit";
const DISK: &str = "DiskLimit";
const OUTPUT: &str = "OutputLimit";
const DENIED: &str = "Denied";
const EXIT: &str = "ExitCode";

#[rustfmt::skip]
pub const KNOWN: &[Known] = &[
    known(TIMEOUT, "", Timeout, "The program did not end within its time: it waits for something that never comes, or loops without end", "Look for a loop whose condition never becomes false and for input that nobody gives; or allow more time"),
    known(CPU, "", Timeout, "The program computed longer than it may: a loop without end, or an algorithm too slow for its input", "Look for a loop whose condition never becomes false; or allow more CPU time"),
    known(MEMORY, "", Resource, "The program wanted more memory than it may have: something grows without end or is too large", "Look for a collection that grows in a loop; or allow more memory"),
    known(PROCESSES, "", Resource, "The program started more processes or threads than it may", "Start fewer at a time, and wait for those that were started"),
    known(DISK, "", Resource, "The program wrote more to disk than it may", "Write less, or allow more disk"),
    known(OUTPUT, "", Resource, "The program printed more than it may: probably a loop that prints without end", "Look for a print in a loop that does not end; or allow more output"),
    known(DENIED, "(?s)^.+$", Permission, "The program tried something that the sandbox refuses: $0", "Leave it out, or allow it for this run if it is meant"),
    known(EXIT, "exit code 127", Environment, "A command was not found (exit code 127)", "Install it or correct its name"),
    known(EXIT, "exit code 126", Permission, "A command was found but could not be executed (exit code 126)", "Make the file executable, or start it with its interpreter"),
    known(EXIT, "exit code (\\d+)", Other, "The program ended by itself with exit code $1 and named no error", "Look for where it exits with this code"),
    known("SIGSEGV", "", Memory, "The program touched memory that is not its own: a null or stale pointer, an index beyond an array, or a recursion without end", "Compile with -g -fsanitize=address to see the place"),
    known("SIGBUS", "", Memory, "The program touched memory in a way that the machine does not allow", "Compile with -g -fsanitize=address to see the place"),
    known("SIGFPE", "", Arithmetic, "The program divided an integer by zero or overflowed in a division", "Check the divisor before the division"),
    known("SIGILL", "", Memory, "The processor met an instruction that does not exist: usually a trap that the compiler put where the program's behaviour is undefined", "Look for a missing return or an unreachable place that was reached"),
    known("SIGABRT", "", Other, "The program ended itself by abort()", "Look at what it said before: a failed check, a corrupted heap, an exception that nobody caught"),
    known("SIGPIPE", "", Io, "The program wrote to a pipe that nobody reads any more", "Check for the reader's end before writing"),
    known("SIGKILL", "", Other, "The program was killed", "Look for what killed it: the program itself, or a limit"),
    known("SIGTRAP", "", Other, "The program stopped at a trap of its own", "Look for a breakpoint or a check that was left in the code"),
];

/// The word for a signal.
pub fn signal_name(number: i32) -> &'static str {
    match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        _ => "signal",
    }
}

/// Puts the sandbox's own knowledge before what was read, or in place of nothing.
pub fn with_verdict(
    result: &ExecutionResult,
    language: Option<Language>,
    mut read: Vec<RawError>,
) -> Vec<RawError> {
    let has_error = read.iter().any(|error| error.weight == Weight::Error);
    let told = result.error_message.clone().unwrap_or_default();
    let verdict = match result.status {
        Status::Success => return read,
        Status::Timeout => Some(TIMEOUT),
        Status::CpuLimit => Some(CPU),
        Status::MemoryLimit => Some(MEMORY),
        Status::ProcessLimit => Some(PROCESSES),
        Status::DiskLimit => Some(DISK),
        Status::OutputLimit => Some(OUTPUT),
        // The refusal is why the error was raised: it says more than the error, but the error knows the place.
        Status::Denied => Some(DENIED),
        Status::Signaled | Status::NonzeroExit | Status::CompileError => None,
    };
    if let Some(kind) = verdict {
        let message = if result.status == Status::Denied { refusals(result).unwrap_or(told) } else { told };
        let mut error = RawError::new(kind, message);
        if has_error && only_the_network(result) && !read.iter().any(names_the_network) {
            // Package managers look for news of themselves: that this was refused is not why a test failed.
            error.weight = Weight::Warning;
            read.push(error);
            return read;
        }
        // What it was doing when it was stopped.
        if let Some(first) = read.iter().find(|error| error.weight == Weight::Error) {
            error.frames.clone_from(&first.frames);
            error.place.clone_from(&first.place);
        }
        read.insert(0, error);
        return read;
    }
    if has_error {
        return read;
    }
    let error = match (result.status, result.signal) {
        (Status::Signaled, Some(number)) => RawError::new(signal_name(number), told),
        (Status::CompileError, _) => {
            let said = result.compile.as_ref().map(|compile| format!("{}{}", compile.stderr, compile.stdout));
            let said = said.unwrap_or_default();
            let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("the compiler failed");
            RawError::new("compile-error", line)
        }
        _ => {
            let code = result.exit_code.unwrap_or_default();
            // A shell tells a signal of its child by its number above 128.
            match language {
                Some(Language::Bash) if code > 128 && signal_name(code - 128) != "signal" => {
                    RawError::new(signal_name(code - 128), format!("exit code {code}"))
                }
                _ => RawError::new(EXIT, format!("exit code {code}")),
            }
        }
    };
    read.insert(0, error);
    read
}

fn only_the_network(result: &ExecutionResult) -> bool {
    result.status == Status::Denied
        && !result.violations.is_empty()
        && result.violations.iter().all(|violation| violation.kind == ViolationKind::Network)
}

/// Whether an error speaks of what a program without a network meets.
fn names_the_network(error: &RawError) -> bool {
    const WORDS: [&str; 12] = [
        "network",
        "econn",
        "enotfound",
        "eai_again",
        "enetunreach",
        "ehostunreach",
        "connect",
        "resol",
        "unreachable",
        "socket",
        "http",
        "timed out",
    ];
    let text = format!("{} {}", error.kind, error.message).to_lowercase();
    let causes = error.causes.iter().any(names_the_network);
    causes || WORDS.iter().any(|word| text.contains(word))
}

fn refusals(result: &ExecutionResult) -> Option<String> {
    let refused = |kind| matches!(kind, ViolationKind::SystemCall | ViolationKind::Network);
    let all: Vec<&str> = result
        .violations
        .iter()
        .filter(|v| refused(v.kind))
        .map(|violation| violation.what.as_str())
        .collect();
    (!all.is_empty()).then(|| all.join(", "))
}
