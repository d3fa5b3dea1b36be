//! What the index of a project knows: symbols, calls, dependencies.

use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, declare};
use crate::workspace::Workspace;
use formicary_model::Failure;
use formicary_model::patterns::{
    CallList, CallsInput, DependenciesInput, DependencyList, SymbolList, SymbolsInput,
};
use formicary_model::use_case::Code;
use formicary_review::sources;
use formicary_search::index::IndexedProject;

declare!(
    /// Lists what is defined.
    Symbols, "symbols", Post "/v1/symbols", "List what is defined in code, and where it is named", Some(Scope::Review),
    Reads, SymbolsInput => SymbolList,
    |_: &Platform, context: &Context<'_>, input: SymbolsInput| {
        index(context, &input.code, |project, _| project.symbols(&input))
    }
);
declare!(
    /// Lists who calls a function, or whom it calls.
    Calls, "calls", Post "/v1/calls", "List who calls a function, or whom it calls", Some(Scope::Review), Reads,
    CallsInput => CallList, |_: &Platform, context: &Context<'_>, input: CallsInput| {
        index(context, &input.code, |project, _| project.calls(&input))
    }
);
declare!(
    /// Lists which file needs which.
    Dependencies, "dependencies", Post "/v1/dependencies", "List which file needs which", Some(Scope::Review), Reads,
    DependenciesInput => DependencyList, |_: &Platform, context: &Context<'_>, input: DependenciesInput| {
        index(context, &input.code, |project, workspace| project.dependencies(workspace.directory(), &input))
    }
);

/// Asks the index of the code.
fn index<T>(
    context: &Context<'_>,
    code: &Code,
    ask: impl FnOnce(&IndexedProject, &Workspace) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let workspace = context.workspace(code)?;
    let read = context.watched(|watch| sources::read(workspace.directory(), workspace.paths(), watch));
    let read = read.map_err(|failure| workspace.explain(failure))?;
    ask(&IndexedProject::new(read.root, &read.sources, read.viewpoint), &workspace)
}
