//! A project on the host: which files it has, what tells its framework, what is carried and what is shown.

use formicary_model::{Failure, FailureKind, SourceFile};
use formicary_testing::Project;
use formicary_testing::project::LEFT_OUT;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const MOST_FILES: usize = 20_000;
/// Files whose texts are read to tell what a project is.
const MOST_READ: u64 = 256 << 10;
/// Files that requests may carry; more are shown.
const MOST_CARRIED: usize = 2_000;

fn invalid(message: String, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

/// The project at a path, and the file of tests that the path names, if it names one.
pub(super) fn read(working: &Path, path: &Path, most: u64) -> Result<(Project, Option<String>), Failure> {
    let target = working.join(path).canonicalize().map_err(|error| {
        invalid(format!("{}: {error}", path.display()), "name a folder or a file of tests that exists")
    })?;
    if target.is_dir() {
        return Ok((folder(&target, most)?, None));
    }
    let root = root_of(&target, working);
    let name = target.strip_prefix(&root).unwrap_or(&target).to_string_lossy().into_owned();
    Ok((folder(&root, most)?, Some(name)))
}

/// The nearest folder above a file that has a manifest, not above the working folder; else the file's own.
fn root_of(file: &Path, working: &Path) -> PathBuf {
    const MANIFESTS: [&str; 8] = [
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "package.json",
        "go.mod",
        "Cargo.toml",
        "CMakeLists.txt",
        "pom.xml",
    ];
    let own = file.parent().unwrap_or(Path::new("/")).to_owned();
    let working = working.canonicalize().unwrap_or_else(|_| working.to_owned());
    if own.starts_with(&working) {
        return working;
    }
    let holds = |folder: &&Path| MANIFESTS.iter().any(|name| folder.join(name).is_file());
    file.ancestors().skip(1).take(4).find(holds).map_or(own.clone(), Path::to_owned)
}

fn folder(root: &Path, most: u64) -> Result<Project, Failure> {
    let mut project = Project::default();
    let (mut folders, mut bytes, mut links) = (vec![root.to_owned()], 0_u64, false);
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| {
            invalid(format!("{}: {error}", folder.display()), "name a folder that you may read")
        })?;
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            if LEFT_OUT.contains(&name.as_str()) {
                continue;
            }
            links |= kind.is_symlink();
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                let relative =
                    entry.path().strip_prefix(root).unwrap_or(&entry.path()).to_string_lossy().into_owned();
                let size = entry.metadata().map_or(0, |metadata| metadata.len());
                bytes += size;
                project.paths.push(relative.clone());
                if size <= MOST_READ
                    && let Ok(text) = std::fs::read_to_string(entry.path())
                {
                    project.texts.insert(relative, text);
                }
            }
        }
        if project.paths.len() > MOST_FILES {
            return Err(invalid(
                format!("{} holds more than {MOST_FILES} files", root.display()),
                "name the folder of the project alone",
            ));
        }
    }
    project.paths.sort();
    if project.paths.is_empty() {
        return Err(invalid(
            format!("{} is empty", root.display()),
            "name a folder with a program and its tests",
        ));
    }
    let carried = (!links && bytes <= most / 10 * 9 && project.paths.len() <= MOST_CARRIED)
        .then(|| carry(root, &project.paths))
        .flatten();
    match carried {
        Some(files) => project.files = files,
        None => project.shown = Some(root.display().to_string()),
    }
    let modules = root.join("node_modules");
    if let Ok(modules) = modules.canonicalize() {
        project.node_modules = Some(modules.display().to_string());
    }
    let venv =
        [".venv", "venv"].iter().map(|name| root.join(name)).find(|venv| venv.join("pyvenv.cfg").is_file());
    project.venv = venv.map(|venv| venv.display().to_string());
    Ok(project)
}

fn carry(root: &Path, paths: &[String]) -> Option<Vec<SourceFile>> {
    let file = |path: &String| {
        let whole = root.join(path);
        let executable = whole.metadata().ok()?.permissions().mode() & 0o100 != 0;
        Some(SourceFile { path: path.clone(), content: std::fs::read(whole).ok()?, executable })
    };
    // A name that differs from another only in case, or that requests refuse, is no trouble where the folder is shown.
    let plain = paths.iter().all(|path| !path.chars().any(char::is_control) && path.len() < 1000);
    let mut lower: Vec<String> = paths.iter().map(|path| path.to_lowercase()).collect();
    lower.sort();
    lower.dedup();
    (plain && lower.len() == paths.len()).then(|| paths.iter().map(file).collect()).flatten()
}
