//! C, and what C++ shares with it.

use super::{Plan, Project, Recipe, Step, program_inside, program_path, reserved_folder_keeper};
use crate::guard::refuse;
use crate::toolchain::{Tool, Toolbox};
use formicary_model::{Failure, Language};

/// C's row.
pub const RECIPE: Recipe =
    Recipe { language: Language::C, tool: Tool::Cc, also: &[], version: &["--version"], plan };

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    compiled(project, tools, Tool::Cc, &["c"], &["-O2", "-std=gnu17"], &["-lm", "-pthread"])
}

/// All sources of these endings compiled and linked into one program. The caller's flags come after the defaults,
/// so that they win; libraries come last, as the linker wants it.
pub fn compiled(
    project: &Project<'_>,
    tools: &Toolbox,
    tool: Tool,
    endings: &[&str],
    defaults: &[&str],
    libraries: &[&str],
) -> Result<Plan, Failure> {
    let compiler = tools.find(tool)?;
    check_flags(project.flags)?;
    let mut sources: Vec<&str> = project.with_endings(endings).map(|file| file.path.as_str()).collect();
    if !sources.contains(&project.entry.as_str()) {
        sources.insert(0, &project.entry);
    }
    let mut compile = Step::new([compiler.program.as_str()])
        .args(defaults.iter().copied())
        .args(["-fdiagnostics-color=never", "-I."])
        .args(project.flags)
        .args(["-o", &program_path()])
        .args(sources.iter().map(|source| format!("./{source}")))
        .args(libraries.iter().copied())
        .with(&compiler);
    compile.files = project.files.clone();
    compile.files.push(reserved_folder_keeper());
    compile.leaves = vec![program_path()];
    let mut not_needed = endings.to_vec();
    not_needed.extend(["h", "hpp", "hh", "hxx"]);
    Ok(Plan {
        compile: vec![compile],
        run: Step::new([program_inside()]).args(project.args),
        run_files: project.without_endings(&not_needed),
        ..Plan::default()
    })
}

/// Flags that would move the output to where it is not found.
pub fn check_flags(flags: &[String]) -> Result<(), Failure> {
    let moves_output =
        |flag: &&String| flag.as_str() == "-o" || flag.as_str() == "-c" || flag.as_str() == "-S";
    match flags.iter().find(moves_output) {
        Some(flag) => Err(refuse(
            format!("compiler flag {flag:?} would leave no program to run"),
            "leave it out; to run the compiler itself give a command",
        )),
        None => Ok(()),
    }
}
