//! bubblewrap with a view of the file system like ours. It has no cgroup, no seccomp filter and no landlock.

use super::{Options, Peer, Workload, time_process};
use std::process::Command;
use std::time::Duration;

/// Its name in the table.
pub const NAME: &str = "bwrap";

/// All namespaces, read-only system, fresh /proc and /dev, tmpfs for work and /tmp, empty environment.
const ARGUMENTS: [&str; 28] = [
    "--unshare-all",
    "--die-with-parent",
    "--ro-bind",
    "/usr",
    "/usr",
    "--symlink",
    "usr/bin",
    "/bin",
    "--symlink",
    "usr/lib",
    "/lib",
    "--symlink",
    "usr/lib64",
    "/lib64",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
    "--tmpfs",
    "/work",
    "--chdir",
    "/work",
    "--clearenv",
    "--setenv",
    "PATH",
    "/usr/bin:/bin",
];

/// Takes part where it is installed and works.
pub fn make(_: &Options) -> Result<Box<dyn Peer>, String> {
    time_process(Command::new("bwrap").args(ARGUMENTS).arg("/bin/true"))
        .map_err(|error| format!("{error} (install the package bubblewrap)"))?;
    Ok(Box::new(Bwrap))
}

struct Bwrap;

impl Peer for Bwrap {
    fn name(&self) -> &'static str {
        NAME
    }

    fn note(&self) -> &'static str {
        "namespaces and mounts; no resource limits, seccomp or landlock"
    }

    fn run(&mut self, workload: &Workload) -> Result<Duration, String> {
        time_process(Command::new("bwrap").args(ARGUMENTS).args(workload.command))
    }
}
