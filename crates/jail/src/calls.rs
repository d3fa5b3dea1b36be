//! System calls that the payload is refused, and how.
//!
//! A deny-list: allow-lists rot as languages' runtimes begin to use new calls. What the kernel learns after this
//! list was reviewed ([`LAST_REVIEWED`]) answers "not implemented", which every runtime survives.

use alloc::format;
use alloc::string::{String, ToString};
use libc::c_long;

/// The highest system call number that was looked at when the lists were made.
pub const LAST_REVIEWED: c_long = 469;

/// Calls that no ordinary program makes: refused with EPERM and told to the controller.
pub const TOLD: &[(c_long, &str)] = &[
    (libc::SYS_mount, "mount"),
    (libc::SYS_umount2, "umount2"),
    (libc::SYS_pivot_root, "pivot_root"),
    (libc::SYS_chroot, "chroot"),
    (libc::SYS_move_mount, "move_mount"),
    (libc::SYS_open_tree, "open_tree"),
    (libc::SYS_fsopen, "fsopen"),
    (libc::SYS_fsconfig, "fsconfig"),
    (libc::SYS_fsmount, "fsmount"),
    (libc::SYS_fspick, "fspick"),
    (libc::SYS_mount_setattr, "mount_setattr"),
    (467, "open_tree_attr"),
    (libc::SYS_setns, "setns"),
    (libc::SYS_swapon, "swapon"),
    (libc::SYS_swapoff, "swapoff"),
    (libc::SYS_reboot, "reboot"),
    (libc::SYS_kexec_load, "kexec_load"),
    (libc::SYS_kexec_file_load, "kexec_file_load"),
    (libc::SYS_init_module, "init_module"),
    (libc::SYS_finit_module, "finit_module"),
    (libc::SYS_delete_module, "delete_module"),
    (libc::SYS_acct, "acct"),
    (libc::SYS_settimeofday, "settimeofday"),
    (libc::SYS_clock_settime, "clock_settime"),
    (libc::SYS_quotactl, "quotactl"),
    (443, "quotactl_fd"),
    (libc::SYS_syslog, "syslog"),
    (libc::SYS_vhangup, "vhangup"),
    (libc::SYS_open_by_handle_at, "open_by_handle_at"),
    (libc::SYS_sethostname, "sethostname"),
    (libc::SYS_setdomainname, "setdomainname"),
    (libc::SYS_bpf, "bpf"),
    (libc::SYS_lookup_dcookie, "lookup_dcookie"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_iopl, "iopl"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_ioperm, "ioperm"),
];

/// Told too, but only with the arguments that [`crate::calls`]' users test for.
pub const TOLD_BY_ARGUMENT: &[(c_long, &str)] = &[
    (libc::SYS_unshare, "unshare"),
    (libc::SYS_clone, "clone with namespaces"),
    (libc::SYS_socket, "socket of a refused family"),
    (libc::SYS_socketpair, "socketpair of a refused family"),
];

/// Calls that harmless runtimes probe for: refused quietly with this error number.
pub const QUIET: &[(c_long, i32)] = &[
    (libc::SYS_io_uring_setup, libc::ENOSYS),
    (libc::SYS_io_uring_enter, libc::ENOSYS),
    (libc::SYS_io_uring_register, libc::ENOSYS),
    // Its flags lie behind a pointer that a filter cannot read; C libraries fall back to clone.
    (libc::SYS_clone3, libc::ENOSYS),
    (libc::SYS_userfaultfd, libc::EPERM),
    (libc::SYS_perf_event_open, libc::EPERM),
    (libc::SYS_fanotify_init, libc::EPERM),
    (libc::SYS_keyctl, libc::EPERM),
    (libc::SYS_add_key, libc::EPERM),
    (libc::SYS_request_key, libc::EPERM),
    (libc::SYS_name_to_handle_at, libc::EPERM),
    (447, libc::ENOSYS), // memfd_secret: memory that no other process, and no controller, can see
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_modify_ldt, libc::ENOSYS),
];

/// Whether a call that was told only asks for a new process or thread, in no new namespace.
pub fn is_plain_fork(number: c_long, first_argument: u64) -> bool {
    #[cfg(target_arch = "x86_64")]
    if matches!(number, libc::SYS_fork | libc::SYS_vfork) {
        return true;
    }
    number == libc::SYS_clone && first_argument & ANY_NAMESPACE as u64 == 0
}

/// Every flag of clone and unshare that makes a namespace, but for time's.
pub const ANY_NAMESPACE: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// The name of a call that is told.
pub fn name(number: c_long) -> String {
    TOLD.iter()
        .chain(TOLD_BY_ARGUMENT)
        .find(|(told, _)| *told == number)
        .map_or_else(|| format!("system call {number}"), |(_, name)| (*name).to_string())
}
