//! A process that begins beside its parent.
//!
//! `posix_spawn` and `vfork` let the parent stand still until the child has become another program, and `fork` copies
//! the page tables of a caller that may be large. Here the child has a stack of its own in the parent's memory and both
//! go on at once: what the parent has to do next, it does while the child starts.

use super::process::out_of_the_way;
use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

/// The child calls one function that calls the kernel.
const STACK_WORDS: usize = 16 * 1024 / size_of::<u128>();
const LAST_SIGNAL: c_int = 64;
/// The last that Linux 5.9 knows; what is older cannot do what the jail needs.
const LAST_CAPABILITY: usize = 40;
/// The kernel's own set of signals, which is shorter than the C library's.
const SIGNAL_SET_BYTES: usize = 8;
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

/// Whether processes can begin like this here.
pub const POSSIBLE: bool = cfg!(target_arch = "x86_64");

/// Where a child begins.
#[derive(Debug, Clone, Copy, Default)]
pub struct Birthplace<'a> {
    /// New namespaces, of which it keeps all rights over the start of its program.
    pub namespaces: c_int,
    /// The folder of a cgroup (version 2).
    pub cgroup: Option<&'a OwnedFd>,
}

/// What the child uses of our memory. It must live until the child has become its program or is gone.
#[derive(Debug)]
pub struct Beginning {
    stack: Vec<u128>,
    program: RawFd,
    descriptors: Vec<RawFd>,
    keeps_rights: bool,
    failure: AtomicI32,
}

impl Beginning {
    /// Begins to become the program in `file`, with these descriptors as 0, 1, 2 and so on; the child's number.
    pub fn begin(
        file: &OwnedFd,
        descriptors: &[RawFd],
        place: Birthplace<'_>,
    ) -> io::Result<(i32, Box<Self>)> {
        // Open until the child has a table of its own, which it has when the call returns.
        let kept = descriptors.iter().map(|fd| out_of_the_way(*fd)).collect::<io::Result<Vec<_>>>()?;
        let mut beginning = Box::new(Self {
            stack: Vec::with_capacity(STACK_WORDS),
            program: file.as_raw_fd(),
            descriptors: kept.iter().map(AsRawFd::as_raw_fd).collect(),
            keeps_rights: place.namespaces != 0,
            failure: AtomicI32::new(0),
        });
        // SAFETY: all fields of clone_args are integers, for which zero is valid.
        let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
        arguments.flags = (libc::CLONE_VM | place.namespaces) as u64;
        arguments.exit_signal = libc::SIGCHLD as u64;
        arguments.stack = beginning.stack.as_mut_ptr() as u64;
        arguments.stack_size = (STACK_WORDS * size_of::<u128>()) as u64;
        if let Some(cgroup) = place.cgroup {
            arguments.flags |= CLONE_INTO_CGROUP;
            arguments.cgroup = cgroup.as_raw_fd() as u64;
        }
        let mut before = 0u64;
        // SAFETY: the child runs on a stack of its own, aligned and large enough, and reads what is kept for it. Signals
        // are off around it: a handler of ours must not run there. The masks outlive their calls.
        let answer = unsafe {
            set_mask(&u64::MAX, &raw mut before);
            let answer = clone_and_call(&arguments, child, &raw mut *beginning);
            set_mask(&before, std::ptr::null_mut());
            answer
        };
        if answer < 0 {
            Err(io::Error::from_raw_os_error(-answer as i32))
        } else {
            Ok((answer as i32, beginning))
        }
    }

    /// Why the child never became its program, once it is known to be gone.
    pub fn failure(&self) -> Option<io::Error> {
        Some(self.failure.load(Ordering::Acquire))
            .filter(|errno| *errno != 0)
            .map(io::Error::from_raw_os_error)
    }
}

/// Makes a child that calls `function` with `given`; the kernel's answer.
///
/// # Safety
/// The arguments give the child a stack of its own, `function` does not return, and what `given` points to lives until the
/// child is gone from this memory.
#[cfg(target_arch = "x86_64")]
unsafe fn clone_and_call(
    arguments: &libc::clone_args,
    function: extern "C" fn(*mut Beginning) -> !,
    given: *mut Beginning,
) -> isize {
    let answer: isize;
    // SAFETY: the parent comes back with its registers as they were but for those that a call changes; the child only
    // calls the function. The rest is the caller's promise.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r12",
            "call r13",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone3 as isize => answer,
            in("rdi") &raw const *arguments, in("rsi") size_of::<libc::clone_args>(),
            in("r12") given, in("r13") function,
            lateout("rcx") _, lateout("r11") _,
        );
    }
    answer
}

/// # Safety
/// None is needed: it cannot be done here.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn clone_and_call(
    _: &libc::clone_args,
    _: extern "C" fn(*mut Beginning) -> !,
    _: *mut Beginning,
) -> isize {
    -(libc::ENOSYS as isize)
}

/// # Safety
/// `before` is null or may be written to.
unsafe fn set_mask(mask: &u64, before: *mut u64) {
    // SAFETY: both sets have the size that is given; the rest is the caller's promise.
    unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const *mask, before, SIGNAL_SET_BYTES)
    };
}

/// The child: a process of its own but in the parent's memory, where it changes nothing but its stack and the failure.
/// (And `errno`, if a call fails: the thread whose it is learns of the failure anyway.)
extern "C" fn child(given: *mut Beginning) -> ! {
    // SAFETY: the parent's `Beginning`, which it keeps; all arguments are plain integers or live on this stack.
    unsafe {
        let given = &*given;
        let as_usual = [0u64; 4];
        for signal in (1..=LAST_SIGNAL).filter(|signal| !matches!(*signal, libc::SIGKILL | libc::SIGSTOP)) {
            let nothing = std::ptr::null_mut::<c_void>();
            libc::syscall(libc::SYS_rt_sigaction, signal, as_usual.as_ptr(), nothing, SIGNAL_SET_BYTES);
        }
        libc::setpgid(0, 0);
        let placed = given.descriptors.iter().zip(0..).all(|(fd, number)| libc::dup2(*fd, number) >= 0);
        if placed && (!given.keeps_rights || keep_rights()) {
            set_mask(&0, std::ptr::null_mut());
            let words = [c"formicary-jail".as_ptr(), std::ptr::null()];
            let (here, none) = (c"".as_ptr(), &raw const words[1]);
            libc::syscall(libc::SYS_execveat, given.program, here, words.as_ptr(), none, libc::AT_EMPTY_PATH);
        }
        let errno = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
        given.failure.store(errno, Ordering::Release);
        libc::_exit(127)
    }
}

/// The first process of a user namespace has all rights in it, and would lose them by starting a program: nobody is root
/// there.
fn keep_rights() -> bool {
    const VERSION_3: u32 = 0x2008_0522;
    let (header, everything) = ([VERSION_3, 0], [u32::MAX; 6]);
    // SAFETY: the header, and the three sets in two halves, in the layout of version 3; else plain integers.
    unsafe {
        libc::syscall(libc::SYS_capset, header.as_ptr(), everything.as_ptr()) == 0
            && (0..=LAST_CAPABILITY).all(|capability| {
                let raise = libc::PR_CAP_AMBIENT_RAISE;
                libc::syscall(libc::SYS_prctl, libc::PR_CAP_AMBIENT, raise, capability, 0, 0) == 0
            })
    }
}
