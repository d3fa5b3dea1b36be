//! An exception that is caught and forgotten.

use super::super::questions::comment_within;
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{ExprKind, Literal, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "swallowed-exception",
    title: "Every exception is caught and forgotten",
    why: "Faults vanish without a trace, those of the programmer included; what follows works on broken state.",
    suggestion: "Catch what is expected, and log, re-raise or explain in a comment.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(391),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Java, Language::Cpp],
    examples: &[
        (
            Language::Python,
            "try:\n    f()\nexcept Exception:\n    pass\n",
            "try:\n    f()\nexcept KeyError:\n    pass\n",
        ),
        (Language::JavaScript, "try { f() } catch (e) {}", "try { f() } catch (e) { /* f is optional */ }"),
        (
            Language::Java,
            "class A { void f() { try { g(); } catch (Exception e) { } } }",
            "class A { void f() { try { g(); } catch (Exception e) { log(e); } } }",
        ),
        (
            Language::Cpp,
            "void f() { try { g(); } catch (...) { } }",
            "void f() { try { g(); } catch (...) { log(); } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Try { handlers, .. } = &stmt.kind else { continue };
        for handler in handlers {
            let broad = match file.language() {
                Language::JavaScript | Language::TypeScript => true,
                _ => {
                    handler.types.is_empty()
                        || handler.types.iter().any(|kind| {
                            matches!(
                                unit.last_name(*kind),
                                Some("Exception" | "BaseException" | "Throwable" | "exception")
                            )
                        })
                }
            };
            let silent = handler.body.iter().all(|id| match &unit.stmt(*id).kind {
                StmtKind::Pass => true,
                StmtKind::Expression(value) => {
                    matches!(unit.kind(*value), ExprKind::Literal(Literal::Ellipsis))
                }
                _ => false,
            });
            // The comment may stand on the line of the last word.
            let line_end = unit.lines.start(unit.lines.line(handler.span.end) + 1).max(handler.span.end);
            let named_so =
                handler.name.is_some_and(|name| name.contains("ignore") || name == "expected" || name == "_");
            if broad && silent && !named_so && !comment_within(unit, handler.span.start, line_end) {
                report.find(handler.span, "every exception is caught here and forgotten");
            }
        }
    }
}
