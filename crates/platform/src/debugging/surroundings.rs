//! What a project needs around its text: packages that stand beside it, archives of Java, data that is no text. They are
//! shown read-only, never copied.

use formicary_debugging::repair::CaseFile;
use formicary_model::{ExecutionRequest, Language, Mount, MountAccess};
use std::path::{Path, PathBuf};

/// Folders that are looked through for archives, and archives that are shown.
const MOST_FOLDERS: usize = 200;
const MOST_ARCHIVES: usize = 60;
const MOST_LOOKED_AT: usize = 5_000;
/// Bytes by which a file is known as text or not.
const LOOKED_AT: usize = 8 << 10;
/// A file of more than this is never a part of a request.
const LARGE: u64 = 2 << 20;

/// Makes what stands around a program visible to its tests.
pub(super) fn show(root: &Path, language: Language, request: &mut ExecutionRequest, may_install: bool) {
    let mut shown: Vec<(PathBuf, String)> = Vec::new();
    match language {
        Language::JavaScript | Language::TypeScript => {
            shown.extend(
                root.join("node_modules").canonicalize().ok().map(|path| (path, "node_modules".into())),
            );
        }
        Language::Java => shown = archives(root),
        Language::Python if request.venv.is_none() && request.packages.is_empty() && !may_install => {
            let usable =
                |venv: &PathBuf| venv.join("pyvenv.cfg").is_file() && venv.join("bin/python3").is_file();
            let venv = [".venv", "venv"].iter().map(|name| root.join(name)).find(usable);
            request.venv = venv.map(|venv| venv.display().to_string());
        }
        _ => {}
    }
    for (path, name) in files_below(root, is_data) {
        if !shown.iter().any(|(_, known)| *known == name) {
            shown.push((path, name));
        }
    }
    request.mounts.extend(shown.into_iter().map(|(host, guest)| Mount {
        host: host.display().to_string(),
        guest: format!("/work/{guest}"),
        access: MountAccess::ReadOnly,
    }));
}

fn archives(root: &Path) -> Vec<(PathBuf, String)> {
    files_below(root, |path| path.extension().is_some_and(|ending| ending == "jar"))
}

/// Files below a folder that are wanted, with their names from there.
fn files_below(root: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<(PathBuf, String)> {
    let (mut found, mut folders, mut looked, mut files) = (Vec::new(), vec![root.to_owned()], 0, 0);
    while let Some(folder) = folders.pop() {
        looked += 1;
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let apart =
                name.starts_with('.') || matches!(name.as_str(), "node_modules" | "__pycache__" | "target");
            files += usize::from(kind.is_file());
            if files > MOST_LOOKED_AT {
                break;
            }
            if kind.is_dir() && !apart && looked + folders.len() < MOST_FOLDERS {
                folders.push(path);
            } else if kind.is_file()
                && found.len() < MOST_ARCHIVES
                && wanted(&path)
                && let Ok(relative) = path.strip_prefix(root)
            {
                found.push((path.clone(), relative.to_string_lossy().into_owned()));
            }
        }
    }
    found.sort();
    found
}

/// Whether a file is data that tests may read: no text, and nothing that a build would write anew.
fn is_data(path: &Path) -> bool {
    use std::io::Read as _;
    let built = ["jar", "class", "o", "obj", "a", "so", "pyc", "exe", "out", "rlib"];
    if path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| built.contains(&ending)) {
        return false;
    }
    let mut start = Vec::new();
    let Ok(file) = std::fs::File::open(path) else { return false };
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
        show(folder.path(), Language::C, &mut request, false);
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
            [(Language::JavaScript, "/work/node_modules"), (Language::Java, "/work/lib/junit.jar")]
        {
            let mut request = ExecutionRequest::default();
            show(folder.path(), language, &mut request, false);
            assert_eq!(request.mounts.iter().map(|mount| mount.guest.as_str()).collect::<Vec<_>>(), [guest]);
        }
    }
}
