//! Bash.

use super::{Output, Plan, Project, Recipe, Step, inside};
use crate::toolchain::{Tool, Toolbox};
use formicary_model::{Failure, Language};

/// Bash's row.
pub const RECIPE: Recipe =
    Recipe { language: Language::Bash, tool: Tool::Bash, also: &[], version: &["--version"], plan };

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    let bash = tools.find(Tool::Bash)?;
    let mut run = Step::new([bash.program.clone(), inside(&project.entry)]).given(project.args).with(&bash);
    if project.output == Output::AsItComes {
        // A script may start Python anywhere in it.
        run = run.env("PYTHONUNBUFFERED", "1");
    }
    Ok(Plan { run, run_files: project.files.clone(), ..Plan::default() })
}
