//! What can be asked of the index, with paths as whoever asks opens them.

use super::{Package, RepositoryIndex};
use crate::named::invalid;
use crate::source::Source;
use formicary_files::{Root, Viewpoint};
use formicary_model::patterns::{
    CallList, CallsInput, DependenciesInput, Dependency, DependencyList, FoundSymbol, Side, Symbol,
    SymbolList, SymbolsInput,
};
use formicary_model::{Failure, suggest};
use std::path::{Path, PathBuf};

/// A larger manifest is none.
const MOST_MANIFEST_BYTES: u64 = 1 << 20;

/// The index of a project, for one who stands in a directory.
#[derive(Debug)]
pub struct IndexedProject {
    index: RepositoryIndex,
    root: PathBuf,
    viewpoint: Viewpoint,
}

impl IndexedProject {
    /// The index of these files of the project at `root`.
    pub fn new(root: PathBuf, sources: &[Source], viewpoint: Viewpoint) -> Self {
        let index = RepositoryIndex::new(sources, &packages(&root, sources));
        Self { index, root, viewpoint }
    }

    /// What is defined, and where it is named.
    pub fn symbols(&self, input: &SymbolsInput) -> Result<SymbolList, Failure> {
        let found = self.index.symbols(input.name.as_deref(), input.kind);
        if let (true, Some(name)) = (found.is_empty(), &input.name) {
            return Err(self.unknown(name));
        }
        let with = |symbol: &Symbol| {
            let mut references = if input.references { self.index.references(symbol) } else { Vec::new() };
            references.iter_mut().for_each(|one| self.viewpoint.rewrite(&mut one.file));
            let symbol = Symbol { file: self.viewpoint.path(&symbol.file), ..symbol.clone() };
            FoundSymbol { symbol, references }
        };
        Ok(SymbolList { items: found.into_iter().map(with).collect() })
    }

    /// Who calls a function, or whom it calls.
    pub fn calls(&self, input: &CallsInput) -> Result<CallList, Failure> {
        if !self.index.knows(&input.name) {
            return Err(self.unknown(&input.name));
        }
        let depth = input.depth.count();
        let mut items = match input.side {
            Side::Callers => self.index.callers(&input.name, depth, input.certain),
            Side::Callees => self.index.callees(&input.name, depth, input.certain),
        };
        let files =
            items.iter_mut().flat_map(|call| std::iter::once(&mut call.file).chain(&mut call.callee_file));
        files.for_each(|file| self.viewpoint.rewrite(file));
        Ok(CallList { items })
    }

    /// Which file needs which. A file that is named is looked up below the directory.
    pub fn dependencies(
        &self,
        directory: &Path,
        input: &DependenciesInput,
    ) -> Result<DependencyList, Failure> {
        let mut items = self.index.dependencies();
        items.retain(|one| input.external || one.internal);
        if let Some(file) = &input.file {
            let full = directory
                .join(file)
                .canonicalize()
                .map_err(|error| invalid(format!("{file}: {error}"), "name a file of the project"))?;
            let path = full.strip_prefix(&self.root).unwrap_or(&full).to_string_lossy().into_owned();
            let below = if path.is_empty() { String::new() } else { format!("{path}/") };
            let meant = |one: &str| one == path || full.is_dir() && one.starts_with(&below);
            items.retain(|one| if input.reverse { meant(&one.to) } else { meant(&one.from) });
        }
        let seen = |mut one: Dependency| {
            self.viewpoint.rewrite(&mut one.from);
            if one.internal {
                self.viewpoint.rewrite(&mut one.to);
            }
            one
        };
        Ok(DependencyList { items: items.into_iter().map(seen).collect() })
    }

    fn unknown(&self, name: &str) -> Failure {
        let last = name.rsplit('.').next().unwrap_or(name);
        let hint = suggest::hint(last, self.index.names(), || "`formicary symbols` lists what there is");
        invalid(format!("nothing is called {name}"), hint)
    }
}

/// The libraries of Rust among the files, by the names that their manifests give them.
fn packages(root: &Path, sources: &[Source]) -> Vec<Package> {
    let Ok(root) = Root::open(root) else { return Vec::new() };
    let named = |source: &Source| {
        let directory = Path::new(source.path().strip_suffix("src/lib.rs")?);
        let text = root.read_to_string(&directory.join("Cargo.toml"), MOST_MANIFEST_BYTES).ok()?;
        let manifest: toml::Table = text.parse().ok()?;
        let name = |table: &str| manifest.get(table)?.get("name")?.as_str();
        let name = name("lib").or_else(|| name("package"))?.replace('-', "_");
        Some(Package { name, root: source.path().to_owned() })
    };
    sources.iter().filter_map(named).collect()
}
