//! `formicary symbols`, `callers`, `callees` and `deps`.

use crate::arguments::GlobalArguments;
use crate::arguments::patterns::{CallsArguments, DepsArguments, IndexScope, SymbolsArguments};
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::patterns as render;
use crate::terminal;
use formicary_model::Failure;
use formicary_model::patterns::{CallsInput, DependenciesInput, Side, SymbolsInput};
use formicary_model::use_case::{Code, Number};
use formicary_platform::patterns::{Calls, Dependencies, Symbols};
use std::path::PathBuf;

/// Lists symbols.
pub fn symbols(arguments: SymbolsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    // A lone word that is a file or directory means that one.
    let path =
        arguments.name.as_ref().map(PathBuf::from).filter(|path| arguments.paths.is_empty() && path.exists());
    let name = arguments.name.filter(|_| path.is_none());
    let paths: Vec<PathBuf> = arguments.paths.into_iter().chain(path).collect();
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let code = within(&arguments.scope, &paths)?;
    let input = SymbolsInput { code, name, kind: arguments.kind, references: arguments.references };
    let found = platform.perform::<Symbols>(&door::context(&sources), input)?.items;
    if global.json {
        terminal::print_json(&found)?;
    } else if arguments.references {
        for one in found {
            terminal::print(&render::symbols(&[one.symbol]))?;
            terminal::print(&render::references(&one.references))?;
        }
    } else {
        let symbols: Vec<_> = found.into_iter().map(|one| one.symbol).collect();
        terminal::print(&render::symbols(&symbols))?;
    }
    Ok(0)
}

/// Lists calls.
pub fn calls(side: Side, arguments: CallsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let depth = Number::new(arguments.depth as f64)
        .map_err(|failure| Failure { message: format!("--depth {}", failure.message), ..failure })?;
    let code = within(&arguments.scope, &arguments.paths)?;
    let input = CallsInput { code, name: arguments.name, side, depth, certain: arguments.certain };
    let calls = platform.perform::<Calls>(&door::context(&sources), input)?.items;
    terminal::show(global.json, &calls, || render::calls(&calls))?;
    Ok(0)
}

/// Lists which file needs which.
pub fn dependencies(arguments: DepsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let input = DependenciesInput {
        code: within(&arguments.scope, &[])?,
        file: arguments.file.as_deref().map(door::path).transpose()?,
        reverse: arguments.reverse,
        external: arguments.external,
    };
    let found = platform.perform::<Dependencies>(&door::context(&sources), input)?.items;
    terminal::show(global.json, &found, || render::dependencies(&found))?;
    Ok(0)
}

fn within(scope: &IndexScope, paths: &[PathBuf]) -> Result<Code, Failure> {
    let paths: Vec<PathBuf> = scope.within.iter().chain(paths).cloned().collect();
    door::code(&paths)
}
