//! What stands beside a project's sources and is shown to its programs: `node_modules`, a virtual environment. A stranger's
//! project may hold links there, and what they lead to must not be shown.

use crate::{Kind, Root};
use std::path::{Path, PathBuf};

/// The packages of a JavaScript project.
pub fn node_modules(root: &Path) -> Option<PathBuf> {
    within(root, Path::new("node_modules"))
}

/// The packages that a Go project brings along.
pub fn vendor(root: &Path) -> Option<PathBuf> {
    within(root, Path::new("vendor"))
}

/// The virtual environment of a Python project. Links inside it are another matter: its interpreter is one.
pub fn venv(root: &Path) -> Option<PathBuf> {
    [".venv", "venv"].iter().find_map(|name| {
        let place = within(root, Path::new(name))?;
        Root::open(&place).ok()?.is_file(Path::new("pyvenv.cfg")).then_some(place)
    })
}

/// The real place of a directory of a project: itself, or where a link leads that stays in the project.
fn within(root: &Path, name: &Path) -> Option<PathBuf> {
    let files = Root::open(root).ok()?;
    match files.facts(name).ok()?.kind {
        Kind::Directory => Some(root.join(name)),
        Kind::Link => {
            let (real, root) = (root.join(name).canonicalize().ok()?, root.canonicalize().ok()?);
            let below = real.strip_prefix(&root).ok()?;
            // Without what is beside the sources nothing of the project is shown that way, and never all of it.
            let plain = !below.as_os_str().is_empty() && !below.starts_with(".git");
            (plain && files.is_directory(below)).then_some(real)
        }
        Kind::File | Kind::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_what_is_in_the_project_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("project"), folder.path().join("outside"));
        std::fs::create_dir_all(root.join("deps/modules")).unwrap();
        std::fs::create_dir_all(&outside).unwrap();
        std::fs::write(outside.join("pyvenv.cfg"), "").unwrap();
        assert_eq!((node_modules(&root), venv(&root)), (None, None));
        for target in
            [outside.as_path(), Path::new("../outside"), Path::new("/"), Path::new("."), Path::new("..")]
        {
            for name in ["node_modules", ".venv"] {
                symlink(target, root.join(name)).unwrap();
            }
            assert_eq!((node_modules(&root), venv(&root)), (None, None), "{target:?}");
            for name in ["node_modules", ".venv"] {
                std::fs::remove_file(root.join(name)).unwrap();
            }
        }
        symlink("deps/modules", root.join("node_modules")).unwrap();
        let real = root.canonicalize().unwrap();
        assert_eq!(node_modules(&root), Some(real.join("deps/modules")));
        std::fs::create_dir(root.join(".venv")).unwrap();
        symlink(outside.join("pyvenv.cfg"), root.join(".venv/pyvenv.cfg")).unwrap();
        assert_eq!(venv(&root), None);
        std::fs::remove_file(root.join(".venv/pyvenv.cfg")).unwrap();
        std::fs::write(root.join(".venv/pyvenv.cfg"), "").unwrap();
        assert_eq!(venv(&root), Some(root.join(".venv")));
    }
}
