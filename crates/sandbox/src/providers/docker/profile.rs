//! The system calls that a container is refused: the jail's own lists, in the engine's words.

use formicary_jail::calls;
use serde_json::{Value, json};

/// Quietly refused calls by name: the engine knows no numbers.
const QUIET: [(&str, i32); 13] = [
    ("io_uring_setup", libc::ENOSYS),
    ("io_uring_enter", libc::ENOSYS),
    ("io_uring_register", libc::ENOSYS),
    ("clone3", libc::ENOSYS),
    ("userfaultfd", libc::EPERM),
    ("perf_event_open", libc::EPERM),
    ("fanotify_init", libc::EPERM),
    ("keyctl", libc::EPERM),
    ("add_key", libc::EPERM),
    ("request_key", libc::EPERM),
    ("name_to_handle_at", libc::EPERM),
    ("memfd_secret", libc::ENOSYS),
    ("modify_ldt", libc::ENOSYS),
];
/// Calls that the engine's library may be too old to know; it then refuses the whole profile.
const TOO_NEW: [&str; 4] = ["open_tree_attr", "quotactl_fd", "memfd_secret", "mount_setattr"];
const NEW_TIME: u64 = 0x80;
const TERMINAL_REQUESTS: [u64; 2] = [0x5412, 0x541c];
/// Unix, internet and netlink.
const FAMILIES: [u64; 4] = [1, 2, 10, 16];
const LAST_FAMILY: u64 = 46;

/// The profile as the engine takes it.
pub fn profile() -> String {
    let mut rules: Vec<Value> = Vec::new();
    let mut refuse = |names: &[&str], errno: i32, arguments: Value| {
        rules.push(json!({
            "names": names,
            "action": "SCMP_ACT_ERRNO",
            "errnoRet": errno,
            "args": arguments,
        }));
    };
    let told: Vec<&str> =
        calls::TOLD.iter().map(|(_, name)| *name).filter(|name| !TOO_NEW.contains(name)).collect();
    refuse(&told, libc::EPERM, json!([]));
    for (name, errno) in QUIET.into_iter().filter(|(name, _)| !TOO_NEW.contains(name)) {
        refuse(&[name], errno, json!([]));
    }
    let masked = |index: u32, mask: u64, value: u64| json!({ "index": index, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ" });
    for bit in (0..32).map(|bit| 1u64 << bit).filter(|bit| calls::ANY_NAMESPACE as u64 & bit != 0) {
        refuse(&["clone", "unshare"], libc::EPERM, json!([masked(0, bit, bit)]));
    }
    refuse(&["unshare"], libc::EPERM, json!([masked(0, NEW_TIME, NEW_TIME)]));
    for request in TERMINAL_REQUESTS {
        refuse(&["ioctl"], libc::EPERM, json!([masked(1, 0xffff_ffff, request)]));
    }
    for family in (3..=LAST_FAMILY).filter(|family| !FAMILIES.contains(family)) {
        refuse(&["socket", "socketpair"], libc::EPERM, json!([masked(0, 0xffff_ffff, family)]));
    }
    // Of netlink, only what tells of routes.
    for bit in (0..32).map(|bit| 1u64 << bit) {
        refuse(&["socket"], libc::EPERM, json!([masked(0, 0xffff_ffff, 16), masked(2, bit, bit)]));
    }
    // Limits of one's own only: the warden is a process of the same user.
    for bit in (0..32).map(|bit| 1u64 << bit) {
        refuse(&["prlimit64"], libc::EPERM, json!([masked(0, bit, bit)]));
    }
    json!({ "defaultAction": "SCMP_ACT_ALLOW", "architectures": architectures(), "syscalls": rules })
        .to_string()
}

/// Numbers of an interface that is not listed mean death, and there are programs that probe.
fn architectures() -> &'static [&'static str] {
    if cfg!(target_arch = "aarch64") {
        &["SCMP_ARCH_AARCH64"]
    } else {
        &["SCMP_ARCH_X86_64", "SCMP_ARCH_X32"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_names_what_the_jail_refuses() {
        let profile = profile();
        for name in ["\"mount\"", "\"bpf\"", "io_uring_setup", "\"keyctl\"", "\"prlimit64\""] {
            assert!(profile.contains(name), "{name}");
        }
        assert_eq!(QUIET.len(), calls::QUIET.len());
    }
}
