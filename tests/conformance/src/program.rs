//! The attacking programs. C is compiled once on the host, statically, and its binary is carried into the sandbox.
#![expect(clippy::disallowed_types, reason = "the suite compiles its own programs on the host")]

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// What runs.
#[derive(Clone, Copy)]
pub enum Program {
    /// Python source, run by the system's interpreter.
    Python(&'static str),
    /// A Bash script.
    Bash(&'static str),
    /// One attack of a C program.
    C(&'static CSource, &'static str),
}

/// A C program of the suite.
pub struct CSource {
    /// The name of its file, without the ending.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! c_sources {
    ($($constant:ident $name:literal),+ $(,)?) => {
        $(#[doc = concat!("`programs/c/", $name, ".c`.")]
        pub static $constant: CSource =
            CSource { name: $name, text: include_str!(concat!("../programs/c/", $name, ".c")) };)+
    };
}

c_sources! {
    PROCESSES "processes",
    MEMORY "memory",
    KERNEL_MEMORY "kernel_memory",
    FILES "files",
    NAMESPACES "namespaces",
    SYSTEM_CALLS "system_calls",
    NETWORK "network",
}

const HEADER: &str = include_str!("../programs/c/attack.h");

/// A program made ready: the file that goes into the working folder, and the command that runs it there.
#[derive(Clone)]
pub struct Ready {
    /// The file's name.
    pub file: &'static str,
    /// Its bytes.
    pub content: Arc<[u8]>,
    /// Whether it is executed itself.
    pub executable: bool,
    /// What runs it, when the working folder is `folder`.
    command: Vec<String>,
}

impl Ready {
    /// The command, with the program's file in `folder`.
    pub fn command(&self, folder: &str) -> Vec<String> {
        self.command.iter().map(|part| part.replace("{folder}", folder)).collect()
    }
}

impl Program {
    /// Makes it ready to run; C is compiled, or taken from the cache in the temporary folder.
    pub fn ready(&self) -> Result<Ready, String> {
        let script = |file, interpreter: &str, text: &'static str| Ready {
            file,
            content: Arc::from(text.as_bytes()),
            executable: false,
            command: vec![interpreter.to_owned(), format!("{{folder}}/{file}")],
        };
        Ok(match self {
            Self::Python(text) => script("main.py", "/usr/bin/python3", text),
            Self::Bash(text) => script("main.sh", "/bin/bash", text),
            Self::C(source, attack) => Ready {
                file: "attack",
                content: binary(source)?,
                executable: true,
                command: vec!["{folder}/attack".to_owned(), (*attack).to_owned()],
            },
        })
    }
}

type Cache = Mutex<Vec<(&'static str, Arc<[u8]>)>>;

fn binary(source: &'static CSource) -> Result<Arc<[u8]>, String> {
    static CACHE: OnceLock<Cache> = OnceLock::new();
    let mut cache = CACHE.get_or_init(Cache::default).lock().map_err(|_| "the cache's lock is poisoned")?;
    if let Some((_, bytes)) = cache.iter().find(|(name, _)| *name == source.name) {
        return Ok(bytes.clone());
    }
    let path = compiled(source)?;
    let bytes: Arc<[u8]> = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?.into();
    cache.push((source.name, bytes.clone()));
    Ok(bytes)
}

/// Compiles into a folder named after the source's hash and the user, unless it is there already.
fn compiled(source: &CSource) -> Result<PathBuf, String> {
    let compiler = formicary_testkit::toolchains::require("gcc", "gcc libc6-dev")?;
    let mut hasher = DefaultHasher::new();
    (source.text, HEADER).hash(&mut hasher);
    let user = rustix::process::geteuid().as_raw();
    let folder = std::env::temp_dir().join(format!("conformance-programs-{user}"));
    let target = folder.join(format!("{}-{:016x}", source.name, hasher.finish()));
    if target.exists() {
        return Ok(target);
    }
    let name = |ending: &str| folder.join(format!("{}-{}.{ending}", source.name, std::process::id()));
    let write = |path: &Path, text: &str| {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    write(&folder.join("attack.h"), HEADER)?;
    write(&name("c"), source.text)?;
    let output = Command::new(compiler)
        .args(["-O1", "-static", "-pthread", "-w", "-o"])
        .arg(name("out"))
        .arg(name("c"))
        .output()
        .map_err(|error| format!("gcc: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{}.c does not compile: {}",
            source.name,
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let _ = fs::remove_file(name("c"));
    // Renamed into place: another process of the suite never sees half a program.
    fs::rename(name("out"), &target).map_err(|error| format!("{}: {error}", target.display()))?;
    Ok(target)
}
