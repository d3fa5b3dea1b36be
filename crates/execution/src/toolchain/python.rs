//! CPython: the system's, pyenv's, or any prefix; and virtual environments.

use super::{Toolchain, files};
use crate::ToolchainSearch;
use crate::guard::{refuse, shown};
use formicary_model::{Failure, FailureKind};
use std::path::{Path, PathBuf};

/// `PATH`, with pyenv's chosen version in the place of its shims, then every version that pyenv has.
pub fn candidates(search: &ToolchainSearch) -> Box<dyn Iterator<Item = PathBuf> + '_> {
    let root = pyenv_root(search);
    let shims = root.as_ref().map(|root| root.join("shims"));
    let chosen = root.as_ref().and_then(|root| pyenv_choice(root));
    let on_path = search.path.iter().filter(|folder| folder.is_absolute()).flat_map(move |folder| {
        if Some(folder) == shims.as_ref() {
            return chosen.clone().into_iter().collect::<Vec<_>>();
        }
        vec![folder.join("python3"), folder.join("python")]
    });
    Box::new(on_path.chain(pyenv_versions(search)))
}

/// This Python, if it is CPython 3 with its library. A venv's interpreter stands for the one it was made from.
pub fn accept(search: &ToolchainSearch, candidate: &Path) -> Option<Toolchain> {
    let program = candidate.canonicalize().ok().filter(|path| files::is_elf(path))?;
    let prefix = program.parent()?.parent()?;
    let version = program.file_name()?.to_string_lossy().strip_prefix("python").map(str::to_string)?;
    let library = library(prefix, &version)?;
    if files::is_system(prefix) {
        return Some(Toolchain::system(&program));
    }
    if !files::may_show(prefix, search.home.as_deref()) {
        return None;
    }
    let mut toolchain = Toolchain::in_prefix("python", prefix, &program);
    let shared = library.parent().is_some_and(has_shared_library);
    if shared {
        toolchain.env.push(("LD_LIBRARY_PATH".into(), "/opt/formicary/python/lib".into()));
    }
    Some(toolchain)
}

/// `major.minor` of an interpreter that was accepted.
pub fn version(program: &Path) -> Option<String> {
    let prefix = program.parent()?.parent()?;
    let named = program.file_name()?.to_string_lossy().strip_prefix("python").map(str::to_string)?;
    let library = library(prefix, &named)?;
    library.file_name()?.to_string_lossy().strip_prefix("python").map(str::to_string)
}

/// A Python whose version is `major.minor`, the likeliest first.
pub fn find_version(search: &ToolchainSearch, version: &str) -> Result<Toolchain, Failure> {
    let named = format!("python{version}");
    let exact = files::on_path(&search.path, &named).collect::<Vec<_>>();
    let all = candidates(search).chain(exact).filter(|path| {
        let real = path.canonicalize().ok();
        real.is_some_and(|real| real.file_name().is_some_and(|name| name.to_string_lossy() == named))
    });
    all.into_iter().find_map(|candidate| accept(search, &candidate)).ok_or_else(|| {
        Failure::new(FailureKind::ToolchainMissing, format!("Python {version} is not on this host")).hint(
            format!(
                "install Python {version}, or make the virtual environment anew with the Python that is here"
            ),
        )
    })
}

/// The folder of the standard library: `lib/python3.X` with `os.py` in it.
fn library(prefix: &Path, version: &str) -> Option<PathBuf> {
    let exact = prefix.join(format!("lib/python{version}"));
    if version.starts_with("3.") {
        return exact.join("os.py").is_file().then_some(exact);
    }
    let newest = files::by_version(&prefix.join("lib")).into_iter().find(|folder| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("python3.") && folder.join("os.py").is_file()
    });
    newest.filter(|_| version == "3" || version.is_empty())
}

fn has_shared_library(lib: &Path) -> bool {
    let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| {
        let name = name.to_string_lossy();
        name.starts_with("libpython") && name.contains(".so")
    })
}

fn pyenv_root(search: &ToolchainSearch) -> Option<PathBuf> {
    search.pyenv_root.clone().or_else(|| search.home.as_ref().map(|home| home.join(".pyenv")))
}

/// The version that pyenv's global `version` file names, a prefix standing for its newest; else nothing (`system`).
fn pyenv_choice(root: &Path) -> Option<PathBuf> {
    let named = files::text(&root.join("version"))?;
    named.split_whitespace().find_map(|wanted| {
        let folder = files::by_version(&root.join("versions")).into_iter().find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name == wanted || name.starts_with(&format!("{wanted}."))
        })?;
        Some(folder.join("bin/python3")).filter(|path| path.exists())
    })
}

fn pyenv_versions(search: &ToolchainSearch) -> impl Iterator<Item = PathBuf> + use<> {
    let folders =
        pyenv_root(search).map(|root| files::by_version(&root.join("versions"))).unwrap_or_default();
    folders.into_iter().map(|path| path.join("bin/python3"))
}

/// A virtual environment on the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Venv {
    /// Its packages on the host.
    pub site_packages: PathBuf,
    /// `3.11`: the interpreter must be the same.
    pub version: String,
}

/// The venv at `path`, or why it is none.
pub fn check_venv(path: &str, base: Option<&Path>) -> Result<Venv, Failure> {
    let given = Path::new(path);
    let root = match (given.is_absolute(), base) {
        (true, _) => given.to_path_buf(),
        (false, Some(base)) => base.join(given),
        (false, None) => {
            return Err(refuse(
                format!("venv {} is not an absolute path", shown(path)),
                "give the whole path",
            ));
        }
    };
    let root = root.canonicalize().map_err(|error| {
        refuse(format!("venv {}: {error}", shown(path)), "make it with: python3 -m venv FOLDER")
    })?;
    let Some(configuration) = files::text(&root.join("pyvenv.cfg")) else {
        return Err(refuse(
            format!("venv {} holds no pyvenv.cfg", shown(path)),
            "give the folder that python3 -m venv made",
        ));
    };
    let version = configuration
        .lines()
        .filter_map(|line| line.split_once('='))
        .find(|(key, _)| matches!(key.trim(), "version" | "version_info"))
        .map(|(_, value)| value.trim().split('.').take(2).collect::<Vec<_>>().join("."))
        .filter(|version| version.starts_with("3."));
    let Some(version) = version else {
        return Err(refuse(format!("venv {} names no Python 3 version", shown(path)), "make it anew"));
    };
    let site_packages = root.join(format!("lib/python{version}/site-packages"));
    let inside = site_packages.canonicalize().is_ok_and(|real| real.starts_with(&root) && real.is_dir());
    if !inside {
        return Err(refuse(
            format!("venv {} has no lib/python{version}/site-packages", shown(path)),
            "make it anew with: python3 -m venv FOLDER",
        ));
    }
    Ok(Venv { site_packages, version })
}
