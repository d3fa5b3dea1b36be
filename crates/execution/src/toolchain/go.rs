//! The Go tool: its root folder holds everything.

use super::{Toolchain, files};
use crate::ToolchainSearch;
use std::path::{Path, PathBuf};

/// `GOROOT`, then `PATH`, then the usual places.
pub fn candidates(search: &ToolchainSearch) -> Box<dyn Iterator<Item = PathBuf> + '_> {
    let root = search.go_root.iter().map(|root| root.join("bin/go"));
    let usual = std::iter::once(PathBuf::from("/usr/local/go/bin/go")).chain(
        files::by_version(Path::new("/usr/lib"))
            .into_iter()
            .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("go-")))
            .map(|path| path.join("bin/go")),
    );
    Box::new(root.chain(files::on_path(&search.path, "go")).chain(usual))
}

/// The toolchain of this `go`, if its root is whole.
pub fn accept(candidate: &Path) -> Option<Toolchain> {
    let program = candidate.canonicalize().ok().filter(|path| files::is_elf(path))?;
    let root = program.parent()?.parent()?;
    if !root.join("src/fmt").is_dir() || !(root.join("VERSION").is_file() || root.join("pkg").is_dir()) {
        return None;
    }
    let mut toolchain = Toolchain::in_prefix("go", root, &program);
    let inside = toolchain.program.strip_suffix("/bin/go").unwrap_or("/usr/lib/go").to_string();
    toolchain.env.push(("GOROOT".into(), inside));
    Some(toolchain)
}
