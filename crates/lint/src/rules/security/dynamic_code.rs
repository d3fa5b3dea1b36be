//! Text that is run as code.

use super::SECURITY;
use super::calls::{calls, shape};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::CallKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "dynamic-code",
    title: "Text that is not known here is run as code",
    why: "Whoever can change the text runs any code with the rights of this program.",
    suggestion: "Parse data as data (`ast.literal_eval`, `JSON.parse`), or choose from a table of functions.",
    confidence: Confidence::Medium,
    cwe: Some(95),
    languages: &[
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Java,
        Language::Bash,
    ],
    examples: &[
        (
            Language::Python,
            "def f(x):\n    return eval(x)\n",
            "import ast\ndef f(x):\n    return ast.literal_eval(x) or eval('1 + 1')\n",
        ),
        (
            Language::JavaScript,
            "function f(x) { return eval('(' + x + ')') }",
            "function f(x) { return JSON.parse(x) }",
        ),
        (
            Language::JavaScript,
            "function f(x) { setTimeout('g(' + x + ')', 9) }",
            "function f(x) { setTimeout(() => g(x), 9); setTimeout(x, 9) }",
        ),
        (
            Language::TypeScript,
            "function f(x: string) { return new Function('a', x) }",
            "const g = new Function('return this')",
        ),
        (
            Language::Java,
            "class A { void f(ScriptEngine engine, String x) { engine.eval(x); } }",
            "class A { void f(ScriptEngine engine) { engine.eval(\"1 + 1\"); } }",
        ),
        (Language::Bash, "eval \"$1 --now\"\n", "eval 'echo now'\neval \"$(ssh-agent -s)\"\n"),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for call in calls(
        file,
        &[
            "eval",
            "exec",
            "Function",
            "runInNewContext",
            "runInThisContext",
            "execScript",
            "setTimeout",
            "setInterval",
        ],
    ) {
        let Some(first) =
            call.arguments.last().filter(|_| call.method() == "Function").map(|a| a.value).or(call.first())
        else {
            continue;
        };
        let dangerous = match file.language() {
            Language::Python => {
                matches!(call.path.as_str(), "eval" | "exec" | "builtins.eval" | "builtins.exec")
            }
            Language::JavaScript | Language::TypeScript => {
                matches!(
                    call.path.as_str(),
                    "eval" | "window.eval" | "globalThis.eval" | "Function" | "execScript"
                ) || call.receiver() == "vm"
            }
            Language::Java => call.method() == "eval" && call.receiver().to_lowercase().ends_with("engine"),
            Language::Bash => call.kind == CallKind::Command && call.path == "eval",
            _ => false,
        };
        // A function is what these want; text that is put together is run.
        let timer = file.is_script()
            && matches!(
                call.path.as_str(),
                "setTimeout" | "setInterval" | "window.setTimeout" | "window.setInterval"
            )
            && {
                let shape = shape(file, first);
                shape.built && !shape.fixed.is_empty()
            };
        if !dangerous && !timer {
            continue;
        }
        let (open, mut sure) = if file.language() == Language::Bash {
            (takes_parameters(file.unit.text(call.span)), Confidence::Low)
        } else {
            let shape = shape(file, first);
            let compiled = super::calls::path(file, first).starts_with("compile()");
            (shape.open && !compiled, if shape.built { Confidence::High } else { Confidence::Medium })
        };
        if !open {
            continue;
        }
        if file.is_test() {
            sure = Confidence::Low;
        }
        let finding = report.find(call.span, format!("`{}` runs text that is not known here", call.path));
        finding.confidence = sure;
        if sure == Confidence::Low {
            finding.severity = Severity::Medium;
        }
    }
}

/// Whether what the caller gave is in the text of `eval`; as the name of a variable it is an idiom of old scripts, and
/// the output of a program that prints shell code is what `eval` is for.
fn takes_parameters(text: &str) -> bool {
    if text.contains("$(") || text.contains('`') {
        return false;
    }
    text.match_indices('$').any(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches('{');
        let mut next = rest.chars();
        let parameter = next.next().is_some_and(|c| matches!(c, '1'..='9' | '@' | '*'));
        let escaped = text[..at].ends_with(['\\', '$']);
        parameter && !escaped && !next.as_str().trim_start_matches('}').starts_with(['=', '+'])
    })
}
