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

/// Calls of one leaf of the tree, which are looked at one after the other.
const LEAF: usize = 3;

/// A piece of a program.
#[derive(Default)]
struct Piece(Vec<sock_filter>);

impl Piece {
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
    fn skip(&mut self, instructions: u32) {
        self.push(libc::BPF_JMP | libc::BPF_JA, instructions, 0, 0);
    }
}

/// What is answered to which call, with the pieces that look at a call's arguments. Each ends with an answer.
#[derive(Default)]
struct Calls(Vec<(u32, Piece)>);

impl Calls {
    /// The first word about a call counts.
    fn add(&mut self, number: c_long, piece: Piece) {
        let number = number as u32;
        if self.0.iter().all(|(known, _)| *known != number) {
            self.0.push((number, piece));
        }
    }
    fn answer(&mut self, number: c_long, action: u32) {
        let mut piece = Piece::default();
        piece.answer(action);
        self.add(number, piece);
    }

    /// A search tree over the numbers. The kernel follows the program once for each of its calls when the filter is
    /// installed: one question after the other would cost a tenth of a millisecond there.
    fn tree(mut self) -> Piece {
        self.0.sort_by_key(|(number, _)| *number);
        branch(&self.0)
    }
}

fn branch(calls: &[(u32, Piece)]) -> Piece {
    let mut piece = Piece::default();
    if calls.len() <= LEAF {
        for (number, answer) in calls {
            // No piece is longer than a jump can be.
            piece.if_equal(*number, answer.0.len() as u8);
            piece.0.extend_from_slice(&answer.0);
        }
        piece.answer(ALLOW);
        return piece;
    }
    let (low, high) = calls.split_at(calls.len() / 2);
    let below = branch(low);
    piece.if_above(high[0].0 - 1, 1);
    piece.skip(below.0.len() as u32);
    piece.0.extend(below.0);
    piece.0.extend(branch(high).0);
    piece
}

/// The filter. `tell` is the answer for calls that are told to the controller.
fn program(tell: u32, also: &[Refusal]) -> Vec<sock_filter> {
    let mut program = Piece::default();
    program.load(ARCH);
    program.if_not_equal(ARCHITECTURE, 1);
    program.answer(KILL);
    program.load(NUMBER);
    // Beyond what was reviewed, and with it the x32 numbers (bit 30).
    program.if_above(calls::LAST_REVIEWED as u32, 1);
    program.answer(refuse(libc::ENOSYS));
    program.0.extend(answers(tell, also).tree().0);
    program.0
}

fn answers(tell: u32, also: &[Refusal]) -> Calls {
    let mut calls = Calls::default();
    for (number, _) in calls::TOLD {
        calls.answer(*number, tell);
    }
    for (number, errno) in calls::QUIET {
        calls.answer(*number, refuse(*errno));
    }
    for refusal in also {
        match refusal {
            Refusal::HiddenMemory => hidden_memory(&mut calls),
            Refusal::UncountedForks => forks(&mut calls, tell),
            Refusal::Affinity => calls.answer(libc::SYS_sched_setaffinity, refuse(libc::EPERM)),
            Refusal::SetuidBits => setuid_bits(&mut calls),
        }
    }
    resource_limits(&mut calls);
    for (number, bits) in
        [(libc::SYS_clone, calls::ANY_NAMESPACE), (libc::SYS_unshare, calls::ANY_NAMESPACE | CLONE_NEWTIME)]
    {
        calls.add(number, unless_any_bit(0, bits as u32, tell));
    }
    let mut terminal = Piece::default();
    terminal.load(argument(1));
    for request in TERMINAL_REQUESTS {
        terminal.if_equal(request, 1);
        terminal.answer(refuse(libc::EPERM));
    }
    terminal.answer(ALLOW);
    calls.add(libc::SYS_ioctl, terminal);
    sockets(&mut calls, tell);
    calls
}

/// Allows a call unless an argument has one of these bits.
fn unless_any_bit(index: u32, bits: u32, otherwise: u32) -> Piece {
    let mut piece = Piece::default();
    piece.load(argument(index));
    piece.if_any_bit(bits, 1);
    piece.answer(otherwise);
    piece.answer(ALLOW);
    piece
}

/// No file with a setuid or setgid bit can be made, by any call that takes permission bits.
fn setuid_bits(calls: &mut Calls) {
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
        calls.add(call, unless_any_bit(mode, bits, refuse(libc::EPERM)));
    }
    // Here the bits mean something only if a file is made; otherwise the register holds anything.
    let opens = [
        (libc::SYS_openat, 2),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_open, 1),
    ];
    for (call, flags) in opens {
        let mut piece = Piece::default();
        piece.load(argument(flags));
        piece.if_any_bit((libc::O_CREAT | libc::O_TMPFILE & !libc::O_DIRECTORY) as u32, 3);
        piece.load(argument(flags + 1));
        piece.if_any_bit(bits, 1);
        piece.answer(refuse(libc::EPERM));
        piece.answer(ALLOW);
        calls.add(call, piece);
    }
    // Its bits lie behind a pointer; callers fall back to openat.
    calls.answer(libc::SYS_openat2, refuse(libc::ENOSYS));
}

/// Memory that belongs to no process.
fn hidden_memory(calls: &mut Calls) {
    for call in [libc::SYS_memfd_create, libc::SYS_shmget, libc::SYS_msgget] {
        calls.answer(call, refuse(libc::ENOSYS));
    }
}

/// Every new process and thread is asked about.
fn forks(calls: &mut Calls, tell: u32) {
    calls.answer(libc::SYS_clone, tell);
    #[cfg(target_arch = "x86_64")]
    for call in [libc::SYS_fork, libc::SYS_vfork] {
        calls.answer(call, tell);
    }
}

/// A process sets its own limits only: the first process has the payload's user, and could be starved by it.
///
/// And the limit on core dumps stays as it is, while whoever changes it is told that it worked: one byte is the only
/// limit at which the kernel does not start the host's crash handler for a program that dies.
fn resource_limits(calls: &mut Calls) {
    let core = libc::RLIMIT_CORE;
    let mut piece = Piece::default();
    piece.load(argument(0));
    piece.if_equal(core, 1);
    piece.answer(refuse(0));
    piece.answer(ALLOW);
    calls.add(libc::SYS_setrlimit, piece);

    let mut piece = Piece::default();
    // Without a new limit (a pointer, so both halves count), it is only read.
    piece.load(argument(2));
    piece.push(libc::BPF_ST, 0, 0, 0);
    piece.load(argument(2) + 4);
    piece.push(libc::BPF_LDX | libc::BPF_MEM, 0, 0, 0);
    piece.push(libc::BPF_ALU | libc::BPF_OR | libc::BPF_X, 0, 0, 0);
    piece.if_equal(0, 1);
    piece.answer(ALLOW);
    piece.load(argument(0));
    piece.if_not_equal(0, 1);
    piece.answer(refuse(libc::EPERM));
    piece.load(argument(1));
    piece.if_equal(core, 1);
    piece.answer(refuse(0));
    piece.answer(ALLOW);
    calls.add(libc::SYS_prlimit64, piece);
}

/// Unix and internet sockets, and the netlink family that tells a program its own addresses; nothing else.
fn sockets(calls: &mut Calls, tell: u32) {
    for call in [libc::SYS_socket, libc::SYS_socketpair] {
        let mut piece = Piece::default();
        piece.load(argument(0));
        for family in [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6] {
            piece.if_equal(family as u32, 1);
            piece.answer(ALLOW);
        }
        piece.if_equal(libc::AF_NETLINK as u32, 4);
        piece.load(argument(2));
        piece.if_equal(NETLINK_ROUTE, 1);
        piece.answer(ALLOW);
        piece.answer(refuse(libc::EAFNOSUPPORT));
        piece.answer(tell);
        calls.add(call, piece);
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
