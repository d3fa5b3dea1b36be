//! The folder that describes one sandbox to `runsc`: a skeleton of a root, and what is mounted where.

use super::shared::{self, Shared};
use crate::guest::program;
use crate::providers::native::system;
use crate::{Job, SandboxError};
use formicary_guest::message::run::GROUPS;
use formicary_guest::role::Role;
use formicary_jail::spec::MountKind;
use formicary_model::{Limits, MountAccess, Network};
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Folders with a sized file system of their own, largest first.
pub const DISKS: [&str; 3] = ["/work", "/tmp", "/dev/shm"];
/// Where the guest agent is, in the guest.
pub const AGENT: &str = "/run/formicary-guest";
/// What the guest agent needs: to make the program another user, to end it, to read its files, to make its group. The
/// program itself keeps none of them.
const CAPABILITIES: [&str; 8] = [
    "CAP_CHOWN",
    "CAP_DAC_OVERRIDE",
    "CAP_FOWNER",
    "CAP_KILL",
    "CAP_SETGID",
    "CAP_SETPCAP",
    "CAP_SETUID",
    "CAP_SYS_ADMIN",
];

/// Writes the bundle into `folder`.
pub fn write(folder: &Path, job: &Job, shared: &Shared) -> Result<(), SandboxError> {
    let failed = |error: io::Error| SandboxError::step("write the bundle", error);
    let root = folder.join("rootfs");
    shared::make_folders(folder, Path::new("rootfs")).map_err(failed)?;
    for name in ["dev", "etc", "proc", GROUPS.trim_start_matches('/'), "sys", "tmp", "work"] {
        shared::make_folders(&root, Path::new(name)).map_err(failed)?;
    }
    let agent = root.join(AGENT.trim_start_matches('/'));
    fs::hard_link(shared.agent(), &agent)
        .or_else(|_| shared::put(&root, AGENT.trim_start_matches('/'), program::BYTES, 0o755))
        .map_err(failed)?;
    let system = system::system();
    for (path, target) in system.links.iter().filter(|(path, _)| !path.starts_with("dev/")) {
        symlink(target, root.join(path)).map_err(failed)?;
    }
    let mut mounts = own_mounts(&job.limits);
    let mut show = |source: &str, target: &str, access: &str| {
        shown(&root, source, target, access).map(|mount| mounts.push(mount)).map_err(failed)
    };
    let of_the_host = system.mounts.iter().filter(|mount| mount.kind != MountKind::Device);
    for mount in of_the_host.clone().filter(|mount| !shared::is_of_etc(mount)) {
        show(&mount.source, &mount.target, "ro")?;
    }
    if has_an_etc_of_its_own(job) {
        for (path, bytes) in system::files(job.network != Network::Host) {
            shared::put(&root, path, &bytes, 0o644).map_err(failed)?;
        }
        for mount in of_the_host.filter(|mount| shared::is_of_etc(mount)) {
            show(&mount.source, &mount.target, "ro")?;
        }
    } else {
        show(&shared.etc().to_string_lossy(), "etc", "ro")?;
        for mount in shared.shown() {
            show(&mount.source, &mount.target, "ro")?;
        }
    }
    for mount in &job.mounts {
        let access = if mount.access == MountAccess::ReadWrite { "rw" } else { "ro" };
        show(&mount.host, mount.guest.trim_start_matches('/'), access)?;
    }
    let text = config(mounts, &job.network).to_string();
    fs::write(folder.join("config.json"), text).map_err(failed)
}

/// Whether the shared `/etc` will not do: with the host's network come the host's names, and what a job lays below it needs a
/// place there.
fn has_an_etc_of_its_own(job: &Job) -> bool {
    job.network == Network::Host || job.mounts.iter().any(|mount| mount.guest.starts_with("/etc"))
}

/// A path of the host, with the place in the skeleton on which it is laid.
fn shown(root: &Path, source: &str, target: &str, access: &str) -> io::Result<Value> {
    shared::prepare_point(root, target, source)?;
    Ok(json!({
        "type": "bind",
        "source": source,
        "destination": format!("/{target}"),
        "options": ["rbind", "nosuid", "nodev", access],
    }))
}

/// Half of the disk for the working folder, a quarter each for the others: their sum is the limit.
pub fn shares(limits: &Limits) -> [(u64, u64); 3] {
    let part = |share: u64| (limits.disk_bytes / share, (limits.disk_inodes / share).max(8));
    [part(2), part(4), part(4)]
}

fn own_mounts(limits: &Limits) -> Vec<Value> {
    let mut mounts = vec![
        json!({ "type": "proc", "source": "proc", "destination": "/proc" }),
        json!({ "type": "tmpfs", "source": "tmpfs", "destination": "/dev", "options": ["nosuid", "mode=755"] }),
        json!({ "type": "sysfs", "source": "sysfs", "destination": "/sys", "options": ["ro", "nosuid", "nodev"] }),
        json!({
            "type": "tmpfs",
            "source": "tmpfs",
            "destination": GROUPS,
            "options": ["nosuid", "nodev", "mode=700", "size=64k"],
        }),
    ];
    let modes = [
        ("mode=755", "uid=1000", "gid=1000"),
        ("mode=1777", "uid=0", "gid=0"),
        ("mode=1777", "uid=0", "gid=0"),
    ];
    for ((folder, (bytes, _)), (mode, user, group)) in DISKS.iter().zip(shares(limits)).zip(modes) {
        let size = format!("size={bytes}");
        mounts.push(json!({
            "type": "tmpfs",
            "source": "tmpfs",
            "destination": folder,
            "options": ["nosuid", "nodev", mode, user, group, size],
        }));
    }
    mounts
}

fn config(mounts: Vec<Value>, network: &Network) -> Value {
    let kinds = ["pid", "network", "ipc", "uts", "mount"];
    let wanted = kinds.into_iter().filter(|kind| *kind != "network" || *network != Network::Host);
    let namespaces: Vec<Value> = wanted.map(|kind| json!({ "type": kind })).collect();
    json!({
        "ociVersion": "1.0.0",
        "process": {
            "user": { "uid": 0, "gid": 0 },
            "args": [AGENT, Role::Run.argument()],
            "env": [],
            "cwd": "/",
            "noNewPrivileges": false,
            "capabilities": {
                // The agent becomes nobody else, and what the program may never have need not be taken from it.
                "bounding": [],
                "effective": CAPABILITIES,
                "permitted": CAPABILITIES,
                "inheritable": [],
            },
        },
        "root": { "path": "rootfs", "readonly": true },
        "hostname": "formicary",
        "mounts": mounts,
        "linux": { "namespaces": namespaces },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_the_whole() {
        let limits = Limits::default();
        let sum: u64 = shares(&limits).iter().map(|(bytes, _)| bytes).sum();
        assert_eq!(sum, limits.disk_bytes);
    }
}
