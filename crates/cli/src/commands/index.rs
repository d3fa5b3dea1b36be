//! `formicary symbols`, `callers`, `callees` and `deps`.

use super::search::folder;
use crate::arguments::GlobalArguments;
use crate::arguments::patterns::{CallsArguments, DepsArguments, IndexScope, SymbolsArguments};
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::patterns as render;
use crate::{signals, terminal};
use formicary_platform::patterning::RepositoryIndex;
use formicary_platform::patterns::IndexOptions;
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::{Cancel, Platform};
use std::path::PathBuf;

/// Which end of a call is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Who calls.
    Callers,
    /// Who is called.
    Callees,
}

/// Lists symbols.
pub fn symbols(arguments: &SymbolsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    // A lone word that is a file or folder means that one.
    let path =
        arguments.name.as_ref().map(PathBuf::from).filter(|path| arguments.paths.is_empty() && path.exists());
    let name = arguments.name.as_deref().filter(|_| path.is_none());
    let paths: Vec<PathBuf> = arguments.paths.iter().cloned().chain(path.clone()).collect();
    let (platform, _, index) = index(&arguments.scope, &paths, global)?;
    let kind = arguments.kind.as_deref();
    let found = platform.symbols(&index, name, kind, arguments.references)?;
    if global.json {
        let json: Vec<serde_json::Value> = found
            .iter()
            .map(|(symbol, references)| serde_json::json!({"symbol": symbol, "references": references}))
            .collect();
        terminal::print_json(&json)?;
    } else if arguments.references {
        for (symbol, references) in found {
            terminal::print(&render::symbols(&[symbol]))?;
            terminal::print(&render::references(&references))?;
        }
    } else {
        let symbols: Vec<_> = found.into_iter().map(|(symbol, _)| symbol).collect();
        terminal::print(&render::symbols(&symbols))?;
    }
    Ok(0)
}

/// Lists calls.
pub fn calls(side: Side, arguments: &CallsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, _, index) = index(&arguments.scope, &arguments.paths, global)?;
    let (name, depth, certain) = (arguments.name.as_str(), arguments.depth, arguments.certain);
    let calls = match side {
        Side::Callers => platform.callers(&index, name, depth, certain)?,
        Side::Callees => platform.callees(&index, name, depth, certain)?,
    };
    if global.json {
        terminal::print_json(&calls)?;
    } else {
        terminal::print(&render::calls(&calls))?;
    }
    Ok(0)
}

/// Lists which file needs which.
pub fn dependencies(arguments: &DepsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, options, index) = index(&arguments.scope, &[], global)?;
    let file = arguments.file.as_deref().map(|file| (file, arguments.reverse));
    let found = platform.dependencies(&index, &options, file, arguments.external)?;
    if global.json {
        terminal::print_json(&found)?;
    } else {
        terminal::print(&render::dependencies(&found))?;
    }
    Ok(0)
}

fn index(
    scope: &IndexScope,
    paths: &[PathBuf],
    global: &GlobalArguments,
) -> Result<(Platform, IndexOptions, RepositoryIndex), Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let paths = scope.within.iter().chain(paths).cloned().collect();
    let options = IndexOptions { working_folder: folder(sources.working_folder)?, paths };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let watch = Watch { progress: &|_, _, _| (), cancelled: &|| cancel.is_cancelled() };
    let index = platform.index(&options, watch)?;
    Ok((platform, options, index))
}
