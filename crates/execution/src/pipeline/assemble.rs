//! The result: what the phases came to, in the words of the model.

use super::phases::Compiled;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use formicary_model::{
    Artifact, CompileResult, Enforcement, ExecutionResult, Limits, OutputCounts, Status, Usage, Violation,
};
use formicary_sandbox::{Captured, End, Outcome};

/// The result of a run whose program ran.
pub fn finished(
    run_id: &str,
    language: &str,
    compile: Option<CompileResult>,
    outcome: Outcome,
    limits: &Limits,
) -> ExecutionResult {
    let output = outcome.output_counts();
    let (stdout, stdout_base64) = text(&outcome.stdout);
    let (stderr, stderr_base64) = text(&outcome.stderr);
    let (exit_code, signal) = ended(outcome.end);
    ExecutionResult {
        run_id: run_id.to_string(),
        language: language.to_string(),
        status: outcome.status,
        stdout,
        stderr,
        stdout_base64,
        stderr_base64,
        exit_code,
        signal,
        duration: outcome.duration.as_secs_f64(),
        usage: outcome.usage,
        truncated: output.stdout_omitted > 0 || output.stderr_omitted > 0,
        output,
        compile,
        enforcement: outcome.enforcement,
        error_message: message(outcome.status, outcome.end, limits, &outcome.violations),
        violations: outcome.violations,
        artifacts: outcome
            .files
            .into_iter()
            .map(|file| Artifact {
                path: file.path,
                size: file.content.len() as u64,
                executable: file.executable,
                content: file.content,
            })
            .collect(),
        skipped_artifacts: outcome.skipped,
    }
}

/// The result of a run that did not get past its compile step.
pub fn not_compiled(run_id: &str, language: &str, compiled: Compiled, limits: &Limits) -> ExecutionResult {
    let compile = compile_result(&compiled, Status::CompileError);
    let reason = compile_reason(&compiled, limits);
    let last = compiled.outcomes.into_iter().next_back();
    let (enforcement, violations) = last.map(|last| (last.enforcement, last.violations)).unwrap_or_default();
    ExecutionResult {
        status: Status::CompileError,
        violations,
        error_message: Some(reason),
        exit_code: None,
        usage: Usage::default(),
        ..only_compiled(run_id, language, compile, enforcement)
    }
}

/// The result of a compile step by itself.
pub fn only_compiled(
    run_id: &str,
    language: &str,
    compile: Option<CompileResult>,
    enforcement: Enforcement,
) -> ExecutionResult {
    ExecutionResult {
        run_id: run_id.to_string(),
        language: language.to_string(),
        status: Status::Success,
        stdout: String::new(),
        stderr: String::new(),
        stdout_base64: None,
        stderr_base64: None,
        exit_code: Some(0),
        signal: None,
        duration: 0.0,
        usage: compile.as_ref().map(|compile| compile.usage.clone()).unwrap_or_default(),
        truncated: false,
        output: OutputCounts::default(),
        compile,
        enforcement,
        violations: Vec::new(),
        artifacts: Vec::new(),
        skipped_artifacts: Vec::new(),
        error_message: None,
    }
}

/// What the compile steps said, together. `None`: there were none.
pub fn compile_result(compiled: &Compiled, left_nothing: Status) -> Option<CompileResult> {
    let last = compiled.outcomes.last()?;
    let status = match (&compiled.left_nothing, last.status) {
        (Some(_), Status::Success) => left_nothing,
        (_, status) => status,
    };
    let joined = |pick: fn(&Outcome) -> &Captured| -> String {
        compiled.outcomes.iter().map(|outcome| text(pick(outcome)).0).collect()
    };
    let mut usage = Usage::default();
    for outcome in &compiled.outcomes {
        usage.cpu_user += outcome.usage.cpu_user;
        usage.cpu_system += outcome.usage.cpu_system;
        usage.memory_peak = usage.memory_peak.max(outcome.usage.memory_peak);
        usage.processes_peak = usage.processes_peak.max(outcome.usage.processes_peak);
        usage.io_read = sum(usage.io_read, outcome.usage.io_read);
        usage.io_write = sum(usage.io_write, outcome.usage.io_write);
    }
    Some(CompileResult {
        status,
        stdout: joined(|outcome| &outcome.stdout),
        stderr: joined(|outcome| &outcome.stderr),
        exit_code: ended(last.end).0,
        duration: compiled.outcomes.iter().map(|outcome| outcome.duration.as_secs_f64()).sum(),
        usage,
        cached: false,
    })
}

fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.zip(b).map(|(a, b)| a.saturating_add(b)).or(a).or(b)
}

fn ended(end: End) -> (Option<i32>, Option<i32>) {
    match end {
        End::Exited(code) => (Some(code), None),
        End::Signaled(signal) => (None, Some(signal)),
    }
}

/// Output as text, and in base64 where text cannot hold it. A character that the cap cut in two does not count.
fn text(captured: &Captured) -> (String, Option<String>) {
    let mut whole = captured.clone();
    if captured.omitted() > 0 {
        let cut_short = std::str::from_utf8(&whole.head).err().filter(|error| error.error_len().is_none());
        if let Some(error) = cut_short {
            whole.head.truncate(error.valid_up_to());
        }
        let broken = whole.tail.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
        whole.tail.drain(..broken);
    }
    match String::from_utf8(whole.joined()) {
        Ok(text) => (text, None),
        Err(_) => {
            let bytes = captured.joined();
            (String::from_utf8_lossy(&bytes).into_owned(), Some(STANDARD.encode(&bytes)))
        }
    }
}

/// Why the compile step failed: a limit, a signal, or the compiler's first word on it.
fn compile_reason(compiled: &Compiled, limits: &Limits) -> String {
    let Some(last) = compiled.outcomes.last() else { return "nothing was compiled".into() };
    if let Some(reason) = &compiled.left_nothing {
        return reason.clone();
    }
    if last.status == Status::NonzeroExit {
        let said = [&last.stderr, &last.stdout].map(|captured| text(captured).0);
        let lines =
            || said.iter().flat_map(|text| text.lines()).map(str::trim).filter(|line| !line.is_empty());
        let first = lines().find(|line| line.to_lowercase().contains("error")).or_else(|| lines().next());
        return match first {
            Some(line) => format!("compilation failed: {}", line.chars().take(300).collect::<String>()),
            None => "compilation failed".into(),
        };
    }
    let why = message(last.status, last.end, limits, &last.violations).unwrap_or_default();
    format!("compilation failed: {}", why.replace("the program", "the compiler"))
}

/// One sentence for people; nothing on success.
fn message(status: Status, end: End, limits: &Limits, violations: &[Violation]) -> Option<String> {
    Some(match status {
        Status::Success => return None,
        Status::CompileError => "compilation failed".into(),
        Status::NonzeroExit => match end {
            End::Exited(code) => format!("the program ended with exit code {code}"),
            End::Signaled(signal) => format!("the program was ended by {}", signal_name(signal)),
        },
        Status::Signaled => match end {
            End::Signaled(signal) => format!("the program was ended by {}", signal_name(signal)),
            End::Exited(code) => format!("the program ended with exit code {code}"),
        },
        Status::Timeout => format!("wall-clock limit of {} s exceeded", limits.wall_seconds),
        Status::CpuLimit => format!("CPU time limit of {} s exceeded", limits.cpu_seconds),
        Status::MemoryLimit => format!("memory limit of {} exceeded", bytes(limits.memory_bytes)),
        Status::ProcessLimit => format!("process limit of {} reached", limits.processes),
        Status::DiskLimit => format!(
            "disk limit reached: {} in all, {} a file, {} files",
            bytes(limits.disk_bytes),
            bytes(limits.file_size_bytes),
            limits.disk_inodes
        ),
        Status::OutputLimit => format!("output limit of {} exceeded", bytes(limits.output_total_bytes)),
        Status::Denied => match violations.first() {
            Some(violation) => format!("the program tried what the sandbox refuses: {}", violation.what),
            None => "the program tried what the sandbox refuses".into(),
        },
    })
}

/// `512 MiB`, `1.5 GiB`, `100 bytes`.
fn bytes(count: u64) -> String {
    for (unit, size) in [("GiB", 1_u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)] {
        if count >= size {
            let value = count as f64 / size as f64;
            return if count.is_multiple_of(size) {
                format!("{} {unit}", count / size)
            } else {
                format!("{value:.1} {unit}")
            };
        }
    }
    format!("{count} bytes")
}

fn signal_name(signal: i32) -> String {
    const NAMES: &[(i32, &str)] = &[
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (5, "SIGTRAP"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (10, "SIGUSR1"),
        (11, "SIGSEGV"),
        (12, "SIGUSR2"),
        (13, "SIGPIPE"),
        (14, "SIGALRM"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
        (25, "SIGXFSZ"),
        (31, "SIGSYS"),
    ];
    match NAMES.iter().find(|(number, _)| *number == signal) {
        Some((_, name)) => format!("signal {signal} ({name})"),
        None => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(head: &[u8], tail: &[u8], total: u64) -> Captured {
        Captured { head: head.to_vec(), tail: tail.to_vec(), total }
    }

    #[test]
    fn text_and_bytes() {
        assert_eq!(text(&captured("é".as_bytes(), b"", 2)), ("é".into(), None));
        let (lossy, exact) = text(&captured(b"a\xff", b"", 2));
        assert_eq!((lossy.as_str(), exact.as_deref()), ("a\u{fffd}", Some("Yf8=")));
        // A character cut by the cap on either side is left out; a stray byte elsewhere is not forgiven.
        let (text_only, exact) = text(&captured(b"a\xc3", b"\xa9b", 10));
        assert!(
            text_only.starts_with("a\n[") && text_only.ends_with("]\nb") && exact.is_none(),
            "{text_only}"
        );
        assert!(text(&captured(b"\xffa", b"b", 10)).1.is_some());
    }

    #[test]
    fn sizes_for_people() {
        for (count, shown) in
            [(512 << 20, "512 MiB"), (1 << 30, "1 GiB"), (100, "100 bytes"), (1536, "1.5 KiB")]
        {
            assert_eq!(bytes(count), shown);
        }
    }
}
