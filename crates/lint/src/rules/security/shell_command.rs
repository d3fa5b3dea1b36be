//! A shell's command line that is put together from values.

use super::SECURITY;
use super::calls::{Call, calls, is_bool, named, path, shape, single_value, text};
use crate::file::{File, Report};
use crate::rules::{Info, NO_SHELL, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{ExprId, ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "shell-command",
    title: "A shell's command line that is put together from values",
    why: "A semicolon or a backquote in the value starts another command.",
    suggestion: "Start the program without a shell and give each argument by itself.",
    confidence: Confidence::High,
    cwe: Some(78),
    languages: NO_SHELL,
    examples: &[
        (
            Language::Python,
            "import os\ndef f(x):\n    os.system('rm ' + x)\n",
            "import subprocess\ndef f(x):\n    subprocess.run(['rm', x])\n",
        ),
        (
            Language::Python,
            "from subprocess import run as r\ndef f(x):\n    r(f'rm {x}', shell=True)\n",
            "import os\nos.system('ls')\n",
        ),
        (
            Language::JavaScript,
            "const { exec } = require('child_process'); function f(x) { exec(`rm ${x}`) }",
            "const { execFile } = require('child_process'); function f(x) { execFile('rm', [x]); /a/.exec(x) }",
        ),
        (
            Language::TypeScript,
            "import * as cp from 'node:child_process'; function f(x: string) { cp.execSync('rm ' + x) }",
            "import * as cp from 'node:child_process'; cp.execSync('ls')",
        ),
        (
            Language::Java,
            "class A { void f(String x) throws Exception { Runtime.getRuntime().exec(\"rm \" + x); } }",
            "class A { void f(String x) throws Exception { new ProcessBuilder(\"rm\", x).start(); } }",
        ),
        (
            Language::Java,
            "class A { void f(String x) throws Exception { String[] a = {\"sh\", \"-c\", \"rm \" + x}; Runtime r = Runtime.getRuntime(); r.exec(a); } }",
            "class A { void f(String x) throws Exception { String[] a = {\"rm\", x}; Runtime r = Runtime.getRuntime(); r.exec(a); } }",
        ),
        (
            Language::Go,
            "package a\nimport \"os/exec\"\nfunc f(x string) { exec.Command(\"sh\", \"-c\", \"rm \"+x).Run() }",
            "package a\nimport \"os/exec\"\nfunc f(x string) { exec.Command(\"rm\", x).Run() }",
        ),
        (Language::C, "void f(char *x) { system(x); }", "void f(void) { system(\"ls\"); }"),
        (
            Language::Cpp,
            "void f(std::string x) { popen((\"rm \" + x).c_str(), \"r\"); }",
            "void f() { popen(\"ls\", \"r\"); }",
        ),
        (
            Language::Rust,
            "fn f(x: &str) { Command::new(\"sh\").arg(\"-c\").arg(format!(\"rm {x}\")).status(); }",
            "fn f(x: &str) { Command::new(\"rm\").arg(x).status(); }",
        ),
    ],
    ..SECURITY
};

const WORDS: &[&str] = &[
    "system",
    "popen",
    "getoutput",
    "getstatusoutput",
    "run",
    "call",
    "check_call",
    "check_output",
    "Popen",
    "create_subprocess_shell",
    "exec",
    "execSync",
    "spawn",
    "spawnSync",
    "Command",
    "CommandContext",
    "ProcessBuilder",
    "arg",
    "_popen",
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for call in calls(file, WORDS) {
        let Some(command) = command(file, &call) else { continue };
        let shape = shape(file, command);
        if !shape.open {
            continue;
        }
        let built = shape.built && !shape.fixed.trim().is_empty();
        let name = call.path.clone();
        let finding = report.find(call.span, format!("`{name}` gives a shell text that is not known here"));
        if !built {
            finding.confidence = Confidence::Low;
            finding.severity = Severity::Medium;
        }
        if file.is_test() {
            finding.confidence = Confidence::Low;
        }
    }
}

/// The text that a shell reads, when the call starts one.
fn command(file: &File<'_, '_>, call: &Call<'_, '_>) -> Option<ExprId> {
    let name = call.path.as_str();
    let first = call.first()?;
    match file.language() {
        Language::Python => {
            let direct = matches!(
                name,
                "os.system"
                    | "os.popen"
                    | "subprocess.getoutput"
                    | "subprocess.getstatusoutput"
                    | "asyncio.create_subprocess_shell"
            );
            let shell = call.receiver() == "subprocess"
                && call.keyword("shell").is_some_and(|v| is_bool(file, v, true));
            (direct || shell).then_some(call.argument(0, "args").unwrap_or(first))
        }
        Language::JavaScript | Language::TypeScript => {
            let direct = matches!(name, "child_process.exec" | "child_process.execSync" | "shelljs.exec");
            let shell = matches!(name, "child_process.spawn" | "child_process.spawnSync")
                && named_true(file, call.arguments.last()?.value);
            (direct || shell).then_some(first)
        }
        Language::Java => {
            // One text is cut at spaces without a shell, but options and arguments can still be put in.
            if name.ends_with("getRuntime().exec")
                || call.method() == "exec" && is_runtime(file, call.receiver())
            {
                return match shell_list(file, &items(file, first)) {
                    Some(command) => Some(command),
                    None => (shape(file, first).built && items(file, first).is_empty()).then_some(first),
                };
            }
            let words: Vec<ExprId> = call.arguments.iter().map(|argument| argument.value).collect();
            let words = match words.as_slice() {
                [only] => items(file, *only),
                _ => words,
            };
            (name == "ProcessBuilder").then(|| shell_list(file, &words)).flatten()
        }
        Language::Go => {
            let words: Vec<ExprId> = call.arguments.iter().map(|argument| argument.value).collect();
            match name {
                "os/exec.Command" => shell_list(file, &words),
                "os/exec.CommandContext" => shell_list(file, words.get(1..)?),
                _ => None,
            }
        }
        Language::C | Language::Cpp => {
            matches!(name, "system" | "popen" | "_popen" | "std.system").then_some(first)
        }
        Language::Rust => {
            let ExprKind::Attribute { base, .. } = file.unit.kind(call.callee) else { return None };
            let ExprKind::Call { arguments, .. } = file.unit.kind(*base) else { return None };
            let flag = arguments.first().and_then(|argument| text(file, argument.value));
            (path(file, *base).contains("Command.new()") && flag == Some("-c")).then_some(first)
        }
        Language::Bash => None,
    }
}

fn named_true(file: &File<'_, '_>, options: ExprId) -> bool {
    let around = file.unit.expr(options).span;
    named(file, &["shell"])
        .iter()
        .any(|(_, value)| around.contains(file.unit.expr(*value).span) && is_bool(file, *value, true))
}

/// Whether a variable holds Java's `Runtime`.
fn is_runtime(file: &File<'_, '_>, name: &str) -> bool {
    file.unit.stmts().any(|(_, stmt)| match &stmt.kind {
        StmtKind::Assign { targets, annotation: Some("Runtime"), .. } => {
            targets.iter().any(|target| file.unit.name_of(*target) == Some(name))
        }
        _ => false,
    })
}

/// The items of a list, also of a variable that is written once.
fn items(file: &File<'_, '_>, id: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let id = match file.unit.kind(id) {
        ExprKind::Name(name) => single_value(file, name, file.unit.expr(id).function).unwrap_or(id),
        _ => id,
    };
    file.unit.walk_expr(id, formicary_syntax::walk::Nested::Skip, &mut |step| {
        if let formicary_syntax::walk::Step::Expr(inner) = step
            && let ExprKind::Collection { items, .. } = file.unit.kind(inner)
            && found.is_empty()
        {
            found.extend(items.iter().map(|item| item.value));
        }
    });
    found
}

/// What comes after `sh -c`.
fn shell_list(file: &File<'_, '_>, words: &[ExprId]) -> Option<ExprId> {
    let [shell, flag, command, ..] = words else { return None };
    let shell = text(file, *shell)?;
    let shell = shell.rsplit('/').next().unwrap_or(shell);
    let known = matches!(shell, "sh" | "bash" | "dash" | "zsh" | "cmd" | "cmd.exe" | "powershell");
    (known && matches!(text(file, *flag)?, "-c" | "/c" | "/C" | "-lc" | "-Command")).then_some(*command)
}
