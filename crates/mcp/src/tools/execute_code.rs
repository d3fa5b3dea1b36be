//! `execute_code`: one program, run in a sandbox of its own.

use super::Spec;
use crate::abridge::said;
use crate::answer::{Answer, value};
use crate::call::Call;
use formicary_model::{ExecutionResult, Failure, Status};
use formicary_platform::execute::Execute;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<Execute>(
    "execute_code",
    "Run a program in a fresh sandbox (Python, JavaScript, TypeScript, Java, Go, C, C++, Rust, Bash): no network, \
            no host files, limited time and memory. Returns status, exit code, stdout, stderr, compiler output and \
            collected files. A program that fails is a result, not an error. State is not kept: use session_* for that.",
    Some(output),
    run,
);

fn output() -> Value {
    let statuses: Vec<&str> = Status::ALL.iter().map(|status| status.word()).collect();
    json!({
        "type": "object",
        "properties": {
            "status": {"enum": statuses},
            "exit_code": {"type": ["integer", "null"]},
            "signal": {"type": ["integer", "null"]},
            "stdout": {"type": "string"},
            "stderr": {"type": "string"},
            "duration": {"type": "number"},
            "language": {"type": "string"},
            "truncated": {"type": "boolean"},
            "error_message": {"type": "string"},
            "compile": {"type": "object"},
            "artifacts": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["status", "stdout", "stderr"],
    })
}

/// What the limit of time was called before there were others.
pub(super) fn former_timeout(arguments: &mut Map<String, Value>) {
    if let Some(seconds) = arguments.remove("timeout_seconds").filter(|seconds| !seconds.is_null()) {
        let limits = arguments.entry("limits").or_insert_with(|| json!({}));
        if let Some(limits) = limits.as_object_mut() {
            limits.entry("wall_seconds").or_insert(seconds);
        }
    }
}

fn run(call: &Call, mut arguments: Map<String, Value>) -> Result<Answer, Failure> {
    former_timeout(&mut arguments);
    told(call, call.perform::<Execute>(arguments, &[])?)
}

/// A run as an answer; `debug` tells its run the same way.
pub(super) fn told(call: &Call, mut result: ExecutionResult) -> Result<Answer, Failure> {
    let artifacts = std::mem::take(&mut result.artifacts);
    let mut answer = Answer::new(call, &slim(&result)?, text(&result))?;
    answer.keep_text(call, "stdout.txt", &result.stdout);
    answer.keep_text(call, "stderr.txt", &result.stderr);
    if let Some(compile) = &result.compile {
        answer.keep_text(call, "compiler.txt", &compile.stderr);
    }
    let artifacts = answer.artifacts(call, artifacts);
    if !artifacts.is_empty() {
        answer.set("artifacts", Value::Array(artifacts));
    }
    Ok(answer)
}

/// What a model has a use for: how it ended, what it wrote, what it used; of protections their sum.
pub(super) fn slim(result: &ExecutionResult) -> Result<Value, Failure> {
    let compile = result.compile.as_ref().map(|compile| {
        let failed = compile.status != Status::Success;
        said([
            ("status", json!(failed.then_some(compile.status))),
            ("stdout", json!(compile.stdout)),
            ("stderr", json!(compile.stderr)),
            ("exit_code", json!(compile.exit_code.filter(|_| failed))),
        ])
    });
    let usage = &result.usage;
    let mut slim = said([
        ("exit_code", json!(result.exit_code)),
        ("signal", json!(result.signal)),
        ("duration", json!(rounded(result.duration))),
        ("cpu_seconds", json!(rounded(usage.cpu_user + usage.cpu_system))),
        ("memory_peak", json!(usage.memory_peak)),
        ("language", json!(result.language)),
        ("truncated", json!(result.truncated)),
        ("error_message", json!(result.error_message)),
        ("compile", compile.unwrap_or_default()),
        ("violations", value(&result.violations)?),
        ("skipped_artifacts", value(&result.skipped_artifacts)?),
    ]);
    slim["status"] = json!(result.status);
    slim["stdout"] = json!(result.stdout);
    slim["stderr"] = json!(result.stderr);
    slim["enforcement"] = json!({"provider": result.enforcement.provider, "level": result.enforcement.level});
    Ok(slim)
}

/// Seconds to the millisecond.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

pub(super) fn text(result: &ExecutionResult) -> String {
    let mut text = format!("status: {}", result.status);
    if let Some(code) = result.exit_code {
        let _ = write!(text, ", exit code {code}");
    }
    if let Some(signal) = result.signal {
        let _ = write!(text, ", signal {signal}");
    }
    let _ = writeln!(text, ", {:.2} s, {}", result.duration, result.language);
    if let Some(message) = &result.error_message {
        let _ = writeln!(text, "{message}");
    }
    if let Some(compile) = result.compile.as_ref().filter(|compile| compile.status != Status::Success) {
        section(&mut text, "compiler", &format!("{}{}", compile.stdout, compile.stderr));
    }
    section(&mut text, "stdout", &result.stdout);
    section(&mut text, "stderr", &result.stderr);
    text
}

/// A named part of a text, cut to what a model can use.
pub(super) fn section(text: &mut String, name: &str, content: &str) {
    if content.is_empty() {
        return;
    }
    let short = crate::abridge::text(content, crate::abridge::TEXT * 3 / 4);
    let content = short.as_deref().unwrap_or(content);
    let _ = write!(text, "{name}:\n{content}");
    if !content.ends_with('\n') {
        text.push('\n');
    }
}
