//! Python.

use super::{Plan, Project, Recipe, Step, inside};
use crate::toolchain::{Tool, Toolbox, Toolchain};
use formicary_model::{Failure, Language, Mount, MountAccess};
use formicary_sandbox::Warmth;

/// Python's row.
pub const RECIPE: Recipe =
    Recipe { language: Language::Python, tool: Tool::Python, also: &[], version: &["--version"], plan };

/// Where a virtual environment's packages are shown.
const VENV_INSIDE: &str = "/opt/formicary/venv";

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    let (python, venv, warmth) = match &project.packages {
        Some((python, warmth)) => (python.clone(), None, *warmth),
        None => {
            let (python, venv) = interpreter(project, tools)?;
            let starts_foreign_code = venv.as_ref().is_some_and(customizes);
            (python, venv, if starts_foreign_code { Warmth::Sandbox } else { Warmth::Python(2) })
        }
    };
    // A script's own folder comes first on the import path by Python's own rule.
    let mut run = Step::new([python.program.clone(), inside(&project.entry)])
        .args(project.args)
        .warm(warmth)
        .with(&python)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    if let Some(mount) = venv {
        run.mounts.push(mount);
        run = run.env("PYTHONPATH", VENV_INSIDE).env("MPLCONFIGDIR", "/tmp/matplotlib");
    }
    Ok(Plan { run, run_files: project.files.clone(), ..Plan::default() })
}

/// Whether these packages would run code of their own in every interpreter that starts. Such an interpreter has seen
/// foreign code before it is confined, and must not stand ready for others.
fn customizes(packages: &Mount) -> bool {
    let folder = std::path::Path::new(&packages.host);
    ["sitecustomize", "usercustomize"]
        .iter()
        .any(|name| folder.join(name).exists() || folder.join(format!("{name}.py")).exists())
}

/// The interpreter, of the venv's version where there is one, and the mount of the venv's packages.
fn interpreter(project: &Project<'_>, tools: &Toolbox) -> Result<(Toolchain, Option<Mount>), Failure> {
    let Some(path) = project.venv else { return Ok((tools.find(Tool::Python)?, None)) };
    let venv = tools.venv(path)?;
    let mount = Mount {
        host: venv.site_packages.to_string_lossy().into_owned(),
        guest: VENV_INSIDE.into(),
        access: MountAccess::ReadOnly,
    };
    Ok((tools.find_python(&venv.version)?, Some(mount)))
}
