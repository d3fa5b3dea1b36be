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

/// A command of the caller's that sees a virtual environment's packages, and its Python before others.
pub fn within_venv(step: Step, path: &str, tools: &Toolbox) -> Result<Step, Failure> {
    let (python, mount) = of_venv(path, tools)?;
    let mut step = step;
    let others = std::mem::take(&mut step.path_dirs);
    step = step.with(&python).env("PYTHONPATH", VENV_INSIDE);
    step.path_dirs.extend(others);
    step.mounts.push(mount);
    Ok(step)
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
    match project.venv {
        None => Ok((tools.find(Tool::Python)?, None)),
        Some(path) => of_venv(path, tools).map(|(python, mount)| (python, Some(mount))),
    }
}

fn of_venv(path: &str, tools: &Toolbox) -> Result<(Toolchain, Mount), Failure> {
    let venv = tools.venv(path)?;
    let mount = Mount {
        host: venv.site_packages.to_string_lossy().into_owned(),
        guest: VENV_INSIDE.into(),
        access: MountAccess::ReadOnly,
    };
    Ok((tools.find_python(&venv.version)?, mount))
}
