//! One environment, held for as long as somebody uses it: a virtual environment that is shown at a place of its own.

use crate::toolchain::Toolchain;
use formicary_model::{Mount, MountAccess};
use formicary_sandbox::guest::place::Place;
use formicary_sandbox::providers::trusted::TrustedSettings;
use std::fs::File;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where it is shown.
pub const INSIDE: &str = "/opt/formicary/venv";
/// The folder of the virtual environment as a sandbox shows it.
pub const VENV: &str = "venv";
/// The same for the provider that shows the host's files as they are.
pub const HOST_VIEW: &str = "host";

/// An environment that is ready, and will be for as long as this is held.
#[derive(Debug, Clone)]
pub struct Environment {
    pub(super) folder: PathBuf,
    pub(super) python: Toolchain,
    pub(super) _held: Arc<Held>,
}

/// What an environment is there by.
#[derive(Debug)]
#[expect(dead_code, reason = "held, never looked at")]
pub(super) enum Held {
    /// The lock of one that is kept: it is not removed meanwhile.
    Kept(File),
    /// The folder of one that is somebody's own: it goes when nobody holds it any more.
    Own(Place),
}

impl Environment {
    /// An empty one for a program that is not kept from writing: it sees what its interpreter has, and what it installs is its own
    /// and goes with it.
    pub fn of_its_own((python, version): (Toolchain, String)) -> std::io::Result<Self> {
        let place = Place::new(&TrustedSettings::default().folder)?;
        let folder = place.path().to_path_buf();
        lay_out(&folder, &python, &version, Base::Seen)?;
        Ok(Self { folder, python, _held: Arc::new(Held::Own(place)) })
    }

    /// Its interpreter, as recipes use it: the base one, with the environment shown around it.
    pub fn toolchain(&self, provider: &str) -> Toolchain {
        let on_the_host = provider == formicary_sandbox::providers::trusted::NAME;
        let view = self.folder.join(if on_the_host { HOST_VIEW } else { VENV });
        let mut toolchain = self.python.clone();
        toolchain.program = format!("{INSIDE}/bin/python");
        toolchain.mounts.push(Mount {
            host: view.to_string_lossy().into_owned(),
            guest: INSIDE.into(),
            access: MountAccess::ReadOnly,
        });
        toolchain.path_dirs.insert(0, format!("{INSIDE}/bin"));
        toolchain.env.push(("VIRTUAL_ENV".into(), INSIDE.into()));
        toolchain.env.push(("MPLCONFIGDIR".into(), "/tmp/matplotlib".into()));
        toolchain
    }
}

/// Whether an environment sees the packages of its interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Yes.
    Seen,
    /// No: it has what was asked for and nothing else.
    Hidden,
}

/// Lays out an empty virtual environment for this interpreter, as a sandbox and as the host will see it.
pub fn lay_out(folder: &Path, python: &Toolchain, version: &str, base: Base) -> std::io::Result<()> {
    let views = [(VENV, PathBuf::from(&python.program)), (HOST_VIEW, python.host_program.clone())];
    for (view, program) in &views {
        let root = folder.join(view);
        std::fs::create_dir_all(root.join("bin"))?;
        let home = program.parent().unwrap_or(Path::new("/usr/bin"));
        let about = format!(
            "home = {}\ninclude-system-site-packages = {}\nversion = {version}\nexecutable = {}\n",
            home.display(),
            base == Base::Seen,
            program.display()
        );
        std::fs::write(root.join("pyvenv.cfg"), about)?;
        symlink(program, root.join("bin/python"))?;
        symlink("python", root.join("bin/python3"))?;
        symlink("python", root.join(format!("bin/python{version}")))?;
        symlink("lib", root.join("lib64"))?;
    }
    std::fs::create_dir_all(folder.join(VENV).join(format!("lib/python{version}/site-packages")))?;
    symlink(format!("../{VENV}/lib"), folder.join(HOST_VIEW).join("lib"))
}
