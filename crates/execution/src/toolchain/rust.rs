//! Rust: rustup's proxies are passed over for the toolchain that they would start.

use super::{Toolchain, files};
use crate::ToolchainSearch;
use std::path::{Path, PathBuf};

/// `PATH`, with rustup's default toolchain in the place of its proxies, then every toolchain that rustup has.
pub fn candidates(search: &ToolchainSearch) -> Box<dyn Iterator<Item = PathBuf> + '_> {
    let on_path = files::on_path(&search.path, "rustc").flat_map(move |found| {
        let from_rustup = if is_proxy(search, &found) { default_toolchain(search) } else { Some(found) };
        from_rustup.into_iter()
    });
    let installed =
        rustup_home(search).map(|home| files::by_version(&home.join("toolchains"))).unwrap_or_default();
    let mut rest: Vec<PathBuf> = installed.into_iter().map(|path| path.join("bin/rustc")).collect();
    rest.sort_by_key(|path| !path.to_string_lossy().contains("/stable"));
    Box::new(on_path.chain(default_toolchain(search)).chain(rest))
}

/// The toolchain of this `rustc`, if its standard library is there.
pub fn accept(search: &ToolchainSearch, candidate: &Path) -> Option<Toolchain> {
    let program = candidate.canonicalize().ok().filter(|path| files::is_elf(path))?;
    if program.file_name().is_none_or(|name| name == "rustup") {
        return None;
    }
    let prefix = program.parent()?.parent()?;
    let whole = prefix.join("lib/rustlib").is_dir();
    if !whole || !(files::is_system(prefix) || files::may_show(prefix, search.home.as_deref())) {
        return None;
    }
    Some(Toolchain::in_prefix("rust", prefix, &program))
}

fn is_proxy(search: &ToolchainSearch, found: &Path) -> bool {
    let cargo_home =
        search.cargo_home.clone().or_else(|| search.home.as_ref().map(|home| home.join(".cargo")));
    let in_cargo_home = cargo_home.is_some_and(|home| found.parent() == Some(&home.join("bin")));
    let real = found.canonicalize().ok();
    in_cargo_home || real.is_some_and(|real| real.file_name().is_some_and(|name| name == "rustup"))
}

fn rustup_home(search: &ToolchainSearch) -> Option<PathBuf> {
    search.rustup_home.clone().or_else(|| search.home.as_ref().map(|home| home.join(".rustup")))
}

/// The toolchain that rustup's settings name; a short name such as `stable` stands for this host's.
fn default_toolchain(search: &ToolchainSearch) -> Option<PathBuf> {
    let home = rustup_home(search)?;
    let settings: toml::Table = toml::from_str(&files::text(&home.join("settings.toml"))?).ok()?;
    let name = settings.get("default_toolchain")?.as_str()?;
    let toolchains = home.join("toolchains");
    let exact = toolchains.join(name);
    let folder = if exact.is_dir() {
        exact
    } else {
        let host = format!("{name}-{}", std::env::consts::ARCH);
        files::by_version(&toolchains)
            .into_iter()
            .find(|path| path.file_name().is_some_and(|found| found.to_string_lossy().starts_with(&host)))?
    };
    Some(folder.join("bin/rustc"))
}
