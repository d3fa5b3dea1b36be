//! Finding `runsc`, and what it can do.

use super::GvisorSettings;
use crate::sys::{process, socket};
use std::io::Read;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to do where it is missing.
pub const REMEDY: &str = "install gVisor (`apt-get install runsc`, or the release from gvisor.dev), or give its path as \
                          `gvisor.program` in the configuration";

const FOLDERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
/// How long it may take to say its version.
const PATIENCE: Duration = Duration::from_secs(4);
/// The first releases whose default this platform is.
const SYSTRAP_SINCE: u32 = 20_230_600;
const PLATFORMS: [&str; 3] = ["systrap", "ptrace", "kvm"];

/// A `runsc` that answers.
#[derive(Debug, Clone)]
pub struct Engine {
    /// Where it is.
    pub program: PathBuf,
    /// What it says of itself.
    pub version: String,
    /// How it intercepts system calls.
    pub platform: String,
    /// Whether that was named or follows from the version; else it is only the first to be tried.
    pub is_certain: bool,
    /// Whether it is started by an ordinary user.
    pub rootless: bool,
}

impl Engine {
    /// Looks for it and asks for its version.
    pub fn find(settings: &GvisorSettings) -> Result<Self, String> {
        let program = match &settings.program {
            Some(path) if path.is_file() => path.clone(),
            Some(path) => return Err(format!("there is no runsc at {}", path.display())),
            None => FOLDERS
                .map(|folder| Path::new(folder).join("runsc"))
                .into_iter()
                .find(|path| path.is_file())
                .ok_or_else(|| format!("runsc is in none of {}", FOLDERS.join(", ")))?,
        };
        let version = ask_version(&program)?;
        let (platform, is_certain) = match &settings.platform {
            Some(wanted) if PLATFORMS.contains(&wanted.as_str()) => (wanted.clone(), true),
            Some(other) => {
                return Err(format!("gVisor's platform {other:?} is none of {}", PLATFORMS.join(", ")));
            }
            None => {
                let found = platform(&version);
                (found.unwrap_or(GUESSES[0]).into(), found.is_some())
            }
        };
        Ok(Self { program, version, platform, is_certain, rootless: process::effective_user() != 0 })
    }
}

/// What is tried where the version tells nothing. `kvm` is never guessed: where the virtual machine is itself virtual it
/// hangs.
pub const GUESSES: [&str; 2] = ["systrap", "ptrace"];

/// What suits a release: `systrap` since it exists, `ptrace` before. `None`: this version tells no date.
fn platform(version: &str) -> Option<&'static str> {
    let dates = version.split(|c: char| !c.is_ascii_digit()).filter(|part| part.len() == 8);
    match dates.filter_map(|part| part.parse::<u32>().ok()).next() {
        Some(date) if date < SYSTRAP_SINCE => Some("ptrace"),
        Some(_) => Some("systrap"),
        None => None,
    }
}

fn ask_version(program: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", program.display());
    let (ours, theirs) = socket::pipe().map_err(failed)?;
    let null = std::fs::File::open("/dev/null").map_err(failed)?;
    let path = program.to_string_lossy();
    let descriptors = [null.as_raw_fd(), theirs.as_raw_fd(), theirs.as_raw_fd()];
    let mut child = process::spawn(&path, &[&path, "--version"], &[], &descriptors).map_err(failed)?;
    drop(theirs);
    if !child.wait_at_most(PATIENCE) {
        return Err(format!("{path} does not answer within {} s", PATIENCE.as_secs()));
    }
    let mut said = String::new();
    std::fs::File::from(ours).take(4096).read_to_string(&mut said).map_err(failed)?;
    let first: String = said.lines().next().unwrap_or_default().chars().take(200).collect();
    let version = first.strip_prefix("runsc version ").map(ToString::to_string);
    version.ok_or_else(|| format!("{path} is no runsc: it says {first:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_follow_from_versions() {
        for (version, expected) in [
            ("0.0~20221219.0", Some("ptrace")),
            ("release-20230320.0", Some("ptrace")),
            ("release-20240212.0", Some("systrap")),
            ("unknown", None),
        ] {
            assert_eq!(platform(version), expected, "{version}");
        }
    }

    #[test]
    fn what_is_not_there_is_said() {
        let settings = |program: &str| GvisorSettings { program: Some(program.into()), ..Default::default() };
        assert!(Engine::find(&settings("/no/runsc")).unwrap_err().contains("/no/runsc"));
        assert!(Engine::find(&settings("/bin/true")).unwrap_err().contains("no runsc"));
    }
}
