//! Compilers and interpreters on the host, found by looking at files, without starting anything.
//!
//! Version managers put small start programs ("shims") on `PATH` that look for the real thing at run time, by
//! files that the sandbox does not show. So the real thing is found here and shown read-only at a neutral place.

mod c;
mod files;
mod go;
mod java;
mod node;
mod python;
mod rust;

use crate::ToolchainSearch;
use formicary_model::{Failure, FailureKind, Mount, MountAccess};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub use python::{Venv, check_venv};

/// A tool that recipes ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tool {
    /// CPython 3.
    Python,
    /// Node.js.
    Node,
    /// A JDK: `javac` and `java`.
    Java,
    /// A C compiler.
    Cc,
    /// A C++ compiler.
    Cxx,
    /// The Go tool.
    Go,
    /// `rustc` and `cargo`.
    Rust,
    /// GNU Bash.
    Bash,
}

/// Every tool with its name in configuration, its name for people, and the Debian package that brings it.
pub const TOOLS: [(Tool, &str, &str, &str); 8] = [
    (Tool::Python, "python", "Python 3", "python3"),
    (Tool::Node, "node", "Node.js", "nodejs"),
    (Tool::Java, "javac", "a JDK", "default-jdk-headless"),
    (Tool::Cc, "cc", "a C compiler", "gcc libc6-dev"),
    (Tool::Cxx, "cxx", "a C++ compiler", "g++"),
    (Tool::Go, "go", "Go", "golang-go"),
    (Tool::Rust, "rustc", "Rust", "rustc cargo"),
    (Tool::Bash, "bash", "Bash", "bash"),
];

/// A tool as the sandbox will see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    /// The main program, absolute and inside.
    pub program: String,
    /// The main program on the host.
    pub host_program: PathBuf,
    /// What must be visible besides the system's own folders.
    pub mounts: Vec<Mount>,
    /// Environment that it needs.
    pub env: Vec<(String, String)>,
    /// Folders for `PATH`, inside.
    pub path_dirs: Vec<String>,
}

impl Toolchain {
    /// A program that needs nothing else.
    fn system(program: &Path) -> Self {
        Self {
            program: program.to_string_lossy().into_owned(),
            host_program: program.to_path_buf(),
            mounts: Vec::new(),
            env: Vec::new(),
            path_dirs: Vec::new(),
        }
    }

    /// A program in `prefix/bin`, shown at `/opt/formicary/<name>`; the system's own stay where they are.
    fn in_prefix(name: &str, prefix: &Path, program: &Path) -> Self {
        if files::is_system(prefix) {
            let mut toolchain = Self::system(program);
            toolchain.path_dirs = vec![format!("{}/bin", prefix.display())];
            return toolchain;
        }
        let inside = format!("/opt/formicary/{name}");
        let below = program.strip_prefix(prefix).map_or_else(
            |_| format!("bin/{}", program.file_name().unwrap_or_default().to_string_lossy()),
            |below| below.to_string_lossy().into_owned(),
        );
        Self {
            program: format!("{inside}/{below}"),
            host_program: program.to_path_buf(),
            mounts: vec![read_only(prefix, &inside)],
            env: Vec::new(),
            path_dirs: vec![format!("{inside}/bin")],
        }
    }

    /// Another program of the same toolchain, next to the main one.
    pub fn sibling(&self, name: &str) -> String {
        match self.program.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_string(),
        }
    }
}

fn read_only(host: &Path, guest: &str) -> Mount {
    Mount { host: host.to_string_lossy().into_owned(), guest: guest.into(), access: MountAccess::ReadOnly }
}

/// Where tools are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On the host, looked for.
    Host,
    /// In an image, on its own search path: what is not there shows when it is started.
    Image,
}

/// Finds tools and remembers what it found.
pub struct Toolbox {
    search: ToolchainSearch,
    place: Place,
    found: Mutex<HashMap<Tool, Result<Toolchain, Failure>>>,
}

impl Toolbox {
    /// A toolbox that looks where `search` says.
    pub fn new(mut search: ToolchainSearch) -> Self {
        for folder in ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from) {
            if !search.path.contains(&folder) {
                search.path.push(folder);
            }
        }
        Self { search, place: Place::Host, found: Mutex::new(HashMap::new()) }
    }

    /// A toolbox of whatever an image holds.
    pub fn of_an_image() -> Self {
        Self { search: ToolchainSearch::default(), place: Place::Image, found: Mutex::new(HashMap::new()) }
    }

    /// The tool, or a failure that names the package to install.
    pub fn find(&self, tool: Tool) -> Result<Toolchain, Failure> {
        if self.place == Place::Image {
            return Ok(Toolchain::system(Path::new(name_in_images(tool))));
        }
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.entry(tool).or_insert_with(|| look_for(&self.search, tool)).clone()
    }

    /// The Python that runs programs, and its `major.minor`.
    pub fn python(&self) -> Result<(Toolchain, String), Failure> {
        let python = self.find(Tool::Python)?;
        let version = python::version(&python.host_program).ok_or_else(|| {
            Failure::new(
                FailureKind::ToolchainMissing,
                format!("the version of {} cannot be told", python.host_program.display()),
            )
            .hint("set toolchains.python to another interpreter")
        })?;
        Ok((python, version))
    }

    /// A Python whose version begins with `major.minor`.
    pub fn find_python(&self, version: &str) -> Result<Toolchain, Failure> {
        python::find_version(&self.search, version)
    }

    /// The venv at `path` on the host.
    pub fn venv(&self, path: &str) -> Result<Venv, Failure> {
        check_venv(path, self.search.base.as_deref())
    }

    /// Any program by name, for the user's own languages. `None`: it is not on this host.
    pub fn program(&self, name: &str) -> Option<Toolchain> {
        if self.place == Place::Image {
            return Some(Toolchain::system(Path::new(name)));
        }
        let built_in = match name {
            "python" | "python3" => Some(Tool::Python),
            "node" | "nodejs" => Some(Tool::Node),
            "java" | "javac" => Some(Tool::Java),
            "go" => Some(Tool::Go),
            "rustc" | "cargo" => Some(Tool::Rust),
            _ => None,
        };
        if let Some(tool) = built_in {
            let mut toolchain = self.find(tool).ok()?;
            if !matches!(tool, Tool::Python | Tool::Node) {
                toolchain.program = toolchain.sibling(name);
            }
            return Some(toolchain);
        }
        let candidate = match self.search.overrides.get(name) {
            Some(path) => path.clone(),
            None if name.contains('/') => PathBuf::from(name),
            None => files::on_path(&self.search.path, name).find(|path| files::is_executable(path))?,
        };
        files::is_executable(&candidate).then(|| files::single_program(name, &candidate))
    }
}

/// What a tool is called on the search path of an image.
fn name_in_images(tool: Tool) -> &'static str {
    match tool {
        Tool::Python => "python3",
        Tool::Node => "node",
        Tool::Java => "javac",
        Tool::Cc => "cc",
        Tool::Cxx => "c++",
        Tool::Go => "go",
        Tool::Rust => "rustc",
        Tool::Bash => "bash",
    }
}

fn look_for(search: &ToolchainSearch, tool: Tool) -> Result<Toolchain, Failure> {
    let (_, key, name, package) = TOOLS[TOOLS.iter().position(|row| row.0 == tool).unwrap_or_default()];
    let candidates: Box<dyn Iterator<Item = PathBuf>> = match search.overrides.get(key) {
        Some(named) => {
            if !files::is_executable(named) {
                return Err(Failure::new(
                    FailureKind::InvalidConfiguration,
                    format!("toolchain {key} is set to {named:?}, which is not a program"),
                )
                .hint("correct the path, or remove the setting to search PATH"));
            }
            Box::new(std::iter::once(named.clone()))
        }
        None => match tool {
            Tool::Python => python::candidates(search),
            Tool::Node => node::candidates(search),
            Tool::Java => java::candidates(search),
            Tool::Cc => c::candidates(search, c::C_COMPILERS),
            Tool::Cxx => c::candidates(search, c::CXX_COMPILERS),
            Tool::Go => go::candidates(search),
            Tool::Rust => rust::candidates(search),
            Tool::Bash => Box::new(["/bin/bash", "/usr/bin/bash"].map(PathBuf::from).into_iter()),
        },
    };
    let accept = |candidate: PathBuf| match tool {
        Tool::Python => python::accept(search, &candidate),
        Tool::Node => node::accept(&candidate),
        Tool::Java => java::accept(&candidate),
        Tool::Go => go::accept(&candidate),
        Tool::Rust => rust::accept(search, &candidate),
        Tool::Cc | Tool::Cxx | Tool::Bash => {
            files::is_elf(&candidate).then(|| files::single_program(key, &candidate))
        }
    };
    candidates.into_iter().find_map(accept).ok_or_else(|| {
        Failure::new(FailureKind::ToolchainMissing, format!("{name} is not on this host")).hint(format!(
            "install it (Debian, Ubuntu: apt install {package}), or set toolchains.{key} to its path"
        ))
    })
}

#[cfg(test)]
mod tests;
