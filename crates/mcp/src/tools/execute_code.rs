//! `execute_code`: one program, run in a sandbox of its own.

use super::{Nature, Spec};
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::{Program, read};
use crate::schema;
use formicary_model::{ExecutionResult, Failure, Status};
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "execute_code",
    about: "Run a program in a fresh sandbox (Python, JavaScript, TypeScript, Java, Go, C, C++, Rust, Bash): no network, \
            no host files, limited time and memory. Returns status, exit code, stdout, stderr, compiler output and \
            collected files. A program that fails is a result, not an error. State is not kept: use session_* for that.",
    nature: Nature::Fetches,
    input: schema::of::<Program>,
    output: Some(output),
    run: |call, arguments| run(call, read(arguments)?),
};

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

fn run(call: &Call, program: Program) -> Result<Answer, Failure> {
    let request = program.request(call)?;
    let result = call.live(|live| call.platform().execute_as(&call.caller(), request, live))?;
    told(call, result)
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
    answer.set("artifacts", Value::Array(artifacts));
    Ok(answer)
}

/// The result without what a model has no use for: the list of protections, of which the level is the sum.
pub(super) fn slim(result: &ExecutionResult) -> Result<Value, Failure> {
    let mut slim = value(result)?;
    slim["enforcement"] = json!({"provider": result.enforcement.provider, "level": result.enforcement.level});
    if let Value::Object(fields) = &mut slim {
        for exact in ["stdout_base64", "stderr_base64"] {
            fields.remove(exact);
        }
    }
    Ok(slim)
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
