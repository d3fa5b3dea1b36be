//! A scope of the user's own systemd, for users to whom no group is delegated directly (a login over SSH).

use super::{Group, Places, limits_cores, v2};
use formicary_model::Limits;
use std::path::PathBuf;

/// The supervisor and the sandbox's first process live in the scope too.
const COMPANIONS: u64 = 2;

/// How to ask for a scope.
#[derive(Debug, Clone)]
pub struct Scope {
    program: PathBuf,
    mount: PathBuf,
    runtime: PathBuf,
}

impl Scope {
    /// Finds `systemd-run` and a running user manager, or says why not.
    pub fn find(places: &Places) -> Result<Self, String> {
        let (mount, _) = places.mounted("cgroup2").next().ok_or("systemd scopes need cgroup v2")?;
        let program =
            places.programs.iter().map(|folder| folder.join("systemd-run")).find(|path| path.is_file());
        let program = program.ok_or("systemd-run is not installed")?;
        let runtime = places.runtime.clone().filter(|runtime| runtime.join("systemd/private").exists());
        let runtime = runtime.ok_or("no systemd of this user is running")?;
        Ok(Self { program, mount, runtime })
    }

    /// The one variable by which `systemd-run` finds the user's systemd.
    pub fn environment(&self) -> String {
        format!("XDG_RUNTIME_DIR={}", self.runtime.display())
    }

    /// The words to put before the jail's own.
    pub fn words(&self, limits: &Limits) -> Vec<String> {
        let mut words = vec![self.program.to_string_lossy().into_owned()];
        words.extend(["--user", "--scope", "--quiet", "--collect"].map(String::from));
        let mut property = |name: &str, value: String| words.push(format!("--property={name}={value}"));
        property("MemoryMax", limits.memory_bytes.to_string());
        property("MemorySwapMax", "0".into());
        property("TasksMax", (u64::from(limits.processes) + COMPANIONS).to_string());
        if limits_cores(limits) {
            property("CPUQuota", format!("{}%", (limits.cores * 100.0).ceil()));
        }
        words.push("--".into());
        words
    }

    /// The group in which a process has landed, once it is a scope.
    pub fn group_of(&self, pid: i32) -> Option<Group> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
        let path = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
        path.ends_with(".scope").then(|| Group::Systemd(v2::Group::at(self.mount.join(path))))
    }
}
