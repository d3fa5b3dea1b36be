//! Git inside the sandbox: no network, the repository read-only, nothing of the user's settings. A repository that is
//! reviewed may be hostile, and git runs programs that a repository names.

use super::git::{GitOutput, GitRunner};
use formicary_files::{Entry, Kind, Root};
use formicary_model::{Assurance, Failure, FailureKind, Limits, Mount, MountAccess};
use formicary_sandbox::{Cancel, End, Job, Provider, RunIo, Stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) const MIB: u64 = 1024 * 1024;
/// Where the repository's directories appear inside: its own, a linked worktree's, and the one with the objects.
pub(crate) const INSIDE: [&str; 3] = ["/repository", "/worktree-git", "/common-git"];

/// Git, run by an isolation provider.
pub struct SandboxedGit<'a> {
    /// The providers of this host.
    pub providers: &'a [Arc<dyn Provider>],
    /// The name of the one that is wanted.
    pub provider: &'a str,
}

impl GitRunner for SandboxedGit<'_> {
    fn git(
        &self,
        _: &Path,
        visible: &[PathBuf],
        arguments: &[String],
        stdin: Vec<u8>,
    ) -> Result<GitOutput, Failure> {
        let provider = provider(self.providers, self.provider, "git")?;
        if let Some(pipe) = visible.first().and_then(|top| pipe_in_the_way(top)) {
            let message = format!("{} is a pipe or a device, and git would wait for it", pipe.display());
            return Err(Failure::new(FailureKind::InvalidInput, message).hint("remove it"));
        }
        let mut job = Job::new(["git".to_owned()].into_iter().chain(arguments.iter().cloned()));
        job.cwd = INSIDE[0].into();
        job.env = environment(visible);
        job.mounts = visible
            .iter()
            .zip(INSIDE)
            .map(|(host, guest)| Mount {
                host: host.to_string_lossy().into_owned(),
                guest: guest.into(),
                access: MountAccess::ReadOnly,
            })
            .collect();
        job.limits = Limits {
            wall_seconds: 120.0,
            cpu_seconds: 120.0,
            memory_bytes: 2048 * MIB,
            output_bytes: 512 * MIB,
            output_total_bytes: 600 * MIB,
            ..Limits::default()
        };
        // Git is no stranger's program; the sandbox guards against what a repository makes it do.
        job.assurance = Assurance::BestEffort;
        let io = RunIo { stdin: Stdin::Bytes(stdin), watch: &mut |_| (), cancel: Cancel::default() };
        let outcome = provider.run(&job, io)?;
        if outcome.stdout.omitted() > 0 {
            return Err(Failure::new(FailureKind::Internal, "git said more than can be held")
                .hint("review fewer files at a time"));
        }
        let stderr = String::from_utf8_lossy(&outcome.stderr.joined()).into_owned();
        let success = outcome.end == End::Exited(0);
        if outcome.end == End::Exited(127) && stderr.is_empty() {
            return Err(Failure::new(FailureKind::ToolchainMissing, "git is not on this host")
                .hint("install git, or give --new a folder or a diff file"));
        }
        Ok(GitOutput { success, stdout: outcome.stdout.joined(), stderr })
    }
}

/// The provider of this name, or the first one.
pub(crate) fn provider<'a>(
    providers: &'a [Arc<dyn Provider>],
    name: &str,
    what: &str,
) -> Result<&'a Arc<dyn Provider>, Failure> {
    let named = providers.iter().find(|provider| provider.name() == name);
    named.or_else(|| providers.first()).ok_or_else(|| {
        let message = format!("there is no isolation provider to run {what} in");
        Failure::new(FailureKind::IsolationUnavailable, message)
    })
}

/// What git reads whatever it is asked, and would wait for without end: an odd file in its own directory, or under the
/// name of one of its files of settings.
fn pipe_in_the_way(top: &Path) -> Option<PathBuf> {
    let root = Root::open(top).ok()?;
    let is_odd = |entry: &Entry| entry.kind == Kind::Other;
    let own = [".git", ".git/info"].into_iter().find_map(|directory| {
        let found = root.entries(Path::new(directory)).ok()?.into_iter().find(is_odd)?;
        Some(Path::new(directory).join(found.name))
    });
    let settings = || {
        let named = |entry: &Entry| entry.name.as_encoded_bytes().starts_with(b".git");
        root.entries(Path::new(".")).ok()?.into_iter().find(|entry| is_odd(entry) && named(entry))
    };
    own.or_else(|| settings().map(|entry| entry.name.into()))
}

// A linked worktree's own folder says where the objects are by a path relative to itself: it must be seen inside the
// folder that holds it.
fn environment(visible: &[PathBuf]) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", "/work"),
        ("LC_ALL", "C"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    let git_folder = match visible {
        [_, own, common] => {
            own.strip_prefix(common).ok().map(|below| format!("{}/{}", INSIDE[2], below.display()))
        }
        [_, _] => Some(INSIDE[1].to_owned()),
        _ => None,
    };
    if let Some(folder) = git_folder {
        pairs.push(("GIT_DIR".into(), folder));
        pairs.push(("GIT_WORK_TREE".into(), INSIDE[0].into()));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, mknodat};

    #[test]
    fn git_is_not_left_waiting_for_a_pipe() {
        for name in [".git/HEAD", ".git/info/exclude", ".gitattributes"] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(folder.path().join(".git/info")).unwrap();
            std::fs::write(folder.path().join(".git/config"), "").unwrap();
            assert_eq!(pipe_in_the_way(folder.path()), None);
            mknodat(CWD, folder.path().join(name), FileType::Fifo, 0o600.into(), 0).unwrap();
            assert_eq!(pipe_in_the_way(folder.path()), Some(name.into()));
        }
    }
}
