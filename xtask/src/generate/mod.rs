//! `cargo xtask generate`: reference pages that are made from the code, committed, and verified by the tests.
//!
//! A family of artefacts is one file with a function that gives them; [`FAMILIES`] is where it is registered.

mod command_line;
mod exit_codes;
mod schema;
mod settings;

use crate::bench::publish;
use crate::tree::Tree;
use std::fs;
use std::path::Path;

/// One generated file.
pub struct Artefact {
    /// Path relative to the root.
    pub path: String,
    /// What stands in it.
    pub content: String,
}

/// Makes the artefacts of one family.
type Family = fn() -> Result<Vec<Artefact>, String>;

const FAMILIES: [Family; 5] = [
    schema::artefacts,
    settings::artefacts,
    exit_codes::artefacts,
    command_line::artefacts,
    publish::artefacts,
];

/// Where the reference pages are, those that people write among them.
const FOLDER: &str = "docs/reference";

/// Where everything is generated, so that what nothing generates any more is removed.
const GENERATED_ONLY: &str = "docs/reference/schema";

/// Whether to write the files or only to compare them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Write what differs.
    Write,
    /// Fail where something differs.
    Check,
}

fn all() -> Result<Vec<Artefact>, String> {
    let mut artefacts = Vec::new();
    for family in FAMILIES {
        artefacts.extend(family()?);
    }
    Ok(artefacts)
}

/// Writes or verifies all artefacts.
pub fn command(mode: Mode) -> Result<(), String> {
    let root = Tree::root();
    let artefacts = all()?;
    let stale: Vec<&Artefact> = artefacts
        .iter()
        .filter(|artefact| {
            fs::read_to_string(root.join(&artefact.path)).ok().as_ref() != Some(&artefact.content)
        })
        .collect();
    let orphans = orphans(&root, &artefacts)?;
    match mode {
        Mode::Check => {
            for path in
                stale.iter().map(|artefact| artefact.path.as_str()).chain(orphans.iter().map(String::as_str))
            {
                println!("{path}: differs from what the code says; run `cargo xtask generate`");
            }
            println!("generate: {} artefacts, {} stale", artefacts.len(), stale.len() + orphans.len());
            if stale.is_empty() && orphans.is_empty() {
                Ok(())
            } else {
                Err("generated files are stale".into())
            }
        }
        Mode::Write => {
            for artefact in stale {
                write(&root.join(&artefact.path), &artefact.content)?;
                println!("wrote {}", artefact.path);
            }
            for path in orphans {
                fs::remove_file(root.join(&path)).map_err(|error| format!("{path}: {error}"))?;
                println!("removed {path}");
            }
            Ok(())
        }
    }
}

fn write(path: &Path, content: &str) -> Result<(), String> {
    let folder = path.parent().ok_or("no folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Files that nothing generates any more.
fn orphans(root: &Path, artefacts: &[Artefact]) -> Result<Vec<String>, String> {
    let prefix = format!("{GENERATED_ONLY}/");
    let tree = Tree::read(root)?;
    let known = |path: &str| artefacts.iter().any(|artefact| artefact.path == path);
    let paths = tree.files.into_iter().map(|file| file.path);
    Ok(paths.filter(|path| path.starts_with(&prefix) && !known(path)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_fresh() {
        command(Mode::Check).unwrap();
    }

    #[test]
    fn artefacts_are_reference_pages_or_benchmarks() {
        for artefact in all().unwrap() {
            let known = artefact.path.starts_with(FOLDER) || artefact.path == publish::PAGE;
            assert!(known, "{}", artefact.path);
            assert!(artefact.content.ends_with('\n'), "{}", artefact.path);
        }
    }
}
