//! The three printers of the table of system-call rules agree, call by call and argument by argument.

use super::program::program;
use super::*;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use libc::{EAFNOSUPPORT, EINVAL, ENOSYS, EPERM};

macro_rules! numbers {
    ($($name:literal $constant:ident)+) => { &[$(($name, libc::$constant)),+] };
}

/// Numbers as the C library has them for the processor at hand.
const NUMBERS: &[(&str, c_long)] = numbers! {
    "mount" SYS_mount "umount2" SYS_umount2 "pivot_root" SYS_pivot_root "chroot" SYS_chroot
    "move_mount" SYS_move_mount "open_tree" SYS_open_tree "fsopen" SYS_fsopen "fsconfig" SYS_fsconfig
    "fsmount" SYS_fsmount "fspick" SYS_fspick "mount_setattr" SYS_mount_setattr "setns" SYS_setns
    "swapon" SYS_swapon "swapoff" SYS_swapoff "reboot" SYS_reboot "kexec_load" SYS_kexec_load
    "kexec_file_load" SYS_kexec_file_load "init_module" SYS_init_module "finit_module" SYS_finit_module
    "delete_module" SYS_delete_module "acct" SYS_acct "settimeofday" SYS_settimeofday
    "clock_settime" SYS_clock_settime "quotactl" SYS_quotactl "quotactl_fd" SYS_quotactl_fd
    "syslog" SYS_syslog "vhangup" SYS_vhangup "open_by_handle_at" SYS_open_by_handle_at
    "sethostname" SYS_sethostname "setdomainname" SYS_setdomainname "bpf" SYS_bpf
    "lookup_dcookie" SYS_lookup_dcookie "io_uring_setup" SYS_io_uring_setup
    "io_uring_enter" SYS_io_uring_enter "io_uring_register" SYS_io_uring_register "clone3" SYS_clone3
    "io_setup" SYS_io_setup "userfaultfd" SYS_userfaultfd "perf_event_open" SYS_perf_event_open
    "fanotify_init" SYS_fanotify_init "keyctl" SYS_keyctl "add_key" SYS_add_key
    "request_key" SYS_request_key "name_to_handle_at" SYS_name_to_handle_at "memfd_secret" SYS_memfd_secret
    "inotify_add_watch" SYS_inotify_add_watch
    "clone" SYS_clone "unshare" SYS_unshare "close_range" SYS_close_range "mmap" SYS_mmap
    "memfd_create" SYS_memfd_create "shmget" SYS_shmget "msgget" SYS_msgget "semget" SYS_semget
    "splice" SYS_splice "vmsplice" SYS_vmsplice "tee" SYS_tee "sendfile" SYS_sendfile
    "sched_setaffinity" SYS_sched_setaffinity "ioctl" SYS_ioctl "fcntl" SYS_fcntl
    "setsockopt" SYS_setsockopt "socket" SYS_socket "socketpair" SYS_socketpair "setrlimit" SYS_setrlimit
    "prlimit64" SYS_prlimit64 "mknodat" SYS_mknodat "fchmod" SYS_fchmod "fchmodat" SYS_fchmodat
    "mkdirat" SYS_mkdirat "openat" SYS_openat "openat2" SYS_openat2
};
/// The C library has no name for the last on every processor.
#[cfg(target_arch = "x86_64")]
const MORE_NUMBERS: &[(&str, c_long)] = numbers! {
    "iopl" SYS_iopl "ioperm" SYS_ioperm "modify_ldt" SYS_modify_ldt "mknod" SYS_mknod "chmod" SYS_chmod
    "fchmodat2" SYS_fchmodat2 "creat" SYS_creat "mkdir" SYS_mkdir "open" SYS_open
};
#[cfg(not(target_arch = "x86_64"))]
const MORE_NUMBERS: &[(&str, c_long)] = &[];

#[test]
fn numbers_are_those_of_the_c_library() {
    for (name, number) in NUMBERS.iter().chain(MORE_NUMBERS) {
        let call = TABLE.iter().find(|call| call.name == *name);
        let known = call.and_then(|call| call.number(Architecture::HERE)).map(c_long::from);
        assert_eq!(known, Some(*number), "{name}");
    }
}

#[test]
fn every_row_is_sound() {
    let names: BTreeSet<_> = TABLE.iter().map(|call| call.name).collect();
    assert_eq!(names.len(), TABLE.len(), "a call has two rows");
    for architecture in Architecture::ALL {
        let numbers: Vec<_> = TABLE.iter().filter_map(|call| call.number(architecture)).collect();
        let distinct: BTreeSet<_> = numbers.iter().copied().collect();
        assert_eq!(distinct.len(), numbers.len(), "two calls have one number");
        assert!(numbers.iter().all(|number| *number <= LAST_REVIEWED));
    }
    for call in TABLE {
        assert!(!call.rules.is_empty() && !call.why.is_empty(), "{}", call.name);
        for rule in call.rules {
            let tested: Vec<u8> = rule
                .tests
                .iter()
                .map(|test| match *test {
                    Test::AnyBit(index, _)
                    | Test::Among(index, ..)
                    | Test::NoneOf(index, _)
                    | Test::NotNull(index) => index,
                })
                .collect();
            let distinct: BTreeSet<_> = tested.iter().collect();
            assert_eq!(distinct.len(), tested.len(), "{}: one argument is tested twice", call.name);
        }
    }
}

/// The table by examples, so that a slip in it is not merely printed three times.
#[test]
fn the_table_means_what_it_says() {
    const X32: u32 = 0x4000_0000;
    let pointer = 1u64 << 40;
    let (fails, native) = (Verdict::Fail, Layer::Native);
    let fchmod = (91, [3, 0o4755, 0, 0, 0, 0]);
    type Case = (Layer, &'static [Refusal], (u32, [u64; 6]), Verdict);
    let cases: &[Case] = &[
        (native, &[], (0, [0; 6]), Verdict::Allow),
        (native, &[], (165, [0; 6]), Verdict::Notify),
        (Layer::Guest, &[], (165, [0; 6]), fails(EPERM)),
        (Layer::Profile, &[], (467, [0; 6]), fails(EPERM)),
        (native, &[], (470, [0; 6]), fails(ENOSYS)),
        (Layer::Guest, &[], (X32 | 272, [0; 6]), fails(ENOSYS)),
        (native, &[], (56, [17, 0, 0, 0, 0, 0]), Verdict::Allow),
        (native, &[], (56, [0x1000_0000, 0, 0, 0, 0, 0]), Verdict::Notify),
        (native, &[], (56, [0x400, 0, 0, 0, 0, 0]), Verdict::Allow),
        (native, &[Refusal::UnseenLocks], (56, [0x400, 0, 0, 0, 0, 0]), Verdict::Notify),
        (Layer::Guest, &[Refusal::UnseenLocks], (56, [0x400, 0, 0, 0, 0, 0]), Verdict::Allow),
        (native, &[], (272, [0x80, 0, 0, 0, 0, 0]), Verdict::Notify),
        (native, &[], (254, [3, 0, 0x100, 0, 0, 0]), Verdict::Notify),
        (Layer::Guest, &[], (254, [3, 0, 0x100, 0, 0, 0]), Verdict::Allow),
        (native, &[], (16, [0, 0x2_0000_5412, 0, 0, 0, 0]), fails(EPERM)),
        (native, &[], (41, [1, 1, 0, 0, 0, 0]), Verdict::Allow),
        (native, &[], (41, [16, 3, 0, 0, 0, 0]), Verdict::Allow),
        (native, &[], (41, [16, 3, 4, 0, 0, 0]), fails(EAFNOSUPPORT)),
        (Layer::Profile, &[], (41, [40, 1, 0, 0, 0, 0]), fails(EPERM)),
        (Layer::Guest, &[], (72, [3, 37, 0, 0, 0, 0]), fails(EINVAL)),
        (native, &[], (302, [1, 7, 0, pointer, 0, 0]), Verdict::Allow),
        (native, &[], (302, [1, 7, pointer, 0, 0, 0]), fails(EPERM)),
        (native, &[], (302, [0, 4, pointer, 0, 0, 0]), fails(0)),
        (Layer::Profile, &[], (302, [0, 4, pointer, 0, 0, 0]), Verdict::Allow),
        (native, &[], (133, [0, 0o020_600, 0, 0, 0, 0]), fails(EPERM)),
        (native, &[], (133, [0, 0o010_600, 0, 0, 0, 0]), Verdict::Allow),
        (native, &[], fchmod, Verdict::Allow),
        (native, &[Refusal::SetuidBits], fchmod, fails(EPERM)),
        (native, &[Refusal::SetuidBits], (257, [0, 0, 0, 0o4755, 0, 0]), Verdict::Allow),
        (native, &[Refusal::SetuidBits], (257, [0, 0, 0o100, 0o4755, 0, 0]), fails(EPERM)),
    ];
    for (layer, refusals, (number, arguments), expected) in cases {
        let found = verdict(Architecture::X86_64, *layer, refusals, *number, arguments);
        assert_eq!(found, *expected, "{layer:?} {refusals:?} {number} {arguments:x?}");
    }
}

#[test]
fn programs_fit_into_the_kernel() {
    let every = [
        Refusal::HiddenMemory,
        Refusal::UncountedSharing,
        Refusal::UnseenLocks,
        Refusal::Affinity,
        Refusal::SetuidBits,
    ];
    for architecture in Architecture::ALL {
        for layer in [Layer::Native, Layer::Guest] {
            let length = program(architecture, layer, &every).len();
            // The kernel takes at most 4096 instructions, and follows them for each of its calls.
            assert!((100..800).contains(&length), "{length} instructions");
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn reported_calls_have_names() {
    for (number, expected) in [
        (libc::SYS_mount, "mount"),
        (libc::SYS_clone, "clone with namespaces"),
        (libc::SYS_socket, "socket of a refused family"),
        (libc::SYS_read, "system call 0"),
    ] {
        assert_eq!(name(number), expected);
    }
}
