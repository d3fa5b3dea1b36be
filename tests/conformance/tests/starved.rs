//! Hosts that are out of namespaces, of processes, of memory. Each is made for the test: a user namespace, a user or a cgroup
//! with limits of its own.
#![expect(clippy::disallowed_types, reason = "the small host is made by a program")]

use formicary_testkit::scratch::Scratch;
use formicary_testkit::skips::Skips;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

static SKIPS: Skips = Skips::new();
/// What a controller, its pool and a small program need, and no glutton has.
const LITTLE: u64 = 96 << 20;
/// A user whom nobody else is, so that only the test's own processes count.
const STRANGER: &str = "1879048191";

#[test]
fn out_of_namespaces() {
    let done = in_a_small_host("few-namespaces", "echo 3 > /proc/sys/user/max_user_namespaces");
    assert_eq!(done, Ok(()));
}

/// Forks fail as they do where there is no memory for another process.
#[test]
fn out_of_processes() {
    // Where everybody can read it.
    let scratch = Scratch::new("starved").unwrap();
    let small_host = scratch.path().join("small-host");
    std::fs::copy(env!("CARGO_BIN_EXE_conformance-small-host"), &small_host).unwrap();
    std::fs::set_permissions(scratch.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let small_host = small_host.to_str().unwrap();
    let mut words: Vec<&str> = Vec::new();
    if rustix::process::geteuid().is_root() {
        // Root may always start one more.
        words.extend(["setpriv", "--reuid", STRANGER, "--regid", STRANGER, "--clear-groups"]);
    }
    words.extend(["timeout", "120", small_host, "few-processes"]);
    assert_eq!(done(Command::new(words[0]).args(&words[1..])), Ok(()));
}

#[test]
fn out_of_memory() {
    let Some(group) = Group::new() else {
        return SKIPS.note("out_of_memory", "no cgroup with a limit of memory can be made here");
    };
    let small_host = env!("CARGO_BIN_EXE_conformance-small-host");
    let enter =
        format!("echo 0 > {}/cgroup.procs && exec timeout 120 {small_host} little-memory", group.0.display());
    let said = done(Command::new("sh").arg("-c").arg(enter));
    let left = std::fs::remove_dir(&group.0).map_err(|error| format!("something is left in it: {error}"));
    assert_eq!((said, left), (Ok(()), Ok(())));
}

/// A group below our own that has little memory.
struct Group(PathBuf);

impl Group {
    fn new() -> Option<Self> {
        let own = std::fs::read_to_string("/proc/self/cgroup").ok()?;
        let path =
            |line: &str| line.splitn(3, ':').nth(2).map(|path| path.trim_start_matches('/').to_string());
        let of_memory = |line: &&str| {
            line.split(':').nth(1).is_some_and(|names| names.split(',').any(|name| name == "memory"))
        };
        let (parent, limit) = match own.lines().find(of_memory) {
            Some(line) => (Path::new("/sys/fs/cgroup/memory").join(path(line)?), "memory.limit_in_bytes"),
            None => (Path::new("/sys/fs/cgroup").join(path(own.lines().next()?)?), "memory.max"),
        };
        let group = Self(parent.join(format!("starved-test-{}", std::process::id())));
        std::fs::create_dir(&group.0).ok()?;
        std::fs::write(group.0.join(limit), LITTLE.to_string()).ok()?;
        // Version 2 lets controllers through only to groups without processes of their own.
        group.0.join("memory.limit_in_bytes").exists().then_some(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.0);
    }
}

/// Plays a scenario in a user namespace, where `first` is done before.
fn in_a_small_host(scenario: &str, first: &str) -> Result<(), String> {
    let words = "--user --map-root-user --mount --pid --fork --kill-child --mount-proc sh -c".split(' ');
    let play = format!("{first} && exec timeout 120 \"$0\" {scenario}");
    done(Command::new("unshare").args(words).arg(play).arg(env!("CARGO_BIN_EXE_conformance-small-host")))
}

fn done(command: &mut Command) -> Result<(), String> {
    let done = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    if done.status.success() { Ok(()) } else { Err(format!("{}: {said}", done.status)) }
}
