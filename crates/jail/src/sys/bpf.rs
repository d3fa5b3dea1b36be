//! The system call filter: a short program for the kernel's classic BPF machine.
//!
//! Calls that are allowed whatever their arguments cost nothing: the kernel works that out once when the filter is
//! installed and skips the program for them.

use super::raw::{Fd, sys};
use super::{Done, check};
use crate::calls;
use crate::spec::Refusal;
use alloc::vec::Vec;
use libc::{c_long, sock_filter};

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const fn argument(index: u32) -> u32 {
    16 + 8 * index
}

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;
const TELL: u32 = libc::SECCOMP_RET_USER_NOTIF;
const fn refuse(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno as u32
}

/// Shares its bit with clone's exit signal, so only unshare is tested for it.
const CLONE_NEWTIME: i32 = 0x80;

/// Terminal requests that type for the user (TIOCSTI) or drive a console (TIOCLINUX).
const TERMINAL_REQUESTS: [u32; 2] = [0x5412, 0x541c];
const NETLINK_ROUTE: u32 = 0;

/// A program in the making.
struct Program(Vec<sock_filter>);

impl Program {
    fn push(&mut self, code: u32, k: u32, jt: u8, jf: u8) {
        self.0.push(sock_filter { code: code as u16, jt, jf, k });
    }
    fn load(&mut self, offset: u32) {
        self.push(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0);
    }
    fn answer(&mut self, action: u32) {
        self.push(libc::BPF_RET | libc::BPF_K, action, 0, 0);
    }
    /// If the loaded value equals `k`, runs the next `then` instructions, else skips them.
    fn if_equal(&mut self, k: u32, then: u8) {
        self.push(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, k, 0, then);
    }
    fn if_not_equal(&mut self, k: u32, then: u8) {
        self.push(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, k, then, 0);
    }
    fn if_any_bit(&mut self, k: u32, then: u8) {
        self.push(libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K, k, 0, then);
    }
    fn if_above(&mut self, k: u32, then: u8) {
        self.push(libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K, k, 0, then);
    }
    fn call(&mut self, number: c_long, action: u32) {
        self.if_equal(number as u32, 1);
        self.answer(action);
    }
}

/// The filter. `tell` is the answer for calls that are told to the controller.
fn program(tell: u32, also: &[Refusal]) -> Vec<sock_filter> {
    let mut p = Program(Vec::with_capacity(160));
    p.load(ARCH);
    p.if_not_equal(ARCHITECTURE, 1);
    p.answer(KILL);
    p.load(NUMBER);
    // Beyond what was reviewed, and with it the x32 numbers (bit 30).
    p.if_above(calls::LAST_REVIEWED as u32, 1);
    p.answer(refuse(libc::ENOSYS));
    for (number, _) in calls::TOLD {
        p.call(*number, tell);
    }
    for (number, errno) in calls::QUIET {
        p.call(*number, refuse(*errno));
    }
    for refusal in also {
        match refusal {
            Refusal::HiddenMemory => hidden_memory(&mut p),
            Refusal::UncountedForks => forks(&mut p, tell),
            Refusal::Affinity => p.call(libc::SYS_sched_setaffinity, refuse(libc::EPERM)),
            Refusal::SetuidBits => setuid_bits(&mut p),
        }
    }
    resource_limits(&mut p);
    for (number, bits) in
        [(libc::SYS_clone, calls::ANY_NAMESPACE), (libc::SYS_unshare, calls::ANY_NAMESPACE | CLONE_NEWTIME)]
    {
        p.if_equal(number as u32, 4);
        p.load(argument(0));
        p.if_any_bit(bits as u32, 1);
        p.answer(tell);
        p.answer(ALLOW);
    }
    p.if_equal(libc::SYS_ioctl as u32, 6);
    p.load(argument(1));
    for request in TERMINAL_REQUESTS {
        p.if_equal(request, 1);
        p.answer(refuse(libc::EPERM));
    }
    p.answer(ALLOW);
    sockets(&mut p, tell);
    p.answer(ALLOW);
    p.0
}

/// No file with a setuid or setgid bit can be made, by any call that takes permission bits.
fn setuid_bits(p: &mut Program) {
    const FCHMODAT2: c_long = 452;
    let bits = libc::S_ISUID | libc::S_ISGID;
    let modes = [
        (libc::SYS_fchmod, 1),
        (libc::SYS_fchmodat, 2),
        (FCHMODAT2, 2),
        (libc::SYS_mknodat, 2),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_chmod, 1),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_creat, 1),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_mknod, 1),
    ];
    for (call, mode) in modes {
        p.if_equal(call as u32, 4);
        p.load(argument(mode));
        p.if_any_bit(bits, 1);
        p.answer(refuse(libc::EPERM));
        p.answer(ALLOW);
    }
    // Here the bits mean something only if a file is made; otherwise the register holds anything.
    let opens = [
        (libc::SYS_openat, 2),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_open, 1),
    ];
    for (call, flags) in opens {
        p.if_equal(call as u32, 6);
        p.load(argument(flags));
        p.if_any_bit((libc::O_CREAT | libc::O_TMPFILE & !libc::O_DIRECTORY) as u32, 3);
        p.load(argument(flags + 1));
        p.if_any_bit(bits, 1);
        p.answer(refuse(libc::EPERM));
        p.answer(ALLOW);
    }
    // Its bits lie behind a pointer; callers fall back to openat.
    p.call(libc::SYS_openat2, refuse(libc::ENOSYS));
}

/// Memory that belongs to no process.
fn hidden_memory(p: &mut Program) {
    for call in [libc::SYS_memfd_create, libc::SYS_shmget, libc::SYS_msgget] {
        p.call(call, refuse(libc::ENOSYS));
    }
}

/// Every new process and thread is asked about.
fn forks(p: &mut Program, tell: u32) {
    p.call(libc::SYS_clone, tell);
    #[cfg(target_arch = "x86_64")]
    for call in [libc::SYS_fork, libc::SYS_vfork] {
        p.call(call, tell);
    }
}

/// A process sets its own limits only: the first process has the payload's user, and could be starved by it.
///
/// And the limit on core dumps stays as it is, while whoever changes it is told that it worked: one byte is the only
/// limit at which the kernel does not start the host's crash handler for a program that dies.
fn resource_limits(p: &mut Program) {
    let core = libc::RLIMIT_CORE;
    p.if_equal(libc::SYS_setrlimit as u32, 4);
    p.load(argument(0));
    p.if_equal(core, 1);
    p.answer(refuse(0));
    p.answer(ALLOW);
    p.if_equal(libc::SYS_prlimit64 as u32, 14);
    // Without a new limit (a pointer, so both halves count), it is only read.
    p.load(argument(2));
    p.push(libc::BPF_ST, 0, 0, 0);
    p.load(argument(2) + 4);
    p.push(libc::BPF_LDX | libc::BPF_MEM, 0, 0, 0);
    p.push(libc::BPF_ALU | libc::BPF_OR | libc::BPF_X, 0, 0, 0);
    p.if_equal(0, 1);
    p.answer(ALLOW);
    p.load(argument(0));
    p.if_not_equal(0, 1);
    p.answer(refuse(libc::EPERM));
    p.load(argument(1));
    p.if_equal(core, 1);
    p.answer(refuse(0));
    p.answer(ALLOW);
}

/// Unix and internet sockets, and the netlink family that tells a program its own addresses; nothing else.
fn sockets(p: &mut Program, tell: u32) {
    let plain = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6];
    for call in [libc::SYS_socket, libc::SYS_socketpair] {
        p.if_equal(call as u32, 2 * plain.len() as u8 + 7);
        p.load(argument(0));
        for family in plain {
            p.if_equal(family as u32, 1);
            p.answer(ALLOW);
        }
        p.if_equal(libc::AF_NETLINK as u32, 4);
        p.load(argument(2));
        p.if_equal(NETLINK_ROUTE, 1);
        p.answer(ALLOW);
        p.answer(refuse(libc::EAFNOSUPPORT));
        p.answer(tell);
    }
}

/// Installs the filter for this process and all it starts, and gives the listener for told calls.
/// `also` is refused only in this sandbox.
pub fn install(also: &[Refusal]) -> Done<Option<Fd>> {
    match load(&program(TELL, also), libc::SECCOMP_FILTER_FLAG_NEW_LISTENER as u32) {
        Ok(listener) => Ok(Some(Fd::new(listener))),
        // A listener is in force already further out (a container's own): refuse without telling.
        Err(fault) if fault.errno == libc::EBUSY => {
            let also: Vec<_> = also.iter().copied().filter(|one| *one != Refusal::UncountedForks).collect();
            load(&program(refuse(libc::EPERM), &also), 0)?;
            Ok(None)
        }
        Err(fault) => Err(fault),
    }
}

fn load(filter: &[sock_filter], flags: u32) -> Done<usize> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the program and its instructions outlive the call, which copies them.
    let answer = unsafe { sys!(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) };
    check(answer, || "seccomp".into())
}
