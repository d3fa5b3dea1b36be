//! A query in every round of a loop.

use super::{inside_loops, leaves_after};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Severity};
use formicary_syntax::walk::Step;
use formicary_syntax::{ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "query-in-loop",
    title: "A query or request in every round of a loop",
    why: "A hundred rounds wait a hundred times for the network or the disk.",
    suggestion: "Ask once for all of them before the loop, or send them together.",
    category: Category::Performance,
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(1073),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Java, Language::Go],
    examples: &[
        (
            Language::Python,
            "def f(xs):\n    for x in xs:\n        cursor.execute('select 1', x)\n",
            "def f(xs):\n    cursor.executemany('select 1', xs)\n",
        ),
        (
            Language::JavaScript,
            "async function f(xs) { for (const x of xs) { await fetch(x) } }",
            "async function f(xs) { await Promise.all(xs.map(x => fetch(x))) }",
        ),
        (
            Language::Java,
            "class A { void f(List<String> xs) { for (String x : xs) { statement.executeQuery(x); } } }",
            "class A { void f(List<String> xs) { for (String x : xs) { g(x); } } }",
        ),
        (
            Language::Go,
            "package a\nfunc f(xs []string) { for _, x := range xs { http.Get(x) } }",
            "package a\nfunc f(xs []string) { for _, x := range xs { g(x) } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if file.is_test() {
        return;
    }
    let mut found = Vec::new();
    inside_loops(file, &mut |loop_, step| {
        let Step::Expr(id) = step else { return };
        let ExprKind::Call { callee, .. } = unit.kind(id) else { return };
        let Some(name) = unit.dotted(*callee).or_else(|| chain_name(file, *callee)) else { return };
        // Loops that wait for the next try or the next event are meant to ask again.
        let endless = match &unit.stmt(loop_).kind {
            StmtKind::Loop { iterable, .. } => iterable.is_none(),
            _ => true,
        };
        let retries = matches!(&unit.stmt(loop_).kind, StmtKind::Loop { iterable: Some(iterable), .. }
            if matches!(unit.kind(*iterable), ExprKind::Call { callee, .. } if unit.name_of(*callee) == Some("range")));
        if is_query(file, &name) && !endless && !retries && !leaves_after(file, loop_, id) {
            found.push((unit.expr(id).span, name));
        }
    });
    for (span, name) in found {
        report.find(span, format!("`{name}` runs in every round"));
    }
}

/// `.objects.get` of `Model.objects.filter(…).get`.
fn chain_name(file: &File<'_, '_>, id: formicary_syntax::ExprId) -> Option<String> {
    match file.unit.kind(id) {
        ExprKind::Attribute { name, .. } => Some(format!("….{name}")),
        _ => None,
    }
}

fn is_query(file: &File<'_, '_>, name: &str) -> bool {
    let (receiver, method) = name.rsplit_once('.').unwrap_or(("", name));
    let receiver = receiver.rsplit('.').next().unwrap_or(receiver);
    match file.language() {
        Language::Python => {
            let request = matches!(receiver, "requests" | "httpx" | "urllib" | "request")
                && matches!(method, "get" | "post" | "put" | "delete" | "urlopen" | "head" | "patch");
            let database =
                matches!(receiver, "cursor" | "cur" | "connection" | "conn" | "db") && method == "execute";
            let model = receiver == "objects" && matches!(method, "get" | "create" | "get_or_create");
            request || database || model
        }
        Language::JavaScript | Language::TypeScript => {
            name == "fetch"
                || receiver == "axios" && matches!(method, "get" | "post" | "put" | "delete")
                || matches!(method, "findOne" | "findById" | "findUnique")
        }
        Language::Java => matches!(method, "executeQuery" | "executeUpdate" | "findById" | "getForObject"),
        Language::Go => {
            receiver == "http" && matches!(method, "Get" | "Post")
                || matches!(receiver, "db" | "tx") && method.starts_with("Query")
        }
        _ => false,
    }
}
