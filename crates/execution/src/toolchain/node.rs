//! Node.js, the system's or a version manager's.

use super::{Toolchain, files};
use crate::ToolchainSearch;
use std::path::{Path, PathBuf};

/// `PATH`, then what nvm, fnm and volta have.
pub fn candidates(search: &ToolchainSearch) -> Box<dyn Iterator<Item = PathBuf> + '_> {
    let on_path = ["node", "nodejs"].into_iter().flat_map(|name| files::on_path(&search.path, name));
    Box::new(on_path.chain(nvm(search)).chain(fnm(search)).chain(volta(search)))
}

/// This node, if it is the real thing: volta's shim is a program too, but not node.
pub fn accept(candidate: &Path) -> Option<Toolchain> {
    let program = candidate.canonicalize().ok().filter(|path| files::is_elf(path))?;
    let name = program.file_name()?.to_string_lossy().into_owned();
    if !name.starts_with("node") {
        return None;
    }
    Some(files::single_program("node", &program))
}

fn nvm(search: &ToolchainSearch) -> Vec<PathBuf> {
    let Some(root) = place(search.nvm_dir.as_ref(), search, ".nvm") else { return Vec::new() };
    let mut versions = files::by_version(&root.join("versions/node"));
    let wanted = files::text(&root.join("alias/default")).unwrap_or_default();
    let wanted = wanted.trim().trim_start_matches('v').to_string();
    let fits = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.trim_start_matches('v');
        !wanted.is_empty() && (name == wanted || name.starts_with(&format!("{wanted}.")))
    };
    // A stable sort: the newest that fits, then the newest of the rest.
    versions.sort_by_key(|path| !fits(path));
    versions.into_iter().map(|path| path.join("bin/node")).collect()
}

fn fnm(search: &ToolchainSearch) -> Vec<PathBuf> {
    let Some(root) = place(search.fnm_dir.as_ref(), search, ".local/share/fnm") else { return Vec::new() };
    let default = root.join("aliases/default/bin/node");
    let versions = files::by_version(&root.join("node-versions"));
    std::iter::once(default)
        .chain(versions.into_iter().map(|path| path.join("installation/bin/node")))
        .collect()
}

fn volta(search: &ToolchainSearch) -> Vec<PathBuf> {
    let Some(root) = place(search.volta_home.as_ref(), search, ".volta") else { return Vec::new() };
    let image = root.join("tools/image/node");
    let wanted = files::text(&root.join("tools/user/platform.json"))
        .and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
        .and_then(|platform| platform["node"]["runtime"].as_str().map(|version| image.join(version)));
    wanted.into_iter().chain(files::by_version(&image)).map(|path| path.join("bin/node")).collect()
}

fn place(named: Option<&PathBuf>, search: &ToolchainSearch, usual: &str) -> Option<PathBuf> {
    named.cloned().or_else(|| search.home.as_ref().map(|home| home.join(usual)))
}
