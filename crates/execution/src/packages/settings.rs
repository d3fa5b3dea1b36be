//! What installing needs to know of the host and of the user's wishes. The doors resolve it.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where environments are kept and how they are made.
#[derive(Debug, Clone, PartialEq)]
pub struct PackageSettings {
    /// Their folder; made where it does not exist.
    pub folder: PathBuf,
    /// Bytes that they may take together.
    pub max_bytes: u64,
    /// How long installing may take.
    pub wall_seconds: f64,
    /// Memory that installing may use.
    pub memory_bytes: u64,
    /// Who installs.
    pub installer: Installer,
    /// Environment for the installer alone: index, proxies, certificates.
    pub env: BTreeMap<String, String>,
    /// Files and folders of the host that this environment names.
    pub shown: Vec<PathBuf>,
}

/// Who installs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Installer {
    /// uv where it is on this host, else pip.
    #[default]
    Auto,
    /// uv.
    Uv,
    /// The pip of the interpreter.
    Pip,
}
