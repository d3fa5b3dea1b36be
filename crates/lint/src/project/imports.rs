//! Imports that nothing in their own file reads, but that another file reaches through it.
//!
//! A file alone cannot know: `from .compat import cookielib` makes the import in `compat.py` part of what that module
//! offers. Removing it breaks the other file at its next start.

use super::facts::{FileFacts, ImportFact, number};
use super::graph::{Index, module_names};
use crate::rules::dead::unused_import::NAME as UNUSED_IMPORT;
use crate::run::FileAnalysis;
use formicary_model::Language;
use formicary_model::review::{Finding, FixSafety};
use rustc_hash::{FxHashMap, FxHashSet};

/// What other files do with the names of one module.
#[derive(Default)]
struct Uses {
    /// Names that an import takes out of it.
    names: FxHashSet<String>,
    /// Files that hold the module itself or all its names: any word of theirs may be one of them.
    holders: Vec<usize>,
}

/// Drops findings on imports that another file takes by name, and withdraws the promise of safety from fixes that
/// cannot be judged: a file that holds the whole module mentions the name.
pub fn settle(files: &mut [FileAnalysis]) {
    let concerned = |file: &FileAnalysis| {
        shares_imports(file.facts.language)
            && file.findings.iter().any(|finding| finding.rule == UNUSED_IMPORT)
    };
    if !files.iter().any(concerned) {
        return;
    }
    let uses = uses(files);
    let none = Uses::default();
    let mut kept: Vec<(usize, Vec<Finding>)> = Vec::new();
    for (at, file) in files.iter().enumerate().filter(|(_, file)| concerned(file)) {
        let uses = uses.get(&at).unwrap_or(&none);
        let findings = file.findings.iter().filter_map(|finding| {
            let Some(local) = unread(&file.facts, finding) else { return Some(finding.clone()) };
            if uses.names.contains(local) {
                return None;
            }
            let word = number(local);
            let reached = uses.holders.iter().any(|holder| mentions(&files[*holder].facts, word));
            let mut finding = finding.clone();
            if reached && let Some(fix) = &mut finding.fix {
                fix.safety = FixSafety::Unsafe;
            }
            Some(finding)
        });
        kept.push((at, findings.collect()));
    }
    for (at, findings) in kept {
        files[at].findings = findings;
    }
}

/// Whether an import of a file can be reached by others without being written as an export. Script modules export
/// by a word of their own, Java never does.
fn shares_imports(language: Language) -> bool {
    matches!(language, Language::Python | Language::Rust)
}

/// The name that a finding on an unread import of the file's top speaks of.
fn unread<'f>(facts: &'f FileFacts, finding: &Finding) -> Option<&'f str> {
    if finding.rule != UNUSED_IMPORT {
        return None;
    }
    let found = facts.unread.iter().find(|(start, _)| *start == finding.span.start_byte);
    found.map(|(_, local)| local.as_str())
}

/// `import a.b`, `from a import b` where b is the module, `from a import *`.
fn holds_module(import: &ImportFact, module: &str) -> bool {
    let is_module = |name: &String| {
        name == "*"
            || module == name
            || module.strip_suffix(name.as_str()).is_some_and(|rest| rest.ends_with('.'))
    };
    import.names.is_empty() || import.names.iter().any(is_module)
}

fn mentions(facts: &FileFacts, word: u64) -> bool {
    facts.words.binary_search(&word).is_ok()
}

fn uses(files: &[FileAnalysis]) -> FxHashMap<usize, Uses> {
    let names = module_names(files);
    let index = Index::new(files, &names);
    let mut uses: FxHashMap<usize, Uses> = FxHashMap::default();
    for (from, file) in files.iter().enumerate().filter(|(_, file)| shares_imports(file.facts.language)) {
        for import in &file.facts.imports {
            for to in index.resolve(&file.facts, import).into_iter().filter(|to| *to != from) {
                let uses = uses.entry(to).or_default();
                uses.names.extend(import.names.iter().cloned());
                if file.facts.language == Language::Rust || holds_module(import, &names[to]) {
                    uses.holders.push(from);
                }
            }
        }
        // A Rust module sees what its parent imports, by `super::name` anywhere in its code.
        if file.facts.language == Language::Rust
            && let Some(parent) = index.rust_parent(&file.facts)
            && parent != from
        {
            uses.entry(parent).or_default().holders.push(from);
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::UNUSED_IMPORT;
    use crate::{Options, SourceFile, analyze};
    use formicary_model::review::FixSafety;

    /// The unread imports that are reported, each with the safety of its fix.
    fn unused(files: &[(&str, &str)]) -> Vec<(String, u32, Option<FixSafety>)> {
        let files: Vec<SourceFile> = files.iter().map(|(path, text)| SourceFile::new(*path, *text)).collect();
        let found = analyze(&files, &Options::default(), None, None);
        let findings = found.files.iter().flat_map(|file| &file.findings);
        let unused = findings.filter(|finding| finding.rule == UNUSED_IMPORT);
        unused
            .map(|one| (one.file.clone(), one.span.start_line, one.fix.as_ref().map(|fix| fix.safety)))
            .collect()
    }

    const COMPAT: &str = "import json\nimport zlib\n\n\ndef f():\n    return 1\n";

    #[test]
    fn an_import_that_another_file_takes_by_name_is_used() {
        let found = unused(&[
            ("pkg/__init__.py", ""),
            ("pkg/compat.py", COMPAT),
            ("pkg/models.py", "from .compat import json\n\n\ndef g():\n    return json.dumps(1)\n"),
        ]);
        assert_eq!(found, [("pkg/compat.py".to_owned(), 2, Some(FixSafety::Safe))]);
    }

    #[test]
    fn a_name_that_a_holder_of_the_module_mentions_is_no_safe_fix() {
        for import in ["from pkg import compat", "import pkg.compat as compat", "from pkg.compat import *"] {
            let user = format!("{import}\n\n\ndef g():\n    return compat.zlib.crc32(b'')\n");
            let found =
                unused(&[("pkg/__init__.py", ""), ("pkg/compat.py", COMPAT), ("pkg/models.py", &user)]);
            let safeties: Vec<_> =
                found.iter().filter(|one| one.0 == "pkg/compat.py").map(|one| one.2).collect();
            assert_eq!(safeties, [Some(FixSafety::Safe), Some(FixSafety::Unsafe)], "{import}");
        }
    }

    #[test]
    fn a_child_module_reaches_what_its_parent_imports() {
        let found = unused(&[
            ("src/lib.rs", "mod child;\nuse std::fmt;\nuse std::mem;\n\npub fn f() {}\n"),
            ("src/child.rs", "pub fn g(a: super::fmt::Error) -> String {\n    a.to_string()\n}\n"),
        ]);
        let by_line: Vec<_> = found.iter().map(|one| (one.1, one.2)).collect();
        assert_eq!(by_line, [(2, Some(FixSafety::Unsafe)), (3, Some(FixSafety::Safe))]);
    }
}
