//! A call that stops all tasks.

use super::super::questions::call;
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "blocking-in-async",
    title: "A blocking call in an asynchronous function",
    why: "It stops the thread, and with it every other task that runs on it.",
    suggestion: "Call the asynchronous form, or hand it to a thread.",
    category: Category::Performance,
    severity: Severity::Medium,
    confidence: Confidence::High,
    cwe: Some(1088),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Rust],
    examples: &[
        (
            Language::Python,
            "async def f():\n    time.sleep(1)\n",
            "async def f():\n    await asyncio.sleep(1)\n    await loop.run_in_executor(None, lambda: time.sleep(1))\n",
        ),
        (
            Language::JavaScript,
            "async function f() { return fs.readFileSync('a') }",
            "async function f() { return fs.promises.readFile('a') }",
        ),
        (
            Language::Rust,
            "async fn f() { std::thread::sleep(d); }",
            "async fn f() { tokio::time::sleep(d).await; }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if file.is_test() {
        return;
    }
    for (id, expr) in unit.exprs() {
        let Some(function) = expr.function.map(|function| unit.function(function)) else { continue };
        if !function.modifiers.is_async {
            continue;
        }
        let Some((name, _)) = call(unit, id) else { continue };
        let method = name.rsplit('.').next().unwrap_or(&name);
        let blocks = match file.language() {
            Language::Python => matches!(
                name.as_str(),
                "time.sleep"
                    | "requests.get"
                    | "requests.post"
                    | "requests.put"
                    | "requests.delete"
                    | "requests.request"
                    | "urllib.request.urlopen"
                    | "subprocess.run"
                    | "subprocess.call"
                    | "subprocess.check_output"
                    | "os.system"
            ),
            Language::Rust => matches!(name.as_str(), "std.thread.sleep" | "thread.sleep"),
            _ => {
                method.ends_with("Sync")
                    && (name.starts_with("fs.")
                        || name.starts_with("child_process.")
                        || name.starts_with("crypto."))
            }
        };
        if blocks {
            report.find(expr.span, format!("`{name}` stops every task of this thread"));
        }
    }
}
