//! From what a request wants to an environment that is ready: found, or made by one process while others wait.

use super::environment::{Base, Environment, Held, lay_out};
use super::install::{self, Tool, unwritable};
use super::requirement::Wanted;
use super::settings::{Installer, PackageSettings};
use super::store::{Hold, KeptEnvironment, PackageStore, bytes_below};
use crate::guard::refuse;
use crate::pipeline::tell::Teller;
use crate::toolchain::{Toolbox, Toolchain};
use blake3::Hasher;
use formicary_model::{Assurance, Failure, FailureKind, PackageRequest};
use formicary_sandbox::{Cancel, Provider};
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Changes whenever environments are laid out in another way.
const FORMAT: u32 = 1;
/// Variables that choose where packages come from.
const INDEX_VARIABLES: [&str; 9] = [
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_NO_INDEX",
    "UV_DEFAULT_INDEX",
    "UV_INDEX_URL",
    "UV_INDEX",
    "UV_EXTRA_INDEX_URL",
    "UV_FIND_LINKS",
];
/// How often an environment may vanish between being made and being held.
const TRIES: usize = 5;

/// The caller's side of installing.
pub struct Asking<'a> {
    /// Who hears of progress.
    pub(crate) teller: &'a Teller<'a>,
    /// Ends it when set.
    pub cancel: &'a Cancel,
    /// How much protection must hold while packages are installed.
    pub assurance: Assurance,
}

/// Finds and makes environments.
pub struct Packer {
    settings: PackageSettings,
    store: PackageStore,
}

impl Packer {
    /// With these settings. Nothing is touched before the first use.
    pub fn new(settings: PackageSettings) -> Self {
        let store = PackageStore::new(settings.folder.clone(), settings.max_bytes);
        Self { settings, store }
    }

    /// The folder of environments.
    pub fn store(&self) -> &PackageStore {
        &self.store
    }

    /// The environment that a request wants. `None`: it wants none.
    pub fn environment(
        &self,
        request: &PackageRequest,
        tools: &Toolbox,
        provider: &dyn Provider,
        asking: &Asking<'_>,
    ) -> Result<Option<Environment>, Failure> {
        let Some(wanted) = Wanted::of(request)? else { return Ok(None) };
        let (python, version) = tools.python()?;
        let name = self.name(&wanted, &python, &version);
        let failed = |error: std::io::Error| unwritable(&self.settings.folder, &error);
        self.store.open().map_err(failed)?;
        for _ in 0..TRIES {
            let mut wait = || !asking.cancel.is_cancelled();
            let cancelled = || Failure::new(FailureKind::Cancelled, "cancelled");
            let ready = |lease: File, folder: PathBuf| Environment {
                folder,
                python: python.clone(),
                _held: Arc::new(Held::Kept(lease)),
            };
            let lease = self.store.lock(&name, Hold::Shared, &mut wait).map_err(failed)?;
            let lease = lease.ok_or_else(cancelled)?;
            if let Some(folder) = self.store.find(&name) {
                return Ok(Some(ready(lease, folder)));
            }
            drop(lease);
            let lock = self.store.lock(&name, Hold::Alone, &mut wait).map_err(failed)?;
            let _lock = lock.ok_or_else(cancelled)?;
            if self.store.find(&name).is_none() {
                let made = self.make(&name, &wanted, (&python, &version), tools, provider, asking);
                // Nothing of what could not be made stays, not even its lock.
                made.inspect_err(|_| self.store.forget(&name))?;
            }
        }
        Err(Failure::new(FailureKind::Internal, "package environments vanish as they are made"))
    }

    fn make(
        &self,
        name: &str,
        wanted: &Wanted,
        (python, version): (&Toolchain, &str),
        tools: &Toolbox,
        provider: &dyn Provider,
        asking: &Asking<'_>,
    ) -> Result<(), Failure> {
        let failed = |error: std::io::Error| unwritable(&self.settings.folder, &error);
        let made = self.store.begin(name).map_err(failed)?;
        lay_out(made.path(), python, version, Base::Hidden).map_err(failed)?;
        let tool = self.tool(tools)?;
        install::install(
            made.path(),
            wanted,
            (python, &tool),
            &self.settings,
            (provider, asking),
            self.settings.max_bytes,
        )?;
        let about = KeptEnvironment {
            name: name.to_string(),
            python: version.to_string(),
            requirements: wanted.requirements.clone(),
            packages: made.packages(version),
            bytes: bytes_below(made.path()),
            used_ms: 0,
        };
        self.store.prune(self.settings.max_bytes.saturating_sub(about.bytes));
        self.store.finish(&made, &about).map_err(failed)?;
        Ok(())
    }

    fn tool(&self, tools: &Toolbox) -> Result<Tool, Failure> {
        let uv = || tools.program("uv");
        match self.settings.installer {
            Installer::Pip => Ok(Tool::Pip),
            Installer::Auto => Ok(uv().map_or(Tool::Pip, Tool::Uv)),
            Installer::Uv => uv().map(Tool::Uv).ok_or_else(|| {
                refuse("uv is not on this host", "install it, or set packages.installer to pip or auto")
            }),
        }
    }

    /// Everything that shapes an environment, as one word.
    fn name(&self, wanted: &Wanted, python: &Toolchain, version: &str) -> String {
        let mut hasher = Hasher::new();
        let mut add = |text: &[u8]| {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text);
        };
        add(&FORMAT.to_le_bytes());
        add(std::env::consts::ARCH.as_bytes());
        add(version.as_bytes());
        add(python.program.as_bytes());
        add(python.host_program.as_os_str().as_bytes());
        add(&identity(&python.host_program));
        add(&[u8::from(wanted.from_source)]);
        for lines in [&wanted.requirements, &wanted.constraints] {
            add(&(lines.len() as u64).to_le_bytes());
            lines.iter().for_each(|line| add(line.as_bytes()));
        }
        for variable in INDEX_VARIABLES {
            add(self.settings.env.get(variable).map_or(&[][..], |value| value.as_bytes()));
        }
        hasher.finalize().to_hex()[..32].to_string()
    }
}

/// The interpreter's file: another one of the same version may have another interface.
fn identity(program: &Path) -> Vec<u8> {
    let Ok(metadata) = program.metadata() else { return Vec::new() };
    let numbers = [metadata.size(), metadata.mtime().cast_unsigned(), metadata.ino()];
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
