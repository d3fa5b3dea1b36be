//! JavaScript on node, as CommonJS or as a module.

use super::{Plan, Project, Recipe, ending, inside, modules, reserved_folder_marker, typescript};
use crate::toolchain::{Tool, Toolbox};
use formicary_model::{Failure, Language};

/// JavaScript's row.
pub const RECIPE: Recipe =
    Recipe { language: Language::JavaScript, tool: Tool::Node, also: &[], version: &["--version"], plan };

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    if project.with_endings(&["jsx"]).next().is_some() {
        return typescript::stripped_plan(project, tools, &["jsx"]);
    }
    let node = tools.find(Tool::Node)?;
    let entry = entry_name(project);
    let mut plan = modules::node_plan(project, &node, &[], &inside(&entry));
    plan.run_files = project.renamed(&entry);
    plan.run_files.push(reserved_folder_marker());
    Ok(plan)
}

/// A snippet that uses `import` or `export` must be named `.mjs` for node to take it as a module; a file of the
/// caller's keeps its name unless it is alone, for then nothing else says what it is.
fn entry_name(project: &Project<'_>) -> String {
    let stem = project.entry.strip_suffix(".js");
    let alone = project.files.len() == 1;
    let says_itself = project.has("package.json") || !matches!(ending(&project.entry), Some("js"));
    match stem {
        Some(stem)
            if !says_itself
                && (alone || !project.entry_is_named)
                && modules::is_module(project.entry_text()) =>
        {
            format!("{stem}.mjs")
        }
        _ => project.entry.clone(),
    }
}
