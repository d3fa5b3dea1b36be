//! A variable that nothing reads.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::scopes::{BindingKind, ScopeKind, words};
use formicary_syntax::{Declares, Dialect};
use rustc_hash::FxHashMap;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unused-variable",
    title: "A variable that nothing reads",
    why: "Work is done for nothing, or another variable was meant where this one should be read.",
    suggestion: "Remove it, or use it; begin its name with an underscore where it must be there.",
    category: Category::DeadCode,
    severity: Severity::Low,
    confidence: Confidence::High,
    cwe: Some(563),
    languages: &[
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Java,
        Language::C,
        Language::Cpp,
        Language::Bash,
    ],
    examples: &[
        (
            Language::Python,
            "def f():\n    a = 1\n",
            "def f():\n    a = 1\n    _b = 2\n    c, d = g()\n    return a + c\n",
        ),
        (
            Language::JavaScript,
            "function f() { const a = 1 }",
            "function f() { const a = 1; return () => a }",
        ),
        (
            Language::Java,
            "class A { void f() { int a = 1; } }",
            "class A { int f() { int a = 1; return a; } }",
        ),
        (Language::C, "void f(void) { int a = 1; }", "int f(void) { int a = 1; return a; }"),
        (Language::Bash, "f() {\n  local a=1\n}\n", "f() {\n  local a=1\n  echo \"$a\"\n}\n"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if !unit.notes.is_empty() || file.is_stub() {
        return;
    }
    let shell = unit.dialect == Dialect::Bash;
    let native = matches!(unit.dialect, Dialect::C | Dialect::Cpp);
    for scope in &file.scopes.scopes {
        let ScopeKind::Function(function) = scope.kind else { continue };
        let function = unit.function(function);
        let body = unit.text(function.span);
        // Locals that are looked up by name are all read.
        if ["locals()", "eval(", "exec(", "vars()"].iter().any(|word| body.contains(word)) && !shell {
            continue;
        }
        let mut counts: Option<FxHashMap<&str, u32>> = None;
        for binding in &scope.bindings {
            let declared = match binding.kind {
                BindingKind::Variable(Declares::Nothing) => file.is_python(),
                BindingKind::Variable(declares) => declares != Declares::Field,
                BindingKind::Exception => file.is_python(),
                _ => false,
            };
            let meant = binding.name.starts_with('_')
                || binding.name.is_empty()
                || binding.unpacked
                || binding.captured;
            if !declared || meant || binding.reads > 0 {
                continue;
            }
            // Macros, templates, traps and here-documents read by other ways: one word too many is a reader.
            if native || shell || file.is_script() {
                let counts = counts.get_or_insert_with(|| {
                    let mut counts = FxHashMap::default();
                    words(body)
                        .flat_map(|word| word.split('$'))
                        .for_each(|word| *counts.entry(word).or_insert(0) += 1);
                    counts
                });
                if counts.get(binding.name).copied().unwrap_or(0) > binding.writes {
                    continue;
                }
            }
            // Variables in capitals are the shell's own or its children's.
            if shell && binding.name.chars().all(|c| !c.is_lowercase()) {
                continue;
            }
            // C++ objects work by being there: guards, locks, traces.
            if unit.dialect == Dialect::Cpp && !is_number(file, binding.span) {
                continue;
            }
            report.find(binding.span, format!("nothing reads `{}`", binding.name));
        }
    }
}

/// Whether a declaration's type is a plain number, judged by the line that it stands on.
fn is_number(file: &File<'_, '_>, span: formicary_syntax::Span) -> bool {
    let lines = &file.unit.lines;
    let start = lines.start(lines.line(span.start));
    let before = file.unit.text(formicary_syntax::Span { start, end: span.start.max(start) }).trim();
    ["int", "long", "unsigned", "char", "short", "double", "float", "bool", "size_t", "const int"]
        .contains(&before)
}
