//! C, and what C++ shares with it.

use super::{Output, Plan, Project, Recipe, Step, program_inside, program_path, reserved_folder_marker};
use crate::guard::{RESERVED_FOLDER, refuse};
use crate::toolchain::{Tool, Toolbox};
use formicary_model::{Failure, Language};
use formicary_sandbox::InputFile;

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
    let lines = format!("{RESERVED_FOLDER}/lines.c");
    let writes_lines = project.output == Output::AsItComes && has_c_library(project.flags);
    if writes_lines {
        sources.push(&lines);
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
    compile.files.push(reserved_folder_marker());
    if writes_lines {
        let content = LINES.as_bytes().into();
        compile.files.push(InputFile { path: lines, content, executable: false });
    }
    compile.leaves = vec![program_path()];
    let mut not_needed = endings.to_vec();
    not_needed.extend(["h", "hpp", "hh", "hxx"]);
    Ok(Plan {
        compile: vec![compile],
        run: Step::new([program_inside()]).given(project.args),
        run_files: project.without_endings(&not_needed),
        ..Plan::default()
    })
}

/// Linked to a program that somebody reads along: a line is written when it is whole, and what was begun before input is
/// waited for (the C library does that for streams that go by lines). Valid as C and as C++.
const LINES: &str = "#include <stdio.h>\n\
    __attribute__((constructor)) static void formicary_lines(void) {\n\
    \u{20} setvbuf(stdin, 0, _IOLBF, BUFSIZ);\n\
    \u{20} setvbuf(stdout, 0, _IOLBF, BUFSIZ);\n\
    }\n";

/// Whether the C library's streams are there.
fn has_c_library(flags: &[String]) -> bool {
    let without = ["-nostdlib", "-nostartfiles", "-nodefaultlibs", "-ffreestanding", "-nostdinc"];
    !flags.iter().any(|flag| without.contains(&flag.as_str()))
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
