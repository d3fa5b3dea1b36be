//! Other people's linters inside the sandbox: they read the project, they write nothing, they reach nobody. A project's
//! own settings for them may hold code.

use super::{ToolOutput, ToolRunner};
use crate::change::sandboxed::{INSIDE, MIB, provider};
use formicary_execution::ToolchainSearch;
use formicary_execution::toolchain::Toolbox;
use formicary_model::{Assurance, Failure, Limits, Mount, MountAccess};
use formicary_sandbox::{Cancel, End, Job, Provider, RunIo, Stdin};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Tools, run by an isolation provider in the project's folder.
pub struct SandboxedTools<'a> {
    /// The providers of this host.
    pub providers: &'a [Arc<dyn Provider>],
    /// The name of the one that is wanted.
    pub provider: &'a str,
    /// Where programs are looked for.
    pub search: &'a ToolchainSearch,
    /// The project's directory.
    pub root: &'a Path,
}

impl ToolRunner for SandboxedTools<'_> {
    fn root(&self) -> &str {
        INSIDE[0]
    }

    fn run(
        &self,
        program: &str,
        arguments: &[String],
        environment: &[(String, String)],
    ) -> Result<Option<ToolOutput>, Failure> {
        let Some(place) = locate(self.search, program) else { return Ok(None) };
        let provider = provider(self.providers, self.provider, "tools")?;
        let mut job = Job::new([place.program].into_iter().chain(arguments.iter().cloned()));
        job.cwd = INSIDE[0].into();
        job.mounts = place.mounts;
        job.mounts.push(shown(self.root, INSIDE[0]));
        let path: Vec<String> = place.folders.into_iter().chain([SYSTEM_PATH.to_owned()]).collect();
        job.env = [("PATH", path.join(":")), ("HOME", Job::WORK.into()), ("LC_ALL", "C.UTF-8".into())]
            .map(|(name, value)| (name.to_owned(), value))
            .into();
        job.env.extend(place.environment);
        job.env.extend(environment.iter().cloned());
        job.limits = Limits {
            wall_seconds: 300.0,
            cpu_seconds: 600.0,
            memory_bytes: 4096 * MIB,
            disk_bytes: 1024 * MIB,
            processes: 512,
            open_files: 4096,
            output_bytes: 64 * MIB,
            ..Limits::default()
        };
        job.assurance = Assurance::BestEffort;
        let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| (), cancel: Cancel::default() };
        let outcome = provider.run(&job, io)?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok(Some(ToolOutput {
            code: match outcome.end {
                End::Exited(code) => Some(code),
                End::Signaled(_) => None,
            },
            stdout: text(outcome.stdout.joined()),
            stderr: text(outcome.stderr.joined()),
        }))
    }
}

/// A program with what it needs to be seen.
struct Located {
    program: String,
    mounts: Vec<Mount>,
    folders: Vec<String>,
    environment: Vec<(String, String)>,
}

fn locate(search: &ToolchainSearch, program: &str) -> Option<Located> {
    // Parts of a toolchain come with it; what stands on the PATH under their names may be a shim.
    let main = match program {
        "cargo-clippy" | "rustfmt" => Some("cargo"),
        "gofmt" | "go" => Some("go"),
        "javac" => Some("javac"),
        _ => None,
    };
    if let Some(main) = main {
        let found = Toolbox::new(search.clone()).program(main)?;
        let program = found.sibling(program);
        let (folders, environment) = (found.path_dirs, found.env);
        return Some(Located { program, mounts: found.mounts, folders, environment });
    }
    let path = search.path.iter().map(|folder| folder.join(program)).find(|path| path.is_file())?;
    let mut mounts = Vec::new();
    for prefix in [prefix_of(&path, search), interpreter_prefix(&path, search)].into_iter().flatten() {
        if !mounts.iter().any(|mount: &Mount| Path::new(&mount.host) == prefix) {
            mounts.push(shown(&prefix, &prefix.to_string_lossy()));
        }
    }
    let folder = path.parent()?.to_string_lossy().into_owned();
    let program = path.to_string_lossy().into_owned();
    Some(Located { program, mounts, folders: vec![folder], environment: Vec::new() })
}

// The folder above `bin`: a tool's library stands beside it. Never a home folder, and nothing for the system's own.
fn prefix_of(program: &Path, search: &ToolchainSearch) -> Option<PathBuf> {
    let bin = program.parent()?;
    let system = ["/usr", "/bin", "/lib", "/opt/formicary"].iter().any(|folder| program.starts_with(folder));
    if system {
        return None;
    }
    let prefix = bin.parent()?;
    let too_much = prefix.components().count() < 3 || search.home.as_deref() == Some(prefix);
    Some(if too_much { bin.to_owned() } else { prefix.to_owned() })
}

// A script names its interpreter, which may be a link out of its folder.
fn interpreter_prefix(program: &Path, search: &ToolchainSearch) -> Option<PathBuf> {
    let mut head = [0; 256];
    let count = std::fs::File::open(program).ok()?.read(&mut head).ok()?;
    let line = head[..count].strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line).into_owned();
    let interpreter = Path::new(line.split_whitespace().next()?).canonicalize().ok()?;
    prefix_of(&interpreter, search)
}

fn shown(host: &Path, guest: &str) -> Mount {
    Mount { host: host.to_string_lossy().into_owned(), guest: guest.into(), access: MountAccess::ReadOnly }
}
