//! A name that nothing defines.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::ExprKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "undefined-name",
    title: "A name that nothing defines",
    why: "It raises a NameError when it is reached.",
    suggestion: "Define or import it, or correct its spelling.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(457),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "def f(a):\n    return b\n",
        "import b\ndef f(a):\n    global c\n    c = __file__\n    return b, c, [d for d in a], __class__, WindowsError\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    // Star imports, `exec`, `globals()` and broken parts may define anything.
    let injected = file.scopes.dynamic
        || !unit.notes.is_empty()
        || file.is_stub()
        || [
            "globals()",
            "vars()",
            "global_enum",
            "_convert_",
            "sys.modules[__name__]",
            "__builtins__",
            "builtins.",
        ]
        .iter()
        .any(|word| unit.source.contains(word));
    if injected {
        return;
    }
    for (id, _) in &file.scopes.unresolved {
        let ExprKind::Name(name) = unit.kind(*id) else { continue };
        if !BUILTINS.contains(name) && !guarded(file, *id, name) {
            report.find(unit.expr(*id).span, format!("nothing defines `{name}`"));
        }
    }
}

/// Whether a NameError is what the code expects, or the name is deleted or tested elsewhere.
fn guarded(file: &File<'_, '_>, id: formicary_syntax::ExprId, name: &str) -> bool {
    let unit = file.unit;
    let span = unit.expr(id).span;
    let tried = unit.stmts().any(|(_, stmt)| match &stmt.kind {
        formicary_syntax::StmtKind::Try { handlers, .. } => {
            stmt.span.contains(span)
                && handlers.iter().any(|handler| {
                    handler.types.is_empty()
                        || handler.types.iter().any(|kind| {
                            matches!(unit.last_name(*kind), Some("NameError" | "Exception" | "BaseException"))
                        })
                })
        }
        _ => false,
    });
    tried
        || name.starts_with("__") && name.ends_with("__")
        || file.scopes.scopes.iter().any(|scope| {
            matches!(scope.kind, formicary_syntax::scopes::ScopeKind::Class(_)) && scope.get(name).is_some()
        })
}

const BUILTINS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "False",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "None",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "PythonFinalizationError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "True",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "WindowsError",
    "ZeroDivisionError",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "compile",
    "complex",
    "copyright",
    "credits",
    "delattr",
    "dict",
    "dir",
    "divmod",
    "enumerate",
    "eval",
    "exec",
    "exit",
    "filter",
    "float",
    "format",
    "frozenset",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
    "_",
    "reveal_type",
];
