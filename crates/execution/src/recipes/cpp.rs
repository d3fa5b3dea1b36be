//! C++.

use super::{Plan, Project, Recipe, c};
use crate::toolchain::{Tool, Toolbox};
use formicary_model::{Failure, Language};

/// C++'s row.
pub const RECIPE: Recipe =
    Recipe { language: Language::Cpp, tool: Tool::Cxx, also: &[], version: &["--version"], plan };

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    let endings = ["cpp", "cc", "cxx", "c++"];
    c::compiled(project, tools, Tool::Cxx, &endings, &["-O2", "-std=gnu++20"], &["-pthread"])
}
