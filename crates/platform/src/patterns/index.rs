//! The repository index through the façade.

use super::place::{self, invalid};
use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, Effect, UseCase};
use crate::workspace::Workspace;
use formicary_files::{Root, Viewpoint};
use formicary_model::patterns::{
    CallList, CallsInput, DependenciesInput, Dependency, DependencyList, FoundSymbol, Side, Symbol,
    SymbolList, SymbolsInput,
};
use formicary_model::use_case::Code;
use formicary_model::{Failure, suggest};
use formicary_search::index::Package;
use formicary_search::{RepositoryIndex, Source};
use std::path::{Path, PathBuf};

/// A larger manifest is none.
const MOST_MANIFEST_BYTES: u64 = 1 << 20;

/// Lists what is defined.
pub struct Symbols;

impl UseCase for Symbols {
    const NAME: &'static str = "symbols";
    const PATH: &'static str = "/v1/symbols";
    const ABOUT: &'static str = "List what is defined in code, and where it is named";
    const SCOPE: Option<Scope> = Some(Scope::Review);
    const EFFECT: Effect = Effect::Reads;
    type Input = SymbolsInput;
    type Output = SymbolList;

    fn run(_: &Platform, context: &Context<'_>, input: SymbolsInput) -> Result<SymbolList, Failure> {
        let Indexed { index, viewpoint, .. } = index(context, &input.code)?;
        let found = index.symbols(input.name.as_deref(), input.kind);
        if let (true, Some(name)) = (found.is_empty(), &input.name) {
            return Err(unknown(&index, name));
        }
        let with = |symbol: &Symbol| {
            let mut references = if input.references { index.references(symbol) } else { Vec::new() };
            references.iter_mut().for_each(|one| viewpoint.rewrite(&mut one.file));
            let symbol = Symbol { file: viewpoint.path(&symbol.file), ..symbol.clone() };
            FoundSymbol { symbol, references }
        };
        Ok(SymbolList { items: found.into_iter().map(with).collect() })
    }
}

/// Lists who calls a function, or whom it calls.
pub struct Calls;

impl UseCase for Calls {
    const NAME: &'static str = "calls";
    const PATH: &'static str = "/v1/calls";
    const ABOUT: &'static str = "List who calls a function, or whom it calls";
    const SCOPE: Option<Scope> = Some(Scope::Review);
    const EFFECT: Effect = Effect::Reads;
    type Input = CallsInput;
    type Output = CallList;

    fn run(_: &Platform, context: &Context<'_>, input: CallsInput) -> Result<CallList, Failure> {
        let Indexed { index, viewpoint, .. } = index(context, &input.code)?;
        if !index.knows(&input.name) {
            return Err(unknown(&index, &input.name));
        }
        let depth = input.depth.count();
        let mut items = match input.side {
            Side::Callers => index.callers(&input.name, depth, input.certain),
            Side::Callees => index.callees(&input.name, depth, input.certain),
        };
        let files =
            items.iter_mut().flat_map(|call| std::iter::once(&mut call.file).chain(&mut call.callee_file));
        files.for_each(|file| viewpoint.rewrite(file));
        Ok(CallList { items })
    }
}

/// Lists which file needs which.
pub struct Dependencies;

impl UseCase for Dependencies {
    const NAME: &'static str = "dependencies";
    const PATH: &'static str = "/v1/dependencies";
    const ABOUT: &'static str = "List which file needs which";
    const SCOPE: Option<Scope> = Some(Scope::Review);
    const EFFECT: Effect = Effect::Reads;
    type Input = DependenciesInput;
    type Output = DependencyList;

    fn run(_: &Platform, context: &Context<'_>, input: DependenciesInput) -> Result<DependencyList, Failure> {
        let Indexed { workspace, index, root, viewpoint } = index(context, &input.code)?;
        let mut items = index.dependencies();
        items.retain(|one| input.external || one.internal);
        let seen = |mut one: Dependency| {
            viewpoint.rewrite(&mut one.from);
            if one.internal {
                viewpoint.rewrite(&mut one.to);
            }
            one
        };
        let Some(file) = &input.file else {
            return Ok(DependencyList { items: items.into_iter().map(seen).collect() });
        };
        let full = workspace
            .directory()
            .join(file)
            .canonicalize()
            .map_err(|error| invalid(format!("{file}: {error}"), "name a file of the project"))?;
        let path = full.strip_prefix(&root).unwrap_or(&full).to_string_lossy().into_owned();
        let below = if path.is_empty() { String::new() } else { format!("{path}/") };
        let meant = |one: &str| one == path || full.is_dir() && one.starts_with(&below);
        items.retain(|one| if input.reverse { meant(&one.to) } else { meant(&one.from) });
        Ok(DependencyList { items: items.into_iter().map(seen).collect() })
    }
}

/// The index of the code.
struct Indexed {
    // What came along is there for as long as this is.
    workspace: Workspace,
    index: RepositoryIndex,
    root: PathBuf,
    viewpoint: Viewpoint,
}

fn index(context: &Context<'_>, code: &Code) -> Result<Indexed, Failure> {
    let workspace = context.workspace(code)?;
    let place = context.watched(|watch| place::read(workspace.directory(), workspace.paths(), watch));
    let place = place.map_err(|failure| workspace.explain(failure))?;
    let packages = packages(&place.root, &place.sources);
    let index = RepositoryIndex::new(&place.sources, &packages);
    Ok(Indexed { workspace, index, root: place.root, viewpoint: place.viewpoint })
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

fn unknown(index: &RepositoryIndex, name: &str) -> Failure {
    let last = name.rsplit('.').next().unwrap_or(name);
    let hint = match suggest::nearest(last, index.names()) {
        Some(near) => format!("did you mean {near}?"),
        None => "`formicary symbols` lists what there is".into(),
    };
    invalid(format!("nothing is called {name}"), hint)
}
