//! How to get a protection that this host does not give, one line each.

use formicary_model::Protection;

const USER_NAMESPACES: &str = "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces above 0, and on Ubuntu the AppArmor profile that comes with formicary; or run as root";
const CGROUP: &str = "give Formicary a cgroup: run as root, or under a systemd user session (loginctl enable-linger), or in a delegated cgroup";

/// What to do where a protection is missing.
pub const fn when_missing(protection: Protection) -> &'static str {
    match protection {
        Protection::Users
        | Protection::Files
        | Protection::Processes
        | Protection::Network
        | Protection::Ipc
        | Protection::HostName
        | Protection::CgroupView
        | Protection::Capabilities
        | Protection::CleanUp => USER_NAMESPACES,
        Protection::NoNewPrivileges | Protection::SystemCalls => {
            "use a kernel with CONFIG_SECCOMP_FILTER, 5.0 or later"
        }
        Protection::FileAccess => {
            "use a kernel with landlock, 5.13 or later, and boot with landlock in lsm= (see /sys/kernel/security/lsm)"
        }
        Protection::Environment => "use the native provider: it starts programs with a clean environment",
        Protection::Memory | Protection::Cores | Protection::ProcessCount => CGROUP,
        Protection::WallTime
        | Protection::CpuTime
        | Protection::Disk
        | Protection::OpenFiles
        | Protection::FileSize
        | Protection::Output => "use the native provider: it needs nothing but user namespaces for this",
    }
}

/// What to do so that the kernel enforces a limit that Formicary only watches; `None` where watching is its nature.
pub const fn when_watched(protection: Protection) -> Option<&'static str> {
    match protection {
        Protection::Memory | Protection::Cores | Protection::ProcessCount => Some(CGROUP),
        _ => None,
    }
}
