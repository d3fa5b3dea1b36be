//! Go: a single file, several files, or a module without outside dependencies.

use super::{
    Plan, Project, Recipe, Step, ending, memory_share, program_inside, program_path, reserved_folder_marker,
};
use crate::toolchain::{Tool, Toolbox};
use formicary_model::{Failure, Language};

/// Go's row.
pub const RECIPE: Recipe =
    Recipe { language: Language::Go, tool: Tool::Go, also: &[], version: &["version"], plan };

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    let go = tools.find(Tool::Go)?;
    let has_module = project.has("go.mod");
    // No -trimpath: it would make the standard library that comes compiled with Go useless (0.4 s against 9 s).
    let mut compile = Step::new([go.program.as_str(), "build", "-buildvcs=false"])
        .args(project.flags)
        .args(["-o", &program_path()])
        .args(targets(project, has_module))
        .with(&go)
        .env("GOCACHE", "/tmp/go-build")
        .env("GOPATH", "/tmp/go")
        .env("GOTMPDIR", "/tmp")
        .env("GOPROXY", "off")
        .env("GOTOOLCHAIN", "local")
        .env("GOTELEMETRY", "off")
        .env("GOFLAGS", if has_module { "-mod=mod" } else { "" })
        .env("GO111MODULE", if has_module { "on" } else { "off" })
        .env("CGO_ENABLED", cgo(project, tools));
    compile.files = project.files.clone();
    compile.files.push(reserved_folder_marker());
    compile.leaves = vec![program_path()];
    let run = Step::new([program_inside()])
        .given(project.args)
        .env("GOMEMLIMIT", format!("{}MiB", memory_share(project.limits, 90)));
    let run_files = project.without_endings(&["go", "mod", "sum"]);
    Ok(Plan { compile: vec![compile], run, run_files, ..Plan::default() })
}

/// With a module: the entry's package. Without: every file next to the entry, tests aside.
fn targets(project: &Project<'_>, has_module: bool) -> Vec<String> {
    let folder = project.entry.rsplit_once('/').map(|(folder, _)| folder);
    if has_module {
        return vec![folder.map_or_else(|| ".".to_string(), |folder| format!("./{folder}"))];
    }
    let beside = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder) == folder;
    let mut files: Vec<String> = project
        .files
        .iter()
        .map(|file| file.path.as_str())
        .filter(|path| beside(path) && ending(path) == Some("go") && !path.ends_with("_test.go"))
        .map(|path| format!("./{path}"))
        .collect();
    if files.is_empty() {
        files.push(format!("./{}", project.entry));
    }
    files
}

/// Pure Go compiles without a C compiler and quicker; cgo is on only where the code asks for it.
fn cgo(project: &Project<'_>, tools: &Toolbox) -> &'static str {
    let asks = project
        .with_endings(&["go"])
        .any(|file| String::from_utf8_lossy(&file.content).lines().any(|line| line.trim() == "import \"C\""));
    if asks && tools.find(Tool::Cc).is_ok() { "1" } else { "0" }
}
