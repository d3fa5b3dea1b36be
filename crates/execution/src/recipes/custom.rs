//! Languages that the user added by TOML tables.

use super::{Plan, Project, Step, inside, program_path, reserved_folder_marker};
use crate::registry::CustomLanguage;
use crate::toolchain::{Toolbox, Toolchain};
use formicary_model::{Failure, FailureKind};

/// The plan of a user's own language.
pub fn plan(language: &CustomLanguage, project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    let out = program_path();
    let step = |command: &[String], args: &[String], flags: &[String]| -> Result<Step, Failure> {
        let mut words = CustomLanguage::fill(command, &project.entry, &out, args);
        words.splice(1..1, flags.iter().cloned());
        let program = words.remove(0);
        let (first, toolchain) = resolve(language, &program, &out, tools)?;
        let mut step = Step::new([first]).args(words);
        if let Some(toolchain) = toolchain {
            step = step.with(&toolchain);
        }
        step.env.extend(language.env.iter().map(|(name, value)| (name.clone(), value.clone())));
        Ok(step)
    };
    let mut compile = Vec::new();
    if let Some(check) = &language.check {
        compile.push(step(check, &[], &[])?);
    }
    if let Some(command) = &language.compile {
        let mut made = step(command, &[], project.flags)?;
        let fill = |glob: &String| glob.replace("{out}", &out);
        made.leaves = if language.artifacts.is_empty() {
            vec![out.clone()]
        } else {
            language.artifacts.iter().map(fill).collect()
        };
        compile.push(made);
    }
    for step in &mut compile {
        step.files = project.files.clone();
        step.files.push(reserved_folder_marker());
    }
    let mut run = step(&language.run, project.args, &[])?;
    if !language.run.iter().any(|word| word == "{args}") {
        run = run.given(project.args);
    }
    Ok(Plan { compile, run, run_files: project.files.clone(), ..Plan::default() })
}

/// Where a command's program is: something that the compile step made, or a tool of the host's.
fn resolve(
    language: &CustomLanguage,
    program: &str,
    out: &str,
    tools: &Toolbox,
) -> Result<(String, Option<Toolchain>), Failure> {
    if program == out || program == format!("./{out}") {
        return Ok((inside(out), None));
    }
    if program.starts_with("./") || program.starts_with("/work/") {
        return Ok((program.to_string(), None));
    }
    let toolchain = tools.program(program).ok_or_else(|| {
        Failure::new(
            FailureKind::ToolchainMissing,
            format!("{program} (for {}) is not on this host", language.name),
        )
        .hint(format!("install {program}, or give its whole path in the language's table"))
    })?;
    Ok((toolchain.program.clone(), Some(toolchain)))
}
