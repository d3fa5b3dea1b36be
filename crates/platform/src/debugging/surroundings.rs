//! What a project needs around its text: packages that stand beside it, archives of Java. They are shown read-only, never copied.

use formicary_debugging::repair::CaseFile;
use formicary_model::{ExecutionRequest, Language, Mount, MountAccess};
use std::path::{Path, PathBuf};

/// Folders that are looked through for archives, and archives that are shown.
const MOST_FOLDERS: usize = 200;
const MOST_ARCHIVES: usize = 60;

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
    request.mounts.extend(shown.into_iter().map(|(host, guest)| Mount {
        host: host.display().to_string(),
        guest: format!("/work/{guest}"),
        access: MountAccess::ReadOnly,
    }));
}

fn archives(root: &Path) -> Vec<(PathBuf, String)> {
    let (mut found, mut folders, mut looked) = (Vec::new(), vec![root.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        looked += 1;
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if kind.is_dir() && !hidden && looked + folders.len() < MOST_FOLDERS {
                folders.push(path);
            } else if kind.is_file()
                && path.extension().is_some_and(|ending| ending == "jar")
                && found.len() < MOST_ARCHIVES
                && let Ok(relative) = path.strip_prefix(root)
            {
                found.push((path.clone(), relative.to_string_lossy().into_owned()));
            }
        }
    }
    found.sort();
    found
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
