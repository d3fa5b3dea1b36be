//! The repository index through the façade.

use super::place::{self, invalid};
use crate::facade::Platform;
use formicary_model::patterns::{Call, Dependency, Reference, Symbol};
use formicary_model::{Failure, suggest};
use formicary_patterns::RepositoryIndex;
use formicary_review::engine::Watch;
use std::path::{Path, PathBuf};

/// Which project is indexed.
#[derive(Debug, Clone, Default)]
pub struct IndexOptions {
    /// Where the user stands; relative paths start there.
    pub working_folder: PathBuf,
    /// The project or parts of it; empty for where the user stands.
    pub paths: Vec<PathBuf>,
}

impl Platform {
    /// The index of a project.
    pub fn index(&self, options: &IndexOptions, watch: Watch<'_>) -> Result<RepositoryIndex, Failure> {
        let place = place::read(&options.working_folder, &options.paths, watch)?;
        Ok(RepositoryIndex::new(&place.sources))
    }

    /// Symbols by name and kind; with `references`, each with the places that name it.
    pub fn symbols(
        &self,
        index: &RepositoryIndex,
        name: Option<&str>,
        kind: Option<&str>,
        references: bool,
    ) -> Result<Vec<(Symbol, Vec<Reference>)>, Failure> {
        let kind = kind.map(symbol_kind).transpose()?;
        let found = index.symbols(name, kind);
        if let (true, Some(name)) = (found.is_empty(), name) {
            return Err(unknown(index, name));
        }
        let with = |symbol: &Symbol| {
            let places = if references { index.references(symbol) } else { Vec::new() };
            (symbol.clone(), places)
        };
        Ok(found.into_iter().map(with).collect())
    }

    /// Who calls a function.
    pub fn callers(
        &self,
        index: &RepositoryIndex,
        name: &str,
        depth: usize,
        certain: bool,
    ) -> Result<Vec<Call>, Failure> {
        if index.knows(name) { Ok(index.callers(name, depth, certain)) } else { Err(unknown(index, name)) }
    }

    /// Whom a function calls.
    pub fn callees(
        &self,
        index: &RepositoryIndex,
        name: &str,
        depth: usize,
        certain: bool,
    ) -> Result<Vec<Call>, Failure> {
        if index.knows(name) { Ok(index.callees(name, depth, certain)) } else { Err(unknown(index, name)) }
    }

    /// Which file needs which; of one file or folder, or of those that need it.
    pub fn dependencies(
        &self,
        index: &RepositoryIndex,
        options: &IndexOptions,
        file: Option<(&Path, bool)>,
        external: bool,
    ) -> Result<Vec<Dependency>, Failure> {
        let mut found = index.dependencies();
        found.retain(|one| external || one.internal);
        let Some((file, reverse)) = file else { return Ok(found) };
        let root = place::root(&options.working_folder, &options.paths)?;
        let full =
            options.working_folder.join(file).canonicalize().map_err(|error| {
                invalid(format!("{}: {error}", file.display()), "name a file of the project")
            })?;
        let path = full.strip_prefix(&root).unwrap_or(&full).to_string_lossy().into_owned();
        let folder = if path.is_empty() { String::new() } else { format!("{path}/") };
        let meant = |one: &str| one == path || full.is_dir() && one.starts_with(&folder);
        found.retain(|one| if reverse { meant(&one.to) } else { meant(&one.from) });
        Ok(found)
    }
}

fn symbol_kind(word: &str) -> Result<formicary_model::patterns::SymbolKind, Failure> {
    use formicary_model::patterns::SymbolKind as Kind;
    let all = [
        Kind::Function,
        Kind::Method,
        Kind::Class,
        Kind::Interface,
        Kind::Enum,
        Kind::Module,
        Kind::Alias,
        Kind::Variable,
    ];
    all.into_iter().find(|kind| kind.word() == word).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|kind| kind.word()).collect();
        invalid(format!("unknown kind {word}"), format!("known: {}", known.join(", ")))
    })
}

fn unknown(index: &RepositoryIndex, name: &str) -> Failure {
    let last = name.rsplit('.').next().unwrap_or(name);
    let hint = match suggest::nearest(last, index.names()) {
        Some(near) => format!("did you mean {near}?"),
        None => "`formicary symbols` lists what there is".into(),
    };
    invalid(format!("nothing is called {name}"), hint)
}
