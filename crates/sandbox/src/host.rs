//! What this host offers, looked up once.

use crate::sys::features;
use std::sync::OnceLock;

/// What the kernel and its settings allow.
#[derive(Debug, Clone)]
pub struct Host {
    /// The kernel's release.
    pub kernel: String,
    /// Whether an ordinary process can make user namespaces; else why not, with the remedy.
    pub user_namespaces: Result<(), String>,
    /// Landlock's version, or why there is none.
    pub landlock: Result<u32, String>,
    /// Whether system calls can be filtered.
    pub seccomp: Result<(), String>,
}

/// Looks, the first time; remembers.
pub fn probe() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(|| Host {
        kernel: read("/proc/sys/kernel/osrelease"),
        user_namespaces: user_namespaces(),
        landlock: features::landlock_version().map_err(|error| {
            format!("landlock: {error} (it needs Linux 5.13 and `landlock` among the boot parameter lsm=)")
        }),
        seccomp: features::seccomp_listener()
            .map_err(|error| format!("seccomp: {error} (the kernel needs CONFIG_SECCOMP_FILTER)")),
    })
}

/// Settings that forbid user namespaces, each with its remedy. Whether they really work shows when one is made.
fn user_namespaces() -> Result<(), String> {
    if read("/proc/sys/user/max_user_namespaces") == "0" {
        return Err("user namespaces are switched off: `sysctl -w user.max_user_namespaces=10000`".into());
    }
    let is_root = crate::sys::process::effective_user() == 0;
    if !is_root && read("/proc/sys/kernel/unprivileged_userns_clone") == "0" {
        return Err(
            "user namespaces are for root only: `sysctl -w kernel.unprivileged_userns_clone=1`".into()
        );
    }
    let restricted = read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1";
    if !is_root && restricted && !has_profile(&read("/proc/self/attr/current")) {
        return Err("AppArmor restricts user namespaces: load the profile that comes with formicary, which allows them \
                    (`formicary doctor` shows how)"
            .into());
    }
    if let Err(error) = features::makes_namespaces() {
        return Err(format!(
            "clone3: {error}: a container's own filter forbids namespaces, or Linux is older than 5.3 (start the container \
             with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`)"
        ));
    }
    if !std::path::Path::new("/proc/self/ns/user").exists() {
        return Err("the kernel has no user namespaces (CONFIG_USER_NS)".into());
    }
    Ok(())
}

/// Whether a profile of AppArmor holds for this process; then it, and not the restriction of those without one, decides about
/// namespaces, which shows when one is made.
fn has_profile(label: &str) -> bool {
    !label.is_empty() && label != "unconfined"
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default().trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::has_profile;

    #[test]
    fn a_profile_is_told_from_none() {
        for (label, expected) in [
            ("unconfined", false),
            ("", false),
            ("formicary (unconfined)", true),
            ("docker-default (enforce)", true),
        ] {
            assert_eq!(has_profile(label), expected, "{label:?}");
        }
    }
}
