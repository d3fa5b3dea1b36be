//! What the tools for tests share: which project is meant, and that nothing beyond the root is shown to its tests.

use crate::call::Call;
use crate::inputs::{invalid, source_files};
use formicary_model::Failure;
use formicary_platform::testing::{TestOptions, TestTarget, Wanted};
use formicary_platform::uploads::UploadedFile;
use std::path::PathBuf;

/// Folders of a project that its tests are shown from where they really are.
const SHOWN: [&str; 3] = ["node_modules", ".venv", "venv"];

/// The project: files that came along, or one beneath the root. `path` is its folder or a file in it, and a file is what is
/// selected.
pub(super) fn options(
    call: &Call,
    path: Option<&str>,
    files: &[UploadedFile],
    packages: Vec<String>,
) -> Result<TestOptions, Failure> {
    let mut base = call.platform().new_request();
    base.packages.requirements = packages;
    base.limits.memory_bytes = call.tenant.quota.memory_bytes;
    let root = &call.house.root;
    let mut options = TestOptions {
        working_folder: root.folder().to_owned(),
        target: TestTarget::Path(PathBuf::from(".")),
        wanted: Wanted::default(),
        base,
    };
    if !files.is_empty() {
        if let Some(path) = path {
            if !files.iter().any(|file| file.path == path) {
                return Err(invalid(
                    format!("{path} is not among the files"),
                    "name one of files, or leave path out",
                ));
            }
            options.wanted.select.push(path.to_owned());
        }
        options.target = TestTarget::Files(source_files(files)?);
        return Ok(options);
    }
    let path = root.beneath(path.unwrap_or("."))?;
    let project = if root.folder().join(&path).is_dir() { path.clone() } else { PathBuf::from(".") };
    for name in SHOWN {
        let shown = project.join(name);
        if root.folder().join(&shown).is_symlink() {
            root.beneath(&shown.to_string_lossy())?;
        }
    }
    options.target = TestTarget::Path(path);
    Ok(options)
}

/// A number of seconds within bounds.
pub(super) fn seconds(name: &str, asked: f64, least: f64, most: f64) -> Result<f64, Failure> {
    if (least..=most).contains(&asked) {
        return Ok(asked);
    }
    Err(invalid(format!("{name}: {asked} seconds are not possible"), format!("give {least} to {most}")))
}
