//! What a project needs around its text: packages that stand beside it, archives of Java, data that is no text. They are
//! shown read-only, never copied.

use crate::case::CaseFile;
use formicary_files::{Kind, Root};
use formicary_model::node_packages::PACKAGES_AT;
use formicary_model::{ExecutionRequest, Language, Mount, MountAccess};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Folders that are looked through for archives, and archives that are shown.
const MOST_FOLDERS: usize = 200;
const MOST_ARCHIVES: usize = 60;
const MOST_LOOKED_AT: usize = 5_000;
/// Bytes by which a file is known as text or not.
const LOOKED_AT: usize = 8 << 10;
/// A file of more than this is never a part of a request.
const LARGE: u64 = 2 << 20;

/// What stands beside the sources of a project: its packages and its virtual environment.
#[derive(Debug, Default)]
pub struct Beside {
    /// `node_modules`.
    pub node_modules: Option<PathBuf>,
    /// The packages that a Go project brings along.
    pub vendor: Option<PathBuf>,
    /// The virtual environment of a Python project.
    pub venv: Option<PathBuf>,
}

/// Makes what stands around a program visible to its tests.
pub fn show(
    root: &Path,
    beside: Beside,
    language: Language,
    request: &mut ExecutionRequest,
    may_install: bool,
) {
    let mut shown: Vec<(PathBuf, String)> = Vec::new();
    match language {
        Language::JavaScript | Language::TypeScript => {
            // The shell of the tests links them, see `FixVerifier`.
            request.mounts.extend(beside.node_modules.map(|path| Mount {
                host: path.display().to_string(),
                guest: PACKAGES_AT.into(),
                access: MountAccess::ReadOnly,
            }));
        }
        Language::Java => shown = archives(root),
        Language::Go if root.join("go.mod").is_file() => {
            shown.extend(beside.vendor.map(|path| (path, "vendor".into())));
        }
        Language::Python if request.venv.is_none() && request.packages.is_empty() && !may_install => {
            let venv = beside.venv.filter(|venv| venv.join("bin/python3").is_file());
            request.venv = venv.map(|venv| venv.display().to_string());
        }
        _ => {}
    }
    for (path, name) in files_below(root, is_data) {
        let is_shown = |(_, known): &(PathBuf, String)| Path::new(&name).starts_with(known);
        if !shown.iter().any(is_shown) {
            shown.push((path, name));
        }
    }
    request.mounts.extend(shown.into_iter().map(|(host, guest)| Mount {
        host: host.display().to_string(),
        guest: format!("/work/{guest}"),
        access: MountAccess::ReadOnly,
    }));
}

pub(super) fn archives(root: &Path) -> Vec<(PathBuf, String)> {
    files_below(root, |_, path| path.extension().is_some_and(|ending| ending == "jar"))
}

/// Files below a folder that are wanted, with their names from there. Links are not followed.
fn files_below(directory: &Path, wanted: impl Fn(&Root, &Path) -> bool) -> Vec<(PathBuf, String)> {
    let (mut found, mut folders, mut looked, mut files) = (Vec::new(), vec![PathBuf::new()], 0, 0);
    let Ok(root) = Root::open(directory) else { return found };
    while let Some(folder) = folders.pop() {
        looked += 1;
        for entry in root.entries(&folder).unwrap_or_default() {
            let (path, name) = (folder.join(&entry.name), entry.name.to_string_lossy());
            let apart = name.starts_with('.') || matches!(&*name, "node_modules" | "__pycache__" | "target");
            files += usize::from(entry.kind == Kind::File);
            if files > MOST_LOOKED_AT {
                break;
            }
            match entry.kind {
                Kind::Directory if !apart && looked + folders.len() < MOST_FOLDERS => folders.push(path),
                Kind::File if found.len() < MOST_ARCHIVES && wanted(&root, &path) => {
                    found.push((directory.join(&path), path.to_string_lossy().into_owned()));
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Whether a file is data that tests may read: no text, and nothing that a build would write anew.
fn is_data(root: &Root, path: &Path) -> bool {
    let built = ["jar", "class", "o", "obj", "a", "so", "pyc", "exe", "out", "rlib"];
    if path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| built.contains(&ending)) {
        return false;
    }
    let mut start = Vec::new();
    let Ok(file) = root.open_file(path) else { return false };
    let large = file.metadata().is_ok_and(|metadata| metadata.len() > LARGE);
    if file.take(LOOKED_AT as u64).read_to_end(&mut start).is_err() || start.starts_with(b"\x7fELF") {
        return false;
    }
    let text = match std::str::from_utf8(&start) {
        Ok(_) => true,
        // The last letter may have been cut.
        Err(error) => error.error_len().is_none() && start.len() == LOOKED_AT,
    };
    large || !text
}

/// Leaves out what tests seldom need where a project is larger than a request may be: the largest first, never code.
pub(super) fn fit(files: &mut Vec<CaseFile>, most: usize, is_code: impl Fn(&str) -> bool) -> Option<String> {
    let most = most / 10 * 9;
    let mut sum: usize = files.iter().map(|file| file.text.len() + file.path.len()).sum();
    if sum <= most {
        return None;
    }
    let mut spare: Vec<(usize, String)> = files
        .iter()
        .filter(|file| !is_code(&file.path))
        .map(|file| (file.text.len() + file.path.len(), file.path.clone()))
        .collect();
    spare.sort();
    let mut left_out = std::collections::HashSet::new();
    while sum > most
        && let Some((size, path)) = spare.pop()
    {
        sum -= size;
        left_out.insert(path);
    }
    files.retain(|file| !left_out.contains(&file.path));
    let count = left_out.len();
    (count > 0).then(|| {
        format!("{count} files that are no code were left out: the project is larger than max_code_bytes")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_code_goes_first() {
        let file =
            |path: &str, size: usize| CaseFile { path: path.into(), text: "x".repeat(size), editable: false };
        let mut files = vec![file("a.py", 500), file("manual.rst", 900), file("notes.md", 30)];
        assert!(fit(&mut files, 10_000, |path| path.ends_with(".py")).is_none());
        let note = fit(&mut files, 1_000, |path| path.ends_with(".py")).unwrap();
        assert!(note.starts_with("1 files"), "{note}");
        assert_eq!(files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["a.py", "notes.md"]);
    }

    #[test]
    fn data_is_shown_and_what_is_built_is_not() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [
            ("table.bin", &[0xff_u8, 0xfe, 0][..]),
            ("notes.txt", b"text"),
            ("prog", b"\x7fELF\x02\xff"),
            ("A.class", &[0xca, 0xfe, 0xba, 0xbe]),
        ] {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let mut request = ExecutionRequest::default();
        show(folder.path(), Beside::default(), Language::C, &mut request, false);
        let shown: Vec<&str> = request.mounts.iter().map(|mount| mount.guest.as_str()).collect();
        assert_eq!(shown, ["/work/table.bin"]);
    }

    #[test]
    fn packages_beside_a_project_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("node_modules/x")).unwrap();
        std::fs::create_dir_all(folder.path().join("lib")).unwrap();
        std::fs::write(folder.path().join("lib/junit.jar"), [0xff, 0xfe]).unwrap();
        for (language, guest) in
            [(Language::JavaScript, "/node_modules"), (Language::Java, "/work/lib/junit.jar")]
        {
            let mut request = ExecutionRequest::default();
            let node_modules = Some(folder.path().join("node_modules"));
            let beside = Beside { node_modules, ..Beside::default() };
            show(folder.path(), beside, language, &mut request, false);
            assert_eq!(request.mounts.iter().map(|mount| mount.guest.as_str()).collect::<Vec<_>>(), [guest]);
        }
    }
}
