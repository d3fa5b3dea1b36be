//! What holds in a native sandbox on this host, and by what.

use super::NAME;
use crate::cgroups::{Backend, limits_cores};
use crate::host;
use formicary_jail::message::Missing;
use formicary_model::{Enforcement, Limits, Network, Protection, ProtectionState};

/// The report for a run: what is known before it, and what the jail said was missing.
pub fn claims(
    backend: &Backend,
    limits: &Limits,
    network: &Network,
    missing: &[(Missing, String)],
) -> Enforcement {
    let mut report = Enforcement::new(NAME);
    let host = host::probe();
    let namespaces = |what: &str| match &host.user_namespaces {
        Ok(()) => ProtectionState::Enforced(format!("{what} namespace")),
        Err(why) => ProtectionState::Missing(why.clone()),
    };
    let reported = |which: Missing| missing.iter().find(|(one, _)| *one == which).map(|(_, why)| why.clone());
    let state = |protection| match protection {
        Protection::Users => match reported(Missing::NestedUsers) {
            Some(why) => {
                ProtectionState::Missing(format!("further user namespaces are not ruled out: {why}"))
            }
            None => namespaces("user"),
        },
        Protection::Files => namespaces("mount"),
        Protection::Processes => match reported(Missing::Proc) {
            Some(why) => ProtectionState::Missing(format!("no fresh /proc: {why}")),
            None => namespaces("pid"),
        },
        Protection::Network if *network == Network::Host => ProtectionState::Waived("network host".into()),
        Protection::Network => namespaces("network"),
        Protection::Ipc => namespaces("ipc"),
        Protection::HostName => namespaces("uts"),
        Protection::CgroupView => namespaces("cgroup"),
        Protection::Capabilities => ProtectionState::Enforced("all sets empty, securebits locked".into()),
        Protection::NoNewPrivileges => ProtectionState::Enforced("prctl no_new_privs".into()),
        Protection::SystemCalls => match &host.seccomp {
            Ok(()) => ProtectionState::Enforced("seccomp deny-list".into()),
            Err(why) => ProtectionState::Missing(why.clone()),
        },
        Protection::FileAccess => match (&host.landlock, reported(Missing::Landlock)) {
            (Ok(version), None) => ProtectionState::Enforced(format!("landlock ABI {version}")),
            (Err(why), _) => ProtectionState::Missing(why.clone()),
            (_, Some(why)) => ProtectionState::Missing(why),
        },
        Protection::Environment => ProtectionState::Enforced("built anew".into()),
        Protection::CleanUp => ProtectionState::Enforced("pid namespace, parent-death signal, tmpfs".into()),
        Protection::WallTime => ProtectionState::Watched("controller's clock".into()),
        Protection::CpuTime => ProtectionState::Watched(match backend {
            Backend::None(_) => "polled /proc, and RLIMIT_CPU for each process".into(),
            _ => "polled cgroup CPU time, and RLIMIT_CPU for each process".to_string(),
        }),
        Protection::Cores => cores(backend, limits),
        Protection::Memory => memory(backend),
        Protection::ProcessCount => ProtectionState::Enforced(match backend {
            Backend::V1(_) => "cgroup v1 pids.max and RLIMIT_NPROC".into(),
            Backend::V2(_) | Backend::Systemd(_) => "cgroup v2 pids.max and RLIMIT_NPROC".into(),
            Backend::None(_) if counts_by_namespace(&host.kernel) => {
                "RLIMIT_NPROC within the user namespace".into()
            }
            Backend::None(_) => {
                "RLIMIT_NPROC, for which this kernel counts all processes of the user".to_string()
            }
        }),
        Protection::Disk => ProtectionState::Enforced("sized tmpfs".into()),
        Protection::OpenFiles => ProtectionState::Enforced("RLIMIT_NOFILE".into()),
        Protection::FileSize => ProtectionState::Enforced("RLIMIT_FSIZE".into()),
        Protection::Output => ProtectionState::Watched("capped by the controller while it streams".into()),
    };
    for protection in Protection::ALL {
        report.record(protection, state(protection));
    }
    report
}

/// Since Linux 5.14 each user namespace has a count of its own.
fn counts_by_namespace(kernel: &str) -> bool {
    let mut numbers = kernel.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (5, 14)
}

fn cores(backend: &Backend, limits: &Limits) -> ProtectionState {
    if !limits_cores(limits) {
        return ProtectionState::Enforced("this host has no more".into());
    }
    match backend {
        Backend::V1(parents) if parents.controllers().contains(&"cpu") => {
            ProtectionState::Enforced("cgroup v1 cpu.cfs_quota_us".into())
        }
        Backend::V2(parent) if parent.limits_cores() => ProtectionState::Enforced("cgroup v2 cpu.max".into()),
        Backend::Systemd(_) => ProtectionState::Enforced("cgroup v2 cpu.max (CPUQuota)".into()),
        Backend::None(_) => {
            ProtectionState::Enforced("processor affinity, whole cores, locked by seccomp".into())
        }
        Backend::V1(_) | Backend::V2(_) => ProtectionState::Missing("no cpu controller in our cgroup".into()),
    }
}

/// What the kernel counts in no group.
const BESIDE: &str = "file locks and netlink replies are watched";

fn memory(backend: &Backend) -> ProtectionState {
    match backend {
        Backend::V1(parents) if parents.bounds_sockets() => ProtectionState::Enforced(format!(
            "cgroup v1 memory.limit_in_bytes, and a quarter of that for memory.kmem.tcp; {BESIDE}"
        )),
        Backend::V1(_) => ProtectionState::Watched(format!(
            "cgroup v1 memory.limit_in_bytes, which leaves out buffers of sockets; those and {BESIDE}"
        )),
        Backend::V2(_) => ProtectionState::Enforced(format!("cgroup v2 memory.max; {BESIDE}")),
        Backend::Systemd(_) => {
            ProtectionState::Enforced(format!("cgroup v2 memory.max (systemd user scope); {BESIDE}"))
        }
        Backend::None(why) => ProtectionState::Watched(format!(
            "polled memory of all processes and what the kernel holds for them, hidden kinds refused ({why})"
        )),
    }
}

/// What keeps a report from the level that was asked for, in one line.
pub fn shortfall(report: &Enforcement, watched_is_not_enough: bool) -> String {
    // What is missing for one and the same reason is told together.
    let mut missing: Vec<(Vec<String>, &str)> = Vec::new();
    for (protection, why) in report.missing() {
        match missing.iter_mut().find(|(_, known)| *known == why) {
            Some((together, _)) => together.push(protection.to_string()),
            None => missing.push((vec![protection.to_string()], why)),
        }
    }
    let told = |(which, why): &(Vec<String>, &str)| {
        let verb = if which.len() == 1 { "is" } else { "are" };
        format!("{} {verb} missing ({why})", which.join(", "))
    };
    let mut reasons: Vec<String> = missing.iter().map(told).collect();
    if watched_is_not_enough {
        for protection in [Protection::Memory, Protection::ProcessCount, Protection::Cores, Protection::Disk]
        {
            if let Some(ProtectionState::Watched(how)) = report.protections.get(&protection) {
                reasons.push(format!("{protection} is only watched ({how})"));
            }
        }
    }
    reasons.join("; ")
}

#[cfg(test)]
mod tests {
    use super::counts_by_namespace;

    #[test]
    fn kernels_that_count_processes_by_namespace() {
        for (kernel, counts) in [
            ("6.18.44-fc", true),
            ("5.14.0-427.el9", true),
            ("5.10.0-28-amd64", false),
            ("4.19.0", false),
            ("", false),
        ] {
            assert_eq!(counts_by_namespace(kernel), counts, "{kernel}");
        }
    }
}
