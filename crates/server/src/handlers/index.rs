//! What is defined in code, who calls whom, and which file needs which. The files come along.

use crate::app::{App, Watcher};
use crate::body::Json;
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::Extension;
use axum::Json as Answer;
use axum::extract::State;
use formicary_model::Failure;
use formicary_model::patterns::{Call, Dependency, Reference, Symbol};
use formicary_platform::Platform;
use formicary_platform::patterning::RepositoryIndex;
use formicary_platform::patterns::IndexOptions;
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::uploads::{UploadLimits, UploadedFile, Uploads, checked_path};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Calls of calls that may be asked for.
const DEEPEST: u32 = 32;

/// Which symbols.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SymbolsBody {
    /// The files.
    pub files: Vec<UploadedFile>,
    /// Only those of this name, or of this path as in `Class.method`.
    #[serde(default)]
    pub name: Option<String>,
    /// Only those of this kind: `function`, `method`, `class`, `interface`, `enum`, `module`, `alias` or `variable`.
    #[serde(default)]
    pub kind: Option<String>,
    /// Whether each comes with the places that name it.
    #[serde(default)]
    pub references: bool,
}

/// Symbols.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SymbolList {
    /// Each of them.
    pub items: Vec<FoundSymbol>,
}

/// A symbol, and where it is named.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FoundSymbol {
    /// The symbol.
    pub symbol: Symbol,
    /// The places that name it, where they were asked for.
    pub references: Vec<Reference>,
}

/// Which calls.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallsBody {
    /// The files.
    pub files: Vec<UploadedFile>,
    /// The function.
    pub name: String,
    /// Who calls it, or whom it calls.
    pub side: Side,
    /// Calls of calls, so many deep; 1 when absent.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Only calls that scopes and imports prove.
    #[serde(default)]
    pub certain: bool,
}

/// An end of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Who calls.
    Callers,
    /// Who is called.
    Callees,
}

/// Calls.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CallList {
    /// Each of them.
    pub items: Vec<Call>,
}

/// Which dependencies.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DependenciesBody {
    /// The files.
    pub files: Vec<UploadedFile>,
    /// Only those of this file or folder.
    #[serde(default)]
    pub file: Option<String>,
    /// Of the file: who needs it, rather than what it needs.
    #[serde(default)]
    pub reverse: bool,
    /// Whether modules from elsewhere are told, too.
    #[serde(default)]
    pub external: bool,
}

/// Dependencies.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DependencyList {
    /// Each of them.
    pub items: Vec<Dependency>,
}

/// `POST /v1/symbols`
pub async fn symbols(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<SymbolsBody>,
) -> Result<Answer<SymbolList>, Problem> {
    let found = app.work(&tenant, move |platform, watcher| {
        let (_uploads, _, index) = indexed(platform, watcher, &body.files)?;
        platform.symbols(&index, body.name.as_deref(), body.kind.as_deref(), body.references)
    });
    let items = found.await?.into_iter().map(|(symbol, references)| FoundSymbol { symbol, references });
    Ok(Answer(SymbolList { items: items.collect() }))
}

/// `POST /v1/calls`
pub async fn calls(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<CallsBody>,
) -> Result<Answer<CallList>, Problem> {
    let depth = body.depth.unwrap_or(1);
    if !(1..=DEEPEST).contains(&depth) {
        return Err(Problem::invalid(format!("depth is {depth}, it must be 1 to {DEEPEST}")));
    }
    let found = app.work(&tenant, move |platform, watcher| {
        let (_uploads, _, index) = indexed(platform, watcher, &body.files)?;
        match body.side {
            Side::Callers => platform.callers(&index, &body.name, depth as usize, body.certain),
            Side::Callees => platform.callees(&index, &body.name, depth as usize, body.certain),
        }
    });
    Ok(Answer(CallList { items: found.await? }))
}

/// `POST /v1/dependencies`
pub async fn dependencies(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<DependenciesBody>,
) -> Result<Answer<DependencyList>, Problem> {
    let file = body.file.as_deref().map(checked_path).transpose()?;
    let found = app.work(&tenant, move |platform, watcher| {
        let (_uploads, options, index) = indexed(platform, watcher, &body.files)?;
        let file = file.as_deref().map(|file| (Path::new(file), body.reverse));
        platform.dependencies(&index, &options, file, body.external)
    });
    Ok(Answer(DependencyList { items: found.await? }))
}

/// The files' index; the files are there for as long as the first of these is.
fn indexed(
    platform: &Platform,
    watcher: &Watcher,
    files: &[UploadedFile],
) -> Result<(Uploads, IndexOptions, RepositoryIndex), Failure> {
    let uploads = Uploads::write(files, UploadLimits::default())?;
    let options = IndexOptions { working_folder: uploads.folder().to_owned(), paths: Vec::new() };
    let cancelled = || watcher.cancel.is_cancelled();
    let index = platform.index(&options, Watch { progress: &|_, _, _| (), cancelled: &cancelled })?;
    Ok((uploads, options, index))
}
