//! Rust: a single file with its modules, or a Cargo project without outside dependencies.

use super::{Plan, Project, Recipe, Step, c, program_inside, program_path, reserved_folder_marker};
use crate::guard::refuse;
use crate::toolchain::{Tool, Toolbox, Toolchain};
use formicary_model::{Failure, Language};

/// Rust's row.
pub const RECIPE: Recipe =
    Recipe { language: Language::Rust, tool: Tool::Rust, also: &[Tool::Cc], version: &["--version"], plan };

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    let rust = tools.find(Tool::Rust)?;
    let linker = tools.find(Tool::Cc)?;
    let mut compile =
        if project.has("Cargo.toml") { cargo(project, &rust)? } else { rustc(project, &rust)? }.with(&linker);
    compile.files = project.files.clone();
    compile.files.push(reserved_folder_marker());
    compile.leaves = vec![program_path()];
    Ok(Plan {
        compile: vec![compile],
        run: Step::new([program_inside()]).given(project.args),
        run_files: project.without_endings(&["rs"]),
        ..Plan::default()
    })
}

fn rustc(project: &Project<'_>, rust: &Toolchain) -> Result<Step, Failure> {
    c::check_flags(project.flags)?;
    let names_edition = project.flags.iter().any(|flag| flag.starts_with("--edition"));
    let edition: &[&str] = if names_edition { &[] } else { &["--edition", "2021"] };
    let optimisation =
        if project.flags.iter().any(|flag| flag.starts_with("-Copt") || flag.starts_with("opt-")) {
            Vec::new()
        } else {
            vec!["-O"]
        };
    Ok(Step::new([rust.program.as_str()])
        .args(edition.iter().copied())
        .args(optimisation)
        .args(["--crate-name", "program", "--color", "never"])
        .args(project.flags)
        .args(["-o", &program_path(), &project.entry])
        .with(rust))
}

/// Cargo builds in a folder of its own; the program is copied to where every recipe leaves it.
fn cargo(project: &Project<'_>, rust: &Toolchain) -> Result<Step, Failure> {
    let manifest = project.files.iter().find(|file| file.path == "Cargo.toml");
    let manifest =
        manifest.map(|file| String::from_utf8_lossy(&file.content).into_owned()).unwrap_or_default();
    let binary = binary_name(&manifest).ok_or_else(|| {
        refuse(
            "Cargo.toml names no package",
            "give [package] with a name, or leave Cargo.toml out to compile the entry alone",
        )
    })?;
    let script = "\"$1\" build --release --offline --quiet --color never --target-dir /tmp/target \"${@:3}\" \
                  && cp \"/tmp/target/release/$2\" .formicary/program";
    Ok(Step::new(["/bin/bash", "-c", script, "cargo-build", &rust.sibling("cargo"), &binary])
        .args(project.flags)
        .with(rust)
        .env("CARGO_HOME", "/tmp/cargo")
        .env("CARGO_NET_OFFLINE", "true"))
}

/// `default-run`, the first `[[bin]]`, or the package itself.
fn binary_name(manifest: &str) -> Option<String> {
    let table: toml::Table = toml::from_str(manifest).ok()?;
    let package = table.get("package")?;
    let text = |value: Option<&toml::Value>| value.and_then(toml::Value::as_str).map(str::to_string);
    text(package.get("default-run"))
        .or_else(|| text(table.get("bin").and_then(|bins| bins.get(0)).and_then(|bin| bin.get("name"))))
        .or_else(|| text(package.get("name")))
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::binary_name;

    #[test]
    fn binaries() {
        for (manifest, name) in [
            ("[package]\nname = 'a-b'", Some("a-b")),
            ("[package]\nname = 'a'\n[[bin]]\nname = 'b'", Some("b")),
            ("[package]\nname = 'a'\ndefault-run = 'c'\n[[bin]]\nname = 'b'", Some("c")),
            ("[package]\nname = '../x'", None),
            ("[workspace]", None),
            ("not toml [", None),
        ] {
            assert_eq!(binary_name(manifest).as_deref(), name, "{manifest}");
        }
    }
}
