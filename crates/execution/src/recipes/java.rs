//! Java: any public class name, several classes, packages.

use super::java_source::{self, Source};
use super::{MemoryMarker, Plan, Project, Recipe, Step, inside, reserved_folder_marker};
use crate::guard::{RESERVED_FOLDER, refuse};
use crate::toolchain::{Tool, Toolbox};
use formicary_model::{Failure, Language, Limits};
use formicary_sandbox::InputFile;

/// Java's row.
pub const RECIPE: Recipe =
    Recipe { language: Language::Java, tool: Tool::Java, also: &[], version: &["--version"], plan };

fn plan(project: &Project<'_>, tools: &Toolbox) -> Result<Plan, Failure> {
    let jdk = tools.find(Tool::Java)?;
    let files = placed(project);
    let main_class = main_class(project)?;
    let classes = format!("{RESERVED_FOLDER}/classes");
    let sources = files.iter().filter(|file| file.path.ends_with(".java")).map(|file| file.path.clone());
    let mut compile = Step::new([jdk.program.as_str()])
        .args(["-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-J-Xshare:auto"])
        .args([format!("-J-XX:MaxRAM={}", project.compile_limits.memory_bytes)])
        .args(["-encoding", "UTF-8", "-d", &classes])
        .args(project.flags)
        .args(sources)
        .with(&jdk);
    compile.files = files;
    compile.files.push(reserved_folder_marker());
    compile.leaves = vec![format!("{classes}/**")];
    let marker = format!("{RESERVED_FOLDER}/heap-full");
    let run = Step::new([jdk.sibling("java")])
        .args(sizing(project.limits, &marker))
        .args(["-cp".to_string(), format!("{}:{}", inside(&classes), inside("")), main_class])
        .given(project.args)
        .with(&jdk);
    Ok(Plan {
        compile: vec![compile],
        run,
        run_files: project.without_endings(&["java"]),
        memory_marker: Some(MemoryMarker { path: marker, holds: "" }),
        ..Plan::default()
    })
}

/// The heap sized by the memory limit. Where it is full, the JVM itself leaves a mark: an error in the heap is then
/// known to be the memory limit's doing, whatever the program prints.
fn sizing(limits: &Limits, marker: &str) -> Vec<String> {
    vec![
        "-XX:+UseSerialGC".into(),
        "-Xshare:auto".into(),
        format!("-XX:MaxRAM={}", limits.memory_bytes),
        "-XX:MaxRAMPercentage=60".into(),
        "-XX:-UsePerfData".into(),
        format!("-XX:OnOutOfMemoryError=/bin/touch {}", inside(marker)),
    ]
}

/// The files, a lone snippet renamed to what javac wants: the public type's name.
fn placed(project: &Project<'_>) -> Vec<InputFile> {
    let source = Source::read(project.entry_text());
    match source.public_type {
        Some(name) if project.files.len() == 1 || !project.entry_is_named => {
            let folder =
                project.entry.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
            project.renamed(&format!("{folder}{name}.java"))
        }
        _ => project.files.clone(),
    }
}

/// The class to start: the entry's own if it has a main method, else the only one that has.
fn main_class(project: &Project<'_>) -> Result<String, Failure> {
    let entry = Source::read(project.entry_text());
    if let Some(class) = entry.main_class() {
        return Ok(class);
    }
    let others: Vec<String> = project
        .with_endings(&["java"])
        .filter(|file| file.path != project.entry)
        .filter_map(|file| Source::read(&String::from_utf8_lossy(&file.content)).main_class())
        .collect();
    match (others.as_slice(), entry.first_class()) {
        ([only], _) => Ok(only.clone()),
        // Let javac and java speak: their word on a missing main method is the one that people know.
        ([], Some(class)) => Ok(class),
        ([], None) => {
            // Nothing that looks like a type: javac will say what is wrong with it.
            Ok(java_source::stem(&project.entry).to_string())
        }
        (several, _) => Err(refuse(
            format!(
                "{} holds no main method and several other classes do: {}",
                project.entry,
                several.join(", ")
            ),
            "name the file to start as the entry",
        )),
    }
}
