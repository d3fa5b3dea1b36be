//! What the executor is told at its start. The doors resolve it; nothing here looks at the environment.

use crate::cache::CacheSettings;
use crate::packages::PackageSettings;
use crate::registry::CustomLanguage;
use formicary_model::Limits;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Everything that the executor needs to know of the host and of the user's wishes.
#[derive(Debug, Clone)]
pub struct ExecutionSettings {
    /// Limits of a run where the request is silent.
    pub default_limits: Limits,
    /// Limits of a compile step where the request is silent.
    pub compile_limits: Limits,
    /// Bytes that the code of one file may have.
    pub max_code_bytes: u64,
    /// Bytes that a folder may have, all files together.
    pub max_project_bytes: u64,
    /// The isolation provider where the request names none.
    pub provider: String,
    /// Where toolchains may be found.
    pub toolchains: ToolchainSearch,
    /// Languages that the user added by TOML tables.
    pub languages: Vec<CustomLanguage>,
    /// Where compiled programs are kept; absent: nowhere.
    pub cache: Option<CacheSettings>,
    /// The image of each language, for requests that want `default`.
    pub images: BTreeMap<String, String>,
    /// The image of runs by a provider that has images, where the request names none.
    pub default_image: Option<String>,
    /// Where package environments are kept; absent: none can be made.
    pub packages: Option<PackageSettings>,
}

impl Default for ExecutionSettings {
    fn default() -> Self {
        Self {
            default_limits: Limits::default(),
            compile_limits: Limits::for_compiling(),
            max_code_bytes: 1024 * 1024,
            max_project_bytes: 64 * 1024 * 1024,
            provider: "native".into(),
            toolchains: ToolchainSearch::default(),
            languages: Vec::new(),
            cache: None,
            images: BTreeMap::new(),
            default_image: None,
            packages: None,
        }
    }
}

/// Where to look for compilers and interpreters on the host.
///
/// A folder that is `None` is looked for at its usual place in `home`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolchainSearch {
    /// The host's `PATH`, in order. Empty: the system's own folders.
    pub path: Vec<PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// Programs named by the user, by tool (`python = "/opt/py/bin/python3"`): python, node, javac, cc, cxx, go, rustc, bash.
    pub overrides: BTreeMap<String, PathBuf>,
    /// `RUSTUP_HOME`.
    pub rustup_home: Option<PathBuf>,
    /// `CARGO_HOME`.
    pub cargo_home: Option<PathBuf>,
    /// `PYENV_ROOT`.
    pub pyenv_root: Option<PathBuf>,
    /// `NVM_DIR`.
    pub nvm_dir: Option<PathBuf>,
    /// `FNM_DIR`.
    pub fnm_dir: Option<PathBuf>,
    /// `VOLTA_HOME`.
    pub volta_home: Option<PathBuf>,
    /// `GOROOT`.
    pub go_root: Option<PathBuf>,
    /// `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// Where a relative `venv` of a request is looked for; absent: it must be absolute.
    pub base: Option<PathBuf>,
}
