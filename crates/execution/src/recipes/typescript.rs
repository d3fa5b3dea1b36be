//! TypeScript: types are stripped by a small program of ours inside the sandbox, then plain node runs the rest.
//!
//! The parser is fed by strangers, and a hostile text may exhaust its stack: so it never runs in the controller.

use super::{Plan, Project, Recipe, SCRIPT, Step, inside, modules, reserved_folder_marker};
use crate::guard::RESERVED_FOLDER;
use crate::toolchain::{Tool, Toolbox};
use formicary_embedded::TYPESTRIP;
use formicary_model::{Failure, Language};
use formicary_sandbox::InputFile;
use std::sync::{Arc, LazyLock};

/// TypeScript's row.
pub const RECIPE: Recipe =
    Recipe { language: Language::TypeScript, tool: Tool::Node, also: &[], version: &["--version"], plan };

/// The program that strips types, delivered into the sandbox with each compile step.
static STRIPPER: LazyLock<Arc<[u8]>> = LazyLock::new(|| Arc::from(TYPESTRIP));

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    stripped_plan(project, tools, &["ts", "mts", "cts", "tsx", "jsx"])
}

/// All files of these endings stripped to JavaScript, and the entry run by node.
pub fn stripped_plan(project: &Project<'_>, tools: &Toolbox, endings: &[&str]) -> Result<Plan, Failure> {
    let node = tools.find(Tool::Node)?;
    let stripper = format!("{RESERVED_FOLDER}/typestrip");
    let out = format!("{RESERVED_FOLDER}/js");
    let sources = project.with_endings(endings).filter(|file| !file.path.ends_with(".d.ts"));
    let mut compile = Step::new([inside(&stripper)])
        .args(["--out-dir", &out])
        .args(project.flags)
        .args(["--"])
        .args(sources.map(|file| file.path.clone()));
    compile.files = project.files.clone();
    compile.files.push(InputFile { path: stripper, content: Arc::clone(&STRIPPER), executable: true });
    compile.leaves = vec![format!("{out}/**")];
    compile.moved_from = Some(out);
    // Positions in stack traces are those of the TypeScript file, by the source map in the stripped one.
    let mut plan = modules::node_plan(project, &node, &["--enable-source-maps"], SCRIPT);
    plan.script_stem = project.entry.rsplit_once('.').map(|(stem, _)| stem.to_string());
    plan.compile = vec![compile];
    plan.run_files = project.files.clone();
    plan.run_files.push(reserved_folder_marker());
    Ok(plan)
}
