//! What holds in a container on this host, and by what.

use super::engine::Engine;
use super::{DockerSettings, NAME, guest};
use crate::SandboxError;
use crate::cgroups::limits_cores;
use formicary_model::{Enforcement, Limits, Protection, ProtectionState};

/// The report for a run.
pub fn claims(
    engine: Result<&Engine, &SandboxError>,
    settings: &DockerSettings,
    limits: &Limits,
) -> Enforcement {
    let mut report = Enforcement::new(NAME);
    for protection in Protection::ALL {
        let state = match engine {
            Ok(engine) => state(protection, engine, settings, limits),
            Err(SandboxError::Unavailable { why, .. }) => ProtectionState::Missing(why.clone()),
            Err(error) => ProtectionState::Missing(error.to_string()),
        };
        report.record(protection, state);
    }
    report
}

fn state(
    protection: Protection,
    engine: &Engine,
    settings: &DockerSettings,
    limits: &Limits,
) -> ProtectionState {
    let enforced = |how: &str| ProtectionState::Enforced(how.into());
    let watched = |how: &str| ProtectionState::Watched(how.into());
    let limited = |how: &str| match engine.limits {
        true => enforced(how),
        false => ProtectionState::Missing("the engine cannot limit it on this host".into()),
    };
    match protection {
        Protection::Users => enforced("user 1000, no user namespaces"),
        Protection::Files => enforced("container's own root, read-only"),
        Protection::Processes => enforced("pid namespace"),
        Protection::Network => enforced("network namespace, loopback alone"),
        Protection::Ipc => enforced("ipc namespace"),
        Protection::HostName => enforced("uts namespace"),
        Protection::CgroupView => enforced("cgroup namespace"),
        Protection::Capabilities => enforced("all dropped"),
        Protection::NoNewPrivileges => enforced("no-new-privileges"),
        Protection::SystemCalls => match &settings.runtime {
            Some(runtime) => ProtectionState::Enforced(format!("seccomp deny-list, runtime {runtime}")),
            None => enforced("seccomp deny-list"),
        },
        Protection::FileAccess => enforced("read-only root, masked kernel paths"),
        Protection::Environment => enforced("built anew"),
        Protection::CleanUp => {
            enforced("the container ends with its controller; leftovers are swept by label")
        }
        Protection::WallTime => watched("controller's clock"),
        Protection::CpuTime if guest::is_one(settings) => watched("the engine's account, once a second"),
        Protection::ProcessCount if guest::is_one(settings) => watched("counted in the guest"),
        Protection::Memory if guest::is_one(settings) => {
            limited("cgroup around the guest, and memory of its processes watched")
        }
        Protection::CpuTime => watched("polled cgroup CPU time, and RLIMIT_CPU for each process"),
        Protection::Cores if !limits_cores(limits) => enforced("this host has no more"),
        Protection::Cores => limited("cgroup cpu quota"),
        Protection::Memory if !engine.counts_sockets => match engine.limits {
            true => {
                watched("cgroup memory, no swap beside; buffers of sockets and file locks by their number")
            }
            false => limited(""),
        },
        Protection::Memory => {
            limited("cgroup memory, no swap beside; file locks and netlink replies are watched")
        }
        Protection::ProcessCount => limited("cgroup pids"),
        Protection::Disk if engine.is_podman => enforced(
            "sized tmpfs: half for /work, a quarter each for /tmp and /dev/shm; files are not counted",
        ),
        Protection::Disk => enforced("sized tmpfs: half for /work, a quarter each for /tmp and /dev/shm"),
        Protection::OpenFiles => enforced("RLIMIT_NOFILE"),
        Protection::FileSize => enforced("RLIMIT_FSIZE"),
        Protection::Output => watched("capped by the controller while it streams"),
    }
}
