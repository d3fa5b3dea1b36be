//! The rules, one row a system call: its numbers, what happens to it, and why.
//!
//! Constants of arguments are the same on both processors; the numbers of calls are compared with the C library's.

use super::{Action, Call, Layer, Rule, Test};
use crate::spec::Refusal;
use libc::{EAFNOSUPPORT, EINVAL, ENOPROTOOPT, ENOSYS, EPERM};

/// Every flag of clone and unshare that makes a namespace, but for time's.
pub const ANY_NAMESPACE: u32 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32;
/// Shares its bit with clone's exit signal, so that only unshare is tested for it.
const NEW_TIME: u32 = 0x80;
/// The flags of clone that decide who shares a table of open files.
pub const FILES_AND_THREAD: u32 = FILES | THREAD;
const FILES: u32 = libc::CLONE_FILES as u32;
const THREAD: u32 = libc::CLONE_THREAD as u32;

/// The whole of an argument.
const WHOLE: u32 = u32::MAX;
/// Terminal requests that type for the user (TIOCSTI) or drive a console (TIOCLINUX).
const TERMINAL_REQUESTS: &[u32] = &[0x5412, 0x541c];
const SHARED: u32 = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32;
const NETLINK: u32 = libc::AF_NETLINK as u32;
/// Unix and internet sockets, and the netlink family from whose routes a program learns its own addresses.
const FAMILIES: &[u32] = &[libc::AF_UNIX as u32, libc::AF_INET as u32, libc::AF_INET6 as u32, NETLINK];
/// Flow labels belong to the network and outlive their socket.
const FLOW_LABELS: u32 = 32;
const CORE: u32 = libc::RLIMIT_CORE;
const DEVICES: &[u32] = &[libc::S_IFCHR, libc::S_IFBLK];
const SETUID_BITS: u32 = libc::S_ISUID | libc::S_ISGID;
/// With these flags, opening makes a file; without them, the register of the mode holds anything.
const MAKES_A_FILE: u32 = (libc::O_CREAT | (libc::O_TMPFILE & !libc::O_DIRECTORY)) as u32;

const AGENT_SETS_IT: &str = "the guest agent, on which the profile lies too, sets its program's limit";
const ENGINES_USE_IT: &str = "engines open the container's own files by it after the profile is in force";

const fn call(
    name: &'static str,
    x86_64: Option<u32>,
    aarch64: Option<u32>,
    rules: &'static [Rule],
    why: &'static str,
) -> Call {
    Call { name, numbers: [x86_64, aarch64], rules, why, reported_as: None }
}

/// A call with this number on x86-64, and this one on Arm.
const fn on_both(
    name: &'static str,
    x86_64: u32,
    aarch64: u32,
    rules: &'static [Rule],
    why: &'static str,
) -> Call {
    call(name, Some(x86_64), Some(aarch64), rules, why)
}

/// A call of the kernel's later years: one number everywhere.
const fn common(name: &'static str, number: u32, rules: &'static [Rule], why: &'static str) -> Call {
    on_both(name, number, number, rules, why)
}

/// A call that only x86-64 has.
const fn on_x86_64(name: &'static str, number: u32, rules: &'static [Rule], why: &'static str) -> Call {
    call(name, Some(number), None, rules, why)
}

impl Call {
    const fn reported_as(self, name: &'static str) -> Self {
        Self { reported_as: Some(name), ..self }
    }
}

const fn fail(errno: i32, tests: &'static [Test]) -> Rule {
    Rule::new(Action::Fail(errno), tests)
}

/// No ordinary program makes the call: refused, and reported to a controller that listens.
const REPORTED: &[Rule] = &[Rule::new(Action::Report, &[])];
/// Harmless runtimes probe for the call: refused quietly.
const FORBIDDEN: &[Rule] = &[fail(EPERM, &[])];
/// As by a kernel that does not have the call.
const UNKNOWN: &[Rule] = &[fail(ENOSYS, &[])];
/// Memory that lies in no process, where a controller only watches processes.
const HIDDEN_MEMORY: &[Rule] = &[fail(ENOSYS, &[]).when(Refusal::HiddenMemory)];
/// Pages that are put into pipes and sockets without being copied. Programs copy instead when they hear that this does not
/// work for a file.
const HIDDEN_PAGES: &[Rule] = &[fail(EINVAL, &[]).when(Refusal::HiddenMemory)];

const fn no_setuid_bits(tests: &'static [Test]) -> Rule {
    fail(EPERM, tests).when(Refusal::SetuidBits)
}
/// The permission bits are the second argument, or the third.
const MODE_SECOND: &[Rule] = &[no_setuid_bits(&[Test::AnyBit(1, SETUID_BITS)])];
const MODE_THIRD: &[Rule] = &[no_setuid_bits(&[Test::AnyBit(2, SETUID_BITS)])];

const LIMITED_FAMILIES: &[Rule] = &[
    Rule::new(Action::Report, &[Test::NoneOf(0, FAMILIES)]),
    fail(EAFNOSUPPORT, &[Test::Among(0, WHOLE, &[NETLINK]), Test::AnyBit(2, WHOLE)]),
];

const MOUNTS: &str = "changes what is mounted";
const SWAP: &str = "changes the host's swap space";
const KERNEL: &str = "replaces or extends the running kernel";
const CLOCK: &str = "sets the host's clock";
const QUOTA: &str = "changes the host's quotas";
const NAME: &str = "renames the host";
const PORTS: &str = "reaches the hardware";
const RING: &str = "makes calls that no filter sees";
const KEYS: &str = "the kernel's key rings outlive the sandbox";
const NO_PROCESS: &str = "memory that lies in no process is not seen where processes are watched";
const PAGES: &str = "pages in pipes and sockets lie in no process";
const MODE: &str = "on a writable mount a setuid file outlives the sandbox, with the host's owner";
const FAMILY: &str = "kernel code that no ordinary program needs";
const LIMITS: &str = "the first process has the payload's user and could be starved by it; at a core limit of one byte, and at no \
                      other, the kernel does not start the host's crash handler";
const NODES: &str =
    "device nodes, the empty one too, which file systems take for a removed file; and setuid bits";

/// Every system call that has a rule.
pub static TABLE: &[Call] = &[
    on_both("mount", 165, 40, REPORTED, MOUNTS),
    on_both("umount2", 166, 39, REPORTED, MOUNTS),
    on_both("pivot_root", 155, 41, REPORTED, MOUNTS),
    on_both("chroot", 161, 51, REPORTED, "changes what the root is"),
    common("move_mount", 429, REPORTED, MOUNTS),
    common("open_tree", 428, REPORTED, MOUNTS),
    common("fsopen", 430, REPORTED, MOUNTS),
    common("fsconfig", 431, REPORTED, MOUNTS),
    common("fsmount", 432, REPORTED, MOUNTS),
    common("fspick", 433, REPORTED, MOUNTS),
    common("mount_setattr", 442, REPORTED, MOUNTS),
    common("open_tree_attr", 467, REPORTED, MOUNTS),
    on_both("setns", 308, 268, REPORTED, "enters another namespace"),
    on_both("swapon", 167, 224, REPORTED, SWAP),
    on_both("swapoff", 168, 225, REPORTED, SWAP),
    on_both("reboot", 169, 142, REPORTED, "restarts the host"),
    on_both("kexec_load", 246, 104, REPORTED, KERNEL),
    on_both("kexec_file_load", 320, 294, REPORTED, KERNEL),
    on_both("init_module", 175, 105, REPORTED, KERNEL),
    on_both("finit_module", 313, 273, REPORTED, KERNEL),
    on_both("delete_module", 176, 106, REPORTED, KERNEL),
    on_both("acct", 163, 89, REPORTED, "switches the host's accounting"),
    on_both("settimeofday", 164, 170, REPORTED, CLOCK),
    on_both("clock_settime", 227, 112, REPORTED, CLOCK),
    on_both("quotactl", 179, 60, REPORTED, QUOTA),
    common("quotactl_fd", 443, REPORTED, QUOTA),
    on_both("syslog", 103, 116, REPORTED, "reads the host's kernel log"),
    on_both("vhangup", 153, 58, REPORTED, "hangs up a terminal"),
    on_both("open_by_handle_at", 304, 265, REPORTED, "opens files that no path leads to"),
    on_both("sethostname", 170, 161, REPORTED, NAME),
    on_both("setdomainname", 171, 162, REPORTED, NAME),
    on_both("bpf", 321, 280, REPORTED, "loads programs into the kernel"),
    on_both("lookup_dcookie", 212, 18, REPORTED, "reveals paths of the host"),
    on_x86_64("iopl", 172, REPORTED, PORTS),
    on_x86_64("ioperm", 173, REPORTED, PORTS),
    common("io_uring_setup", 425, UNKNOWN, RING),
    common("io_uring_enter", 426, UNKNOWN, RING),
    common("io_uring_register", 427, UNKNOWN, RING),
    common(
        "clone3",
        435,
        UNKNOWN,
        "its flags lie behind a pointer that a filter cannot read; C libraries fall back to clone",
    ),
    on_both("io_setup", 206, 0, UNKNOWN, "takes from one number for the whole host (`fs.aio-max-nr`)"),
    on_both("userfaultfd", 323, 282, FORBIDDEN, "stops the kernel at a place of the program's choice"),
    on_both("perf_event_open", 298, 241, FORBIDDEN, "measures other people's programs"),
    on_both("fanotify_init", 300, 262, FORBIDDEN, "watches whole file systems"),
    on_both("keyctl", 250, 219, FORBIDDEN, KEYS),
    on_both("add_key", 248, 217, FORBIDDEN, KEYS),
    on_both("request_key", 249, 218, FORBIDDEN, KEYS),
    on_both("name_to_handle_at", 303, 264, FORBIDDEN, "gives handles by which files outside can be guessed"),
    common("memfd_secret", 447, UNKNOWN, "memory that no other process, and no controller, can see"),
    on_x86_64("modify_ldt", 154, UNKNOWN, "an old source of vulnerabilities in the kernel"),
    on_both(
        "clone",
        56,
        220,
        &[
            Rule::new(Action::Report, &[Test::AnyBit(0, ANY_NAMESPACE)]),
            // A process that shares its table of open files, and a thread with one of its own.
            Rule::new(Action::Ask, &[Test::Among(0, FILES_AND_THREAD, &[FILES, THREAD])])
                .when(Refusal::UnseenLocks),
        ],
        "new namespaces open the kernel further; locks outlive a shared table of open files unseen",
    )
    .reported_as("clone with namespaces"),
    on_both(
        "unshare",
        272,
        97,
        &[
            Rule::new(Action::Report, &[Test::AnyBit(0, ANY_NAMESPACE | NEW_TIME)]),
            fail(EPERM, &[Test::AnyBit(0, FILES)]).when(Refusal::HiddenMemory),
        ],
        "new namespaces open the kernel further; of threads with open files of their own, nobody sees the files",
    ),
    common(
        "close_range",
        436,
        &[fail(EINVAL, &[Test::AnyBit(2, libc::CLOSE_RANGE_UNSHARE)]).when(Refusal::HiddenMemory)],
        "the same by another call",
    ),
    on_both(
        "mmap",
        9,
        222,
        &[Rule::new(Action::Ask, &[Test::Among(3, SHARED, &[SHARED])]).when(Refusal::UncountedSharing)],
        "anonymous memory that processes share stays when a process lets go of it",
    ),
    on_both(
        "inotify_add_watch",
        254,
        27,
        &[Rule::new(Action::Ask, &[])],
        "a watch on a file that the host uses too reports when the host does: the controller makes those on the program's own",
    ),
    on_both("memfd_create", 319, 279, HIDDEN_MEMORY, NO_PROCESS),
    on_both("shmget", 29, 194, HIDDEN_MEMORY, NO_PROCESS),
    on_both("msgget", 68, 186, HIDDEN_MEMORY, NO_PROCESS),
    on_both("semget", 64, 190, HIDDEN_MEMORY, NO_PROCESS),
    on_both("splice", 275, 76, HIDDEN_PAGES, PAGES),
    on_both("vmsplice", 278, 75, HIDDEN_PAGES, PAGES),
    on_both("tee", 276, 77, HIDDEN_PAGES, PAGES),
    on_both("sendfile", 40, 71, HIDDEN_PAGES, PAGES),
    on_both(
        "sched_setaffinity",
        203,
        122,
        &[fail(EPERM, &[]).when(Refusal::Affinity)],
        "the processors were handed out",
    ),
    on_both(
        "ioctl",
        16,
        29,
        &[fail(EPERM, &[Test::Among(1, WHOLE, TERMINAL_REQUESTS)])],
        "types for the user, or drives a console",
    ),
    on_both(
        "fcntl",
        72,
        25,
        &[
            fail(
                EINVAL,
                &[Test::Among(
                    1,
                    WHOLE,
                    &[libc::F_NOTIFY as u32, libc::F_OFD_SETLK as u32, libc::F_OFD_SETLKW as u32],
                )],
            ),
            fail(EPERM, &[Test::Among(1, WHOLE, &[libc::F_SETPIPE_SZ as u32])]).when(Refusal::HiddenMemory),
        ],
        "notes about changes in a directory, which may be one of the host's; locks of open files, which name no process, so \
         that nobody can count whose they are; and pipes that hold more than is seen",
    ),
    on_both(
        "setsockopt",
        54,
        208,
        &[fail(
            ENOPROTOOPT,
            &[Test::Among(1, WHOLE, &[libc::SOL_IPV6 as u32]), Test::Among(2, WHOLE, &[FLOW_LABELS])],
        )],
        "flow labels belong to the network and outlive their socket",
    ),
    on_both("socket", 41, 198, LIMITED_FAMILIES, FAMILY).reported_as("socket of a refused family"),
    on_both("socketpair", 53, 199, LIMITED_FAMILIES, FAMILY).reported_as("socketpair of a refused family"),
    on_both(
        "setrlimit",
        160,
        164,
        &[fail(0, &[Test::Among(0, WHOLE, &[CORE])]).not_in(Layer::Profile, AGENT_SETS_IT)],
        LIMITS,
    ),
    on_both(
        "prlimit64",
        302,
        261,
        &[
            // Without a new limit, one is only read: programs read their own by their own number.
            fail(EPERM, &[Test::AnyBit(0, WHOLE), Test::NotNull(2)]),
            fail(0, &[Test::Among(1, WHOLE, &[CORE]), Test::NotNull(2)])
                .not_in(Layer::Profile, AGENT_SETS_IT),
        ],
        LIMITS,
    ),
    on_x86_64(
        "mknod",
        133,
        &[
            fail(EPERM, &[Test::Among(1, libc::S_IFMT, DEVICES)]),
            no_setuid_bits(&[Test::AnyBit(1, SETUID_BITS)]),
        ],
        NODES,
    ),
    on_both(
        "mknodat",
        259,
        33,
        &[
            fail(EPERM, &[Test::Among(2, libc::S_IFMT, DEVICES)]),
            no_setuid_bits(&[Test::AnyBit(2, SETUID_BITS)]),
        ],
        NODES,
    ),
    on_x86_64("chmod", 90, MODE_SECOND, MODE),
    on_both("fchmod", 91, 52, MODE_SECOND, MODE),
    on_both("fchmodat", 268, 53, MODE_THIRD, MODE),
    common("fchmodat2", 452, MODE_THIRD, MODE),
    on_x86_64("creat", 85, MODE_SECOND, MODE),
    on_x86_64("mkdir", 83, MODE_SECOND, MODE),
    on_both("mkdirat", 258, 34, MODE_THIRD, MODE),
    on_x86_64(
        "open",
        2,
        &[no_setuid_bits(&[Test::AnyBit(1, MAKES_A_FILE), Test::AnyBit(2, SETUID_BITS)])],
        MODE,
    ),
    on_both(
        "openat",
        257,
        56,
        &[no_setuid_bits(&[Test::AnyBit(2, MAKES_A_FILE), Test::AnyBit(3, SETUID_BITS)])],
        MODE,
    ),
    common(
        "openat2",
        437,
        &[fail(ENOSYS, &[]).when(Refusal::SetuidBits).not_in(Layer::Profile, ENGINES_USE_IT)],
        "its mode lies behind a pointer that a filter cannot read; callers fall back to openat",
    ),
];
