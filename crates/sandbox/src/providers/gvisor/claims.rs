//! What holds in a gVisor sandbox on this host, and by what.

use super::NAME;
use super::engine::Engine;
use crate::cgroups::{Backend, limits_cores};
use formicary_model::{Enforcement, Limits, Network, Protection, ProtectionState};

/// The report for a run.
pub fn claims(
    engine: Result<&Engine, &String>,
    backend: &Backend,
    limits: &Limits,
    network: &Network,
) -> Enforcement {
    let mut report = Enforcement::new(NAME);
    for protection in Protection::ALL {
        let state = match engine {
            Ok(engine) => state(protection, engine, backend, limits, network),
            Err(why) => ProtectionState::Missing(why.clone()),
        };
        report.record(protection, state);
    }
    report
}

fn state(
    protection: Protection,
    engine: &Engine,
    backend: &Backend,
    limits: &Limits,
    network: &Network,
) -> ProtectionState {
    let enforced = |how: &str| ProtectionState::Enforced(how.into());
    let watched = |how: &str| ProtectionState::Watched(how.into());
    let in_group = matches!(backend, Backend::V1(_) | Backend::V2(_));
    match protection {
        Protection::Network if *network == Network::Host => ProtectionState::Waived("network host".into()),
        Protection::Network => enforced("the guest's own network, loopback alone"),
        Protection::SystemCalls => ProtectionState::Enforced(format!(
            "gVisor's kernel (runsc {} by {}), itself behind seccomp",
            engine.version, engine.platform
        )),
        Protection::Files => enforced("the guest's own files; the host's read-only through a proxy process"),
        Protection::FileAccess => enforced("the proxy process opens nothing but what was shown"),
        Protection::Capabilities => enforced("all sets empty in the guest"),
        Protection::NoNewPrivileges => enforced("prctl no_new_privs"),
        Protection::Environment => enforced("built anew"),
        Protection::CleanUp => enforced("the guest ends with its controller; its files are in its memory"),
        Protection::WallTime => watched("controller's clock"),
        Protection::CpuTime if in_group => watched("polled cgroup CPU time"),
        Protection::CpuTime => watched("polled account of the guest"),
        Protection::Cores if !limits_cores(limits) => enforced("this host has no more"),
        Protection::Cores if in_group => enforced("cgroup around the guest"),
        Protection::Cores => enforced("processor affinity of the guest, whole cores"),
        Protection::Memory if in_group => enforced("cgroup around the guest, and its own account watched"),
        Protection::Memory => watched("polled account of the guest"),
        Protection::ProcessCount => enforced("pids.max in the guest"),
        Protection::Disk => enforced(
            "sized tmpfs: half for /work, a quarter each for /tmp and /dev/shm; their number by memory",
        ),
        Protection::OpenFiles => enforced("RLIMIT_NOFILE"),
        Protection::FileSize => enforced("RLIMIT_FSIZE"),
        Protection::Output => watched("capped by the controller while it streams"),
        Protection::Users
        | Protection::Processes
        | Protection::Ipc
        | Protection::HostName
        | Protection::CgroupView => enforced("the guest's own kernel"),
    }
}
