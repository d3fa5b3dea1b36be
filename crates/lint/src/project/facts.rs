//! What the project's analyses need of a file: small, owned, and fit to be kept.

use crate::file::File;
use crate::metrics::is_abstract;
use formicary_model::Language;
use formicary_model::review::Span;
use formicary_syntax::scopes::{Binding, BindingKind, words};
use formicary_syntax::unit::ImportKind;
use formicary_syntax::{ClassKind, Dialect, Owner};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// What one file tells the project.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FileFacts {
    /// The file, relative to the project.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Java's and Go's package.
    pub package: Option<String>,
    /// What it imports.
    pub imports: Vec<ImportFact>,
    /// Imports of its top that it does not read itself: where the name stands, and the name that it binds.
    pub unread: Vec<(u32, String)>,
    /// Its classes.
    pub classes: Vec<ClassFact>,
    /// Functions and classes that somebody else should name.
    pub definitions: Vec<DefinitionFact>,
    /// Words that the file mentions, other than by defining them.
    #[serde(with = "super::packed")]
    pub words: Vec<u64>,
    /// Whether it is run by itself: a script, a test, a package's front, an entry.
    pub entry: bool,
}

/// One import.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImportFact {
    /// As it is written.
    pub module: String,
    /// Python's leading dots.
    pub level: u32,
    /// The names.
    pub names: Vec<String>,
    /// The line.
    pub line: u32,
    /// Rust's `mod x;`.
    pub submodule: bool,
    /// Whether it counts for cycles: at the top of the file, and for more than types.
    pub at_load: bool,
}

/// One class.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClassFact {
    /// Its name.
    pub name: String,
    /// What it extends, by the last word.
    pub bases: Vec<String>,
    /// Whether it cannot be made.
    pub is_abstract: bool,
}

/// A function or class that somebody else should name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DefinitionFact {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Whether it is a class.
    pub class: bool,
    /// Whether its name says that it is private.
    pub private: bool,
}

/// A word as a number: facts of big projects stay small.
pub(super) fn number(word: &str) -> u64 {
    // FNV-1a: the same on every machine, unlike the standard library's hashers.
    word.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The facts of one file.
pub(crate) fn facts_of(file: &File<'_, '_>) -> FileFacts {
    let unit = file.unit;
    let imports = unit.imports.iter().map(|import| ImportFact {
        module: import.module.to_owned(),
        level: import.level,
        names: import.names.iter().map(|name| name.name.to_owned()).collect(),
        line: unit.lines.line(import.span.start),
        submodule: import.kind == ImportKind::Submodule,
        at_load: import.function.is_none() && !import.types_only && !type_checking(file, import.span),
    });
    let classes = unit.classes().filter(|(_, class)| {
        !matches!(class.kind, ClassKind::Module | ClassKind::Alias | ClassKind::Implementation)
            && !class.name.is_empty()
    });
    let definitions = definitions(file);
    FileFacts {
        path: file.path.to_owned(),
        language: file.language(),
        package: unit.package.map(str::to_owned),
        imports: imports.collect(),
        unread: unread(file),
        classes: classes
            .map(|(id, class)| ClassFact {
                name: class.name.to_owned(),
                bases: class
                    .bases
                    .iter()
                    .filter_map(|base| unit.last_name(*base))
                    .map(str::to_owned)
                    .collect(),
                is_abstract: is_abstract(unit, id),
            })
            .collect(),
        words: mentioned(file, &definitions),
        definitions,
        entry: is_entry(file),
    }
}

fn unread(file: &File<'_, '_>) -> Vec<(u32, String)> {
    let bindings = file.scopes.scopes.iter().flat_map(|scope| &scope.bindings);
    let name = |binding: &Binding<'_>| {
        let BindingKind::Import(id, at) = binding.kind else { return None };
        let import = file.unit.import(id);
        let name = &import.names[at];
        (import.function.is_none()).then(|| (name.span.start, name.local.to_owned()))
    };
    bindings.filter_map(name).collect()
}

/// `if TYPE_CHECKING:` imports for types alone.
fn type_checking(file: &File<'_, '_>, span: formicary_syntax::Span) -> bool {
    file.unit.body.iter().any(|id| match &file.unit.stmt(*id).kind {
        formicary_syntax::StmtKind::If { test, .. } => {
            file.unit.stmt(*id).span.contains(span) && file.unit.last_name(*test) == Some("TYPE_CHECKING")
        }
        _ => false,
    })
}

fn is_entry(file: &File<'_, '_>) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or(file.path);
    let stem = name.split('.').next().unwrap_or(name);
    file.is_test()
        || file.unit.source.starts_with("#!")
        || file.unit.source.contains("__main__")
        || matches!(
            stem,
            "__init__"
                | "__main__"
                | "main"
                | "index"
                | "lib"
                | "mod"
                | "setup"
                | "conftest"
                | "manage"
                | "build"
                | "wsgi"
                | "asgi"
                | "settings"
                | "urls"
                | "admin"
                | "apps"
                | "config"
                | "conf"
        )
        || name.contains(".config.")
        || file.path.split('/').any(|part| {
            matches!(part, "bin" | "scripts" | "examples" | "docs" | "migrations" | "benches" | "management")
        })
}

/// Functions and classes of the file's top that nothing but other code can need.
fn definitions(file: &File<'_, '_>) -> Vec<DefinitionFact> {
    let unit = file.unit;
    let known = matches!(unit.dialect, Dialect::Python | Dialect::Go | Dialect::Rust | Dialect::Bash);
    if !known || file.is_test() || file.is_stub() || !unit.notes.is_empty() {
        return Vec::new();
    }
    // Go's linker calls these by name.
    if unit.source.contains("go:linkname") {
        return Vec::new();
    }
    // A shell file without a first line is there to be sourced by others.
    if unit.dialect == Dialect::Bash && !unit.source.starts_with("#!") {
        return Vec::new();
    }
    let functions = unit.functions.iter().filter(|function| {
        let named_by_frame = function.name.starts_with("__")
            || function.name.starts_with("test")
            || function.name.starts_with("Test")
            || function.name.starts_with("visit_")
            || function.name.starts_with("do_")
            || function.name.starts_with("handle_")
            || function.name.starts_with("cmd_")
            || matches!(function.name, "main" | "init" | "setup" | "teardown" | "usage");
        let public_api =
            unit.dialect == Dialect::Rust && function.modifiers.public || function.modifiers.external;
        function.owner == Owner::File
            && function.receiver.is_none()
            && function.decorators.is_empty()
            && !function.lambda
            && function.has_body
            && !named_by_frame
            && !public_api
            && !(unit.dialect == Dialect::Go && function.modifiers.public)
    });
    let classes = unit.classes.iter().filter(|class| {
        class.owner == Owner::File
            && class.decorators.is_empty()
            // What extends something may be found by a frame through its base.
            && class.bases.is_empty()
            && matches!(class.kind, ClassKind::Class | ClassKind::Struct | ClassKind::Interface)
            && !(matches!(unit.dialect, Dialect::Rust | Dialect::Go) && class.modifiers.public)
            && !class.name.is_empty()
            && !class.name.starts_with("Test")
    });
    let fact = |name: &str, span, class, private| DefinitionFact {
        name: name.to_owned(),
        span: file.place(span),
        class,
        private,
    };
    functions
        .map(|one| fact(one.name, one.name_span, false, one.modifiers.private))
        .chain(classes.map(|one| fact(one.name, one.name_span, true, one.modifiers.private)))
        .collect()
}

/// The words of the file; a name that is only defined here, and mentioned no second time, does not count.
fn mentioned(file: &File<'_, '_>, definitions: &[DefinitionFact]) -> Vec<u64> {
    let unit = file.unit;
    let mut own: FxHashMap<&str, u32> = definitions.iter().map(|one| (one.name.as_str(), 0)).collect();
    let mut found: FxHashSet<u64> = FxHashSet::default();
    let mut at = 0;
    let comments = unit
        .comments
        .iter()
        .map(|comment| comment.span)
        .chain([formicary_syntax::Span { start: unit.source.len() as u32, end: unit.source.len() as u32 }]);
    for comment in comments {
        let code = unit.text(formicary_syntax::Span { start: at, end: comment.start.max(at) });
        for word in words(code) {
            match own.get_mut(word) {
                Some(count) => *count += 1,
                None => {
                    found.insert(number(word));
                }
            }
        }
        at = comment.end;
    }
    let defined: FxHashMap<&str, u32> = definitions.iter().fold(FxHashMap::default(), |mut counts, one| {
        *counts.entry(one.name.as_str()).or_insert(0) += 1;
        counts
    });
    found.extend(
        own.iter()
            .filter(|(name, count)| **count > defined.get(*name).copied().unwrap_or(0))
            .map(|(name, _)| number(name)),
    );
    let mut found: Vec<u64> = found.into_iter().collect();
    found.sort_unstable();
    found
}
