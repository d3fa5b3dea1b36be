//! A name that nothing defines.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprKind, Span, StmtKind};
use rustc_hash::FxHashSet;

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
        "import b\ndef f(a):\n    global c\n    c = __file__\n    return b, c, [d for d in a], __class__, WindowsError\ntry:\n    unicode\nexcept NameError:\n    pass\ndef g(h):\n    return unicode(h)\n",
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
    let open = tried(file, &["", "NameError", "Exception", "BaseException"]);
    // A name that is asked for under `except NameError` anywhere is one that may be missing on purpose.
    let asked = tried(file, &["NameError"]);
    let unresolved = || file.scopes.unresolved.iter().map(|(id, _)| *id);
    let expected: FxHashSet<&str> = unresolved()
        .filter(|id| within(&asked, unit.expr(*id).span))
        .filter_map(|id| unit.name_of(id))
        .collect();
    for (id, _) in &file.scopes.unresolved {
        let ExprKind::Name(name) = unit.kind(*id) else { continue };
        if !BUILTINS.contains(name)
            && !expected.contains(name)
            && !guarded(name, file)
            && !within(&open, unit.expr(*id).span)
        {
            report.find(unit.expr(*id).span, format!("nothing defines `{name}`"));
        }
    }
}

/// Whether the name is the interpreter's own, or one of a class's body, which other code reaches by ways of its own.
fn guarded(name: &str, file: &File<'_, '_>) -> bool {
    name.starts_with("__") && name.ends_with("__")
        || file.scopes.scopes.iter().any(|scope| {
            matches!(scope.kind, formicary_syntax::scopes::ScopeKind::Class(_)) && scope.get(name).is_some()
        })
}

/// The statements that catch one of these, one after the other; the empty name is a handler for everything.
fn tried(file: &File<'_, '_>, caught: &[&str]) -> Vec<Span> {
    let unit = file.unit;
    let catches = |kind: &formicary_syntax::ExprId| {
        let mut named = false;
        unit.walk_expr(*kind, Nested::Skip, &mut |step| {
            if let Step::Expr(id) = step {
                named |= unit.last_name(id).is_some_and(|name| caught.contains(&name));
            }
        });
        named
    };
    let mut spans: Vec<Span> = unit
        .stmts()
        .filter_map(|(_, stmt)| match &stmt.kind {
            StmtKind::Try { handlers, .. } => handlers
                .iter()
                .any(|handler| {
                    handler.types.is_empty() && caught.contains(&"") || handler.types.iter().any(catches)
                })
                .then_some(stmt.span),
            _ => None,
        })
        .collect();
    spans.sort_unstable();
    // What lies inside another adds nothing; what is left can be searched by halves.
    let mut end = 0;
    spans.retain(|span| {
        let outer = span.end > end;
        end = end.max(span.end);
        outer
    });
    spans
}

fn within(spans: &[Span], place: Span) -> bool {
    let after = spans.partition_point(|span| span.start <= place.start);
    after.checked_sub(1).is_some_and(|at| spans[at].contains(place))
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
