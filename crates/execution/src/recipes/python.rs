//! Python.

use super::{Output, Plan, Project, Ready, Recipe, Step, inside};
use crate::toolchain::{Tool, Toolbox, Toolchain};
use formicary_model::{Failure, Language, Mount, MountAccess};

/// Python's row.
pub const RECIPE: Recipe =
    Recipe { language: Language::Python, tool: Tool::Python, also: &[], version: &["--version"], plan };

/// Where a virtual environment's packages are shown.
const VENV_INSIDE: &str = "/opt/formicary/venv";

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    let (python, venv) = match &project.packages {
        Some(python) => (python.clone(), None),
        None => interpreter(project, tools)?,
    };
    // An interpreter that stands ready serves other programs too, and is not confined as they are. It must not see packages that
    // a caller brings: an interpreter imports from them while it starts (`encodings`, `sitecustomize`, path files, and whatever
    // those import), and no list of names is complete.
    let brings_packages = venv.is_some() || project.packages.is_some();
    let ready = if brings_packages { Ready::Sandbox } else { Ready::Python };
    // A script's own folder comes first on the import path by Python's own rule.
    let mut run = Step::new([python.program.clone(), inside(&project.entry)])
        .given(project.args)
        .ready(ready)
        .with(&python)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    if project.output == Output::AsItComes {
        run = run.env("PYTHONUNBUFFERED", "1");
    }
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
