//! A handler behind one that takes everything it could.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::StmtKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unreachable-except",
    title: "A handler that an earlier one makes unreachable",
    why: "Handlers are tried in order: the broader one before takes everything.",
    suggestion: "Put the narrower handler first.",
    severity: Severity::High,
    cwe: Some(561),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "try:\n    f()\nexcept Exception:\n    g()\nexcept ValueError:\n    h()\n",
        "try:\n    f()\nexcept ValueError:\n    h()\nexcept Exception:\n    g()\n",
    )],
    ..Info::LINT
};

/// What comes below what, of the exceptions that are built in.
const BELOW: &[(&str, &[&str])] = &[
    (
        "OSError",
        &[
            "FileNotFoundError",
            "PermissionError",
            "FileExistsError",
            "ConnectionError",
            "TimeoutError",
            "IOError",
            "IsADirectoryError",
            "NotADirectoryError",
            "BlockingIOError",
        ],
    ),
    (
        "IOError",
        &[
            "FileNotFoundError",
            "PermissionError",
            "FileExistsError",
            "ConnectionError",
            "TimeoutError",
            "OSError",
        ],
    ),
    ("LookupError", &["KeyError", "IndexError"]),
    ("ValueError", &["UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError"]),
    ("ImportError", &["ModuleNotFoundError"]),
    ("ArithmeticError", &["ZeroDivisionError", "OverflowError"]),
    ("RuntimeError", &["NotImplementedError", "RecursionError"]),
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Try { handlers, .. } = &stmt.kind else { continue };
        let mut seen: Vec<&str> = Vec::new();
        for handler in handlers {
            let names: Vec<&str> = handler.types.iter().filter_map(|kind| unit.name_of(*kind)).collect();
            let all_taken = !names.is_empty()
                && names.len() == handler.types.len()
                && names.iter().all(|name| seen.iter().any(|earlier| takes(earlier, name)));
            if all_taken {
                report.find(handler.span, format!("an earlier handler takes `{}`", names.join("`, `")));
            }
            seen.extend(names);
        }
    }
}

fn takes(earlier: &str, name: &str) -> bool {
    let system = matches!(
        name,
        "KeyboardInterrupt" | "SystemExit" | "GeneratorExit" | "BaseException" | "CancelledError"
    );
    let builtin = name.ends_with("Error") || name == "Exception" || name == "StopIteration";
    match earlier {
        "BaseException" => true,
        "Exception" => builtin && !system,
        _ => earlier == name || BELOW.iter().any(|(above, below)| *above == earlier && below.contains(&name)),
    }
}
