//! The same question twice in one chain.

use super::super::questions::{is_pure, same};
use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{Dialect, ExprId, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "duplicate-condition",
    title: "The same condition twice in one if-else chain",
    why: "The second branch never runs: the condition was copied and not changed.",
    suggestion: "Ask what was meant, or remove the branch.",
    severity: Severity::High,
    cwe: Some(561),
    languages: ALL,
    examples: &[
        (
            Language::Python,
            "if a == 1:\n    f()\nelif a == 1:\n    g()\n",
            "if a == 1:\n    f()\nelif a == 2:\n    g()\n",
        ),
        (
            Language::JavaScript,
            "if (a) f(); else if (b) g(); else if (a) h()",
            "if (a) f(); else if (b) g(); else if (c) h()",
        ),
        (
            Language::Java,
            "class A { void f(int a) { if (a == 1) f(2); else if (a == 1) f(3); } }",
            "class A { void f(int a) { if (a == 1) f(2); else if (a == 2) f(3); } }",
        ),
        (
            Language::Go,
            "package a\nfunc f(a int) { if a == 1 { g() } else if a == 1 { h() } }",
            "package a\nfunc f(a int) { if a == 1 { g() } else if a == 2 { h() } }",
        ),
        (
            Language::Rust,
            "fn f(a: u8) { if a == 1 { g() } else if a == 1 { h() } }",
            "fn f(a: u8) { if a == 1 { g() } else if a == 2 { h() } }",
        ),
        (
            Language::Bash,
            "if [ \"$a\" = 1 ]; then f; elif [ \"$a\" = 1 ]; then g; fi\n",
            "if [ \"$a\" = 1 ]; then f; elif [ \"$a\" = 2 ]; then g; fi\n",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (id, stmt) in unit.stmts() {
        if !matches!(stmt.kind, StmtKind::If { elif: false, .. }) {
            continue;
        }
        let mut tests: Vec<ExprId> = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at.take() {
            let StmtKind::If { test, otherwise, .. } = &unit.stmt(id).kind else { break };
            let again = tests.iter().any(|earlier| same(unit, *earlier, *test));
            let plain = is_pure(unit, *test)
                || unit.dialect == Dialect::Bash && unit.text(unit.expr(*test).span).starts_with('[');
            if again && plain {
                let text = unit.text(unit.expr(*test).span);
                report.find(unit.expr(*test).span, format!("`{text}` was asked before in this chain"));
            }
            tests.push(*test);
            if let [only] = otherwise.as_slice() {
                at = Some(*only);
            }
            // Chains of generated code need no quadratic look.
            if tests.len() > 200 {
                break;
            }
        }
    }
}
