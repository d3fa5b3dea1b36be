//! Memory that is used after it was given back.

use super::super::questions::call;
use crate::file::{File, Report};
use crate::rules::{Info, NATIVE, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprKind, Operator, StmtId, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "use-after-free",
    title: "Memory is used after it was freed",
    why: "It may hold anything by then; a second free corrupts the heap.",
    suggestion: "Free last, and set the pointer to NULL.",
    severity: Severity::Critical,
    confidence: Confidence::Medium,
    cwe: Some(416),
    languages: NATIVE,
    examples: &[
        (
            Language::C,
            "void f(char *p) { free(p); g(p); }",
            "void f(char *p) { g(p); free(p); p = NULL; g(p); }",
        ),
        (Language::Cpp, "void f(A *p) { delete p; p->g(); }", "void f(A *p) { p->g(); delete p; }"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    // Only within one block, where nothing lies between: what branches do is another matter.
    let mut blocks: Vec<&[StmtId]> = unit.functions.iter().map(|function| function.body.as_slice()).collect();
    for (_, stmt) in unit.stmts() {
        match &stmt.kind {
            StmtKind::Block(body) | StmtKind::Loop { body, .. } => blocks.push(body),
            StmtKind::If { then, otherwise, .. } => {
                blocks.push(then);
                blocks.push(otherwise);
            }
            StmtKind::Switch { arms, .. } => blocks.extend(arms.iter().map(|arm| arm.body.as_slice())),
            _ => {}
        }
    }
    for block in blocks {
        for (at, id) in block.iter().enumerate() {
            let Some(name) = freed(file, *id) else { continue };
            for later in &block[at + 1..] {
                match touch(file, *later, name) {
                    Touch::No => {}
                    Touch::Writes => break,
                    Touch::Reads(span) => {
                        report.find(span, format!("`{name}` was freed before"));
                        break;
                    }
                }
            }
        }
    }
}

fn freed<'a>(file: &File<'_, 'a>, id: StmtId) -> Option<&'a str> {
    let unit = file.unit;
    let StmtKind::Expression(value) = unit.stmt(id).kind else { return None };
    match unit.kind(value) {
        ExprKind::Unary { operator: Operator::Delete, operand } => unit.name_of(*operand),
        ExprKind::Call { .. } => match call(unit, value)? {
            (name, [only]) if name == "free" => unit.name_of(only.value),
            _ => None,
        },
        _ => None,
    }
}

enum Touch {
    No,
    Writes,
    Reads(formicary_syntax::Span),
}

fn touch(file: &File<'_, '_>, id: StmtId, name: &str) -> Touch {
    let unit = file.unit;
    match &unit.stmt(id).kind {
        StmtKind::Assign { targets, .. }
            if targets.iter().any(|target| unit.name_of(*target) == Some(name)) =>
        {
            return Touch::Writes;
        }
        StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Preprocessor(_) | StmtKind::Label { .. } => {
            return Touch::Writes;
        }
        _ => {}
    }
    let (mut read, mut written) = (None, false);
    unit.walk(&[id], Nested::Skip, &mut |step| match step {
        Step::Expr(expr) => match unit.kind(expr) {
            ExprKind::Name(found) if *found == name => {
                read.get_or_insert(unit.expr(expr).span);
            }
            ExprKind::Assign { target, .. } => written |= unit.name_of(*target) == Some(name),
            ExprKind::Unary { operator: Operator::AddressOf, operand } => {
                written |= unit.name_of(*operand) == Some(name)
            }
            _ => {}
        },
        Step::Stmt(stmt) => {
            if let StmtKind::Assign { targets, .. } = &unit.stmt(stmt).kind {
                written |= targets.iter().any(|target| unit.name_of(*target) == Some(name));
            }
        }
    });
    match read {
        _ if written => Touch::Writes,
        Some(span) => Touch::Reads(span),
        None => Touch::No,
    }
}
