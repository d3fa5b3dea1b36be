//! Making, ending and waiting for processes.

use super::raw::{Fd, sys};
use super::{Done, Fault, c, check};
use alloc::ffi::CString;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Wider than the flags that fit `i32`.
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

/// Which side of a fork this is.
pub enum Fork {
    /// The new process.
    Child,
    /// The old one, with the child's number and a descriptor for it.
    Parent(i32, Fd),
}

/// Makes a child in new namespaces, born in the cgroup of `cgroup` where one is given.
pub fn clone_into(namespaces: i32, cgroup: Option<&Fd>) -> Done<Fork> {
    let mut pidfd: i32 = -1;
    // SAFETY: all fields of clone_args are integers, for which zero is valid.
    let mut args: libc::clone_args = unsafe { core::mem::zeroed() };
    args.flags = (namespaces | libc::CLONE_PIDFD) as u64;
    args.pidfd = &raw mut pidfd as u64;
    args.exit_signal = libc::SIGCHLD as u64;
    if let Some(cgroup) = cgroup {
        args.flags |= CLONE_INTO_CGROUP;
        args.cgroup = cgroup.raw() as u64;
    }
    // SAFETY: the process has one thread and the child gets its own copy of memory, so this is a plain fork.
    let pid = unsafe { sys!(libc::SYS_clone3, &raw const args, size_of::<libc::clone_args>()) };
    match check(pid, || format!("clone3 flags {namespaces:#x}"))? {
        0 => Ok(Fork::Child),
        pid => Ok(Fork::Parent(pid as i32, Fd::new(pidfd as usize))),
    }
}

/// A plain fork; the child's number, or `None` in the child.
pub fn fork() -> Done<Option<i32>> {
    // SAFETY: the process has one thread, and no stack is given, so that the child gets its own copy of this one.
    let pid = unsafe { sys!(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) };
    Ok(match check(pid, || "fork".into())? {
        0 => None,
        pid => Some(pid as i32),
    })
}

/// How much a child that shares our memory may put on its stack. It calls a few functions.
#[cfg(target_arch = "x86_64")]
const SHARED_STACK: usize = 64 * 1024;

/// A child that shares our memory and calls `function` with `given`, on a stack of its own; its number.
///
/// # Safety
/// `function` does not return, and what `given` points to lives until the child is gone from this memory. If the two may
/// run at once, they touch nothing else together but what is made for that.
#[cfg(target_arch = "x86_64")]
unsafe fn share_with<T>(flags: i32, function: extern "C" fn(*mut T) -> !, given: *mut T) -> Done<i32> {
    let mut stack = Vec::<u128>::with_capacity(SHARED_STACK / size_of::<u128>());
    let flags = flags | libc::CLONE_VM | libc::SIGCHLD;
    let answer: isize;
    // SAFETY: the stack is aligned, large enough and never used for anything else: memory is not taken back here. The rest is
    // the caller's promise.
    unsafe {
        let top = stack.as_mut_ptr().add(stack.capacity());
        core::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r12",
            "call r13",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone as isize => answer,
            in("rdi") flags as usize, in("rsi") top, in("rdx") 0usize, in("r10") 0usize, in("r8") 0usize,
            in("r12") given, in("r13") function,
            lateout("rcx") _, lateout("r11") _,
        );
    }
    core::mem::forget(stack);
    check(super::raw::settle(answer), || "fork".into()).map(|pid| pid as i32)
}

/// A child that runs `become_another`, which ends it or turns it into another program; its number. Until then this
/// process stands still and shares its memory with the child: nothing is copied that would be thrown away at once.
#[cfg(target_arch = "x86_64")]
pub fn fork_to_exec<F: FnOnce() -> core::convert::Infallible>(become_another: F) -> Done<i32> {
    extern "C" fn child<F: FnOnce() -> core::convert::Infallible>(given: *mut Option<F>) -> ! {
        // SAFETY: the parent's own, which lives on its stack and is not touched there until this process is gone from it.
        if let Some(become_another) = unsafe { (*given).take() } {
            match become_another() {}
        }
        exit_now(70)
    }
    let mut given = Some(become_another);
    // SAFETY: the parent goes on only after the child has left, so that the two never run in one memory at a time.
    unsafe { share_with(libc::CLONE_VFORK, child::<F>, &raw mut given) }
}

/// A child that runs `become_another`, which ends it or turns it into another program; its number.
#[cfg(not(target_arch = "x86_64"))]
pub fn fork_to_exec<F: FnOnce() -> core::convert::Infallible>(become_another: F) -> Done<i32> {
    match fork()? {
        None => match become_another() {},
        Some(child) => Ok(child),
    }
}

/// Work that goes on beside ours, in a process that shares our memory and our descriptors.
pub struct Beside<T> {
    child: i32,
    shared: *mut Shared<T>,
}

struct Shared<T> {
    work: fn() -> T,
    result: Option<T>,
}

/// Begins it.
#[cfg(target_arch = "x86_64")]
pub fn beside<T>(work: fn() -> T) -> Done<Beside<T>> {
    extern "C" fn child<T>(shared: *mut Shared<T>) -> ! {
        // SAFETY: the parent does not look at it before this process is gone.
        unsafe { (*shared).result = Some(((*shared).work)()) };
        exit_now(0)
    }
    let shared = alloc::boxed::Box::into_raw(alloc::boxed::Box::new(Shared { work, result: None }));
    // SAFETY: memory is handed out to one at a time and never taken back, and what is shared the parent leaves alone.
    let child = unsafe { share_with(libc::CLONE_FILES, child::<T>, shared) }?;
    send_elsewhere(child);
    Ok(Beside { child, shared })
}

/// Does it at once.
#[cfg(not(target_arch = "x86_64"))]
pub fn beside<T>(work: fn() -> T) -> Done<Beside<T>> {
    let shared = Shared { work, result: Some(work()) };
    Ok(Beside { child: -1, shared: alloc::boxed::Box::into_raw(alloc::boxed::Box::new(shared)) })
}

impl<T> Beside<T> {
    /// Waits for its end. `None`: it was ended before.
    pub fn join(self) -> Option<T> {
        let mut status = 0i32;
        // SAFETY: `status` outlives the call; the child is gone, so that what was shared is ours alone.
        unsafe {
            while self.child > 0
                && sys!(libc::SYS_wait4, self.child, &raw mut status, libc::__WALL, 0) == Err(libc::EINTR)
            {
            }
            (*self.shared).result.take()
        }
    }
}

/// This process's number.
pub fn id() -> u32 {
    // SAFETY: no arguments, cannot fail.
    unsafe { sys!(libc::SYS_getpid) }.unwrap_or(0) as u32
}

/// Sends a signal through a process descriptor. A process that is gone already is fine.
pub fn kill_by_descriptor(process: &Fd, signal: i32) {
    // SAFETY: no pointers but a null siginfo, which the call allows.
    let _ = unsafe { sys!(libc::SYS_pidfd_send_signal, process.raw(), signal, 0, 0) };
}

/// Kills every other process of the pid namespace whose first this is. Anywhere else it would be the user's own.
pub fn kill_all_others() {
    if id() == 1 {
        // SAFETY: plain integers; the kernel spares the first process.
        let _ = unsafe { sys!(libc::SYS_kill, -1i32, libc::SIGKILL) };
    }
}

/// Whether any child is left, once those that have ended are reaped.
pub fn has_children() -> bool {
    let mut status = 0i32;
    loop {
        // SAFETY: `status` outlives the call.
        match unsafe { sys!(libc::SYS_wait4, -1i32, &raw mut status, libc::WNOHANG | libc::__WALL, 0) } {
            Ok(0) => return true,
            Ok(_) | Err(libc::EINTR) => {}
            Err(_) => return false,
        }
    }
}

/// Waits for any child: its number and how it ended. `None`: there is none left.
pub fn wait_any() -> Option<(i32, i32)> {
    loop {
        let mut status = 0i32;
        // SAFETY: `status` outlives the call.
        match unsafe { sys!(libc::SYS_wait4, -1i32, &raw mut status, libc::__WALL, 0) } {
            Ok(pid) => return Some((pid as i32, status)),
            Err(libc::EINTR) => {}
            Err(_) => return None,
        }
    }
}

/// Whether this child still runs.
pub fn lives(child: i32) -> bool {
    let mut status = 0i32;
    // SAFETY: `status` outlives the call.
    unsafe { sys!(libc::SYS_wait4, child, &raw mut status, libc::WNOHANG | libc::__WALL, 0) == Ok(0) }
}

/// CPU time that this child has used so far, in microseconds.
pub fn cpu_micros(child: i32) -> u64 {
    // The kernel's name for the clock of another process: its number turned over, and the kind of clock.
    const SCHEDULER_CLOCK: i32 = 2;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time outlives the call.
    let _ = unsafe { sys!(libc::SYS_clock_gettime, (!child << 3) | SCHEDULER_CLOCK, &raw mut time) };
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1000
}

/// A descriptor of this process.
pub fn own_handle() -> Done<Fd> {
    // SAFETY: plain integers.
    check(unsafe { sys!(libc::SYS_pidfd_open, id(), 0) }, || "pidfd_open".into()).map(Fd::new)
}

/// Whether this process's system calls are filtered.
pub fn is_filtered() -> bool {
    // SAFETY: plain integers.
    unsafe { sys!(libc::SYS_prctl, libc::PR_GET_SECCOMP) == Ok(libc::SECCOMP_MODE_FILTER as usize) }
}

/// Whether the newer way to make processes is answered by the filter, and not by the kernel, which minds the empty order.
pub fn knows_no_clone3() -> bool {
    // SAFETY: a null pointer and size zero, which the kernel refuses.
    unsafe { sys!(libc::SYS_clone3, 0, 0) == Err(libc::ENOSYS) }
}

/// Whether a further user namespace is refused.
pub fn cannot_make_namespaces() -> bool {
    // SAFETY: plain integers.
    unsafe { sys!(libc::SYS_unshare, libc::CLONE_NEWUSER) }.is_err()
}

/// What the children that were waited for have used.
pub fn children_usage() -> libc::rusage {
    // SAFETY: rusage is plain integers; the call fills it.
    unsafe {
        let mut usage: libc::rusage = core::mem::zeroed();
        let _ = sys!(libc::SYS_getrusage, libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    }
}

/// Ends this process.
pub fn exit_now(code: i32) -> ! {
    loop {
        // SAFETY: plain integers; it does not return.
        let _ = unsafe { sys!(libc::SYS_exit_group, code) };
    }
}

/// Asks the kernel to kill this process when its parent dies.
pub fn die_with_parent() -> Done {
    // SAFETY: plain integers.
    let answer = unsafe { sys!(libc::SYS_prctl, libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    check(answer, || "prctl(PDEATHSIG)".into()).map(drop)
}

/// Starts a session of its own, without a terminal.
pub fn new_session() -> Done {
    // SAFETY: no arguments.
    check(unsafe { sys!(libc::SYS_setsid) }, || "setsid".into()).map(drop)
}

/// The kernel's own form of a signal's action.
#[repr(C)]
#[derive(Default)]
struct Action {
    handler: usize,
    flags: u64,
    restorer: usize,
    mask: u64,
}

/// Whether children that end are forgotten at once, without being waited for.
pub fn forget_children(yes: bool) {
    const IGNORE: usize = 1;
    let action = Action { handler: if yes { IGNORE } else { 0 }, ..Action::default() };
    // SAFETY: the action outlives the call.
    let _ = unsafe { sys!(libc::SYS_rt_sigaction, libc::SIGCHLD, &raw const action, 0, 8) };
}

/// Gives every signal its default action and unblocks all, whatever the controller was started with.
pub fn default_signals() {
    const MASK_SIZE: usize = 8;
    let (default, none) = (Action::default(), 0u64);
    // SAFETY: both outlive the calls, which refuse the numbers that cannot be changed.
    unsafe {
        for signal in 1..=64 {
            let _ = sys!(libc::SYS_rt_sigaction, signal, &raw const default, 0, MASK_SIZE);
        }
        let _ = sys!(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const none, 0, MASK_SIZE);
    }
}

/// Marks every descriptor from `first` on to be closed by exec.
pub fn close_on_exec_from(first: u32) -> Done {
    // SAFETY: plain integers.
    let answer = unsafe { sys!(libc::SYS_close_range, first, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    check(answer, || "close_range".into()).map(drop)
}

/// Lets a program that is started inherit this descriptor.
pub fn inherit(fd: i32) -> Done {
    // SAFETY: plain integers.
    check(unsafe { sys!(libc::SYS_fcntl, fd, libc::F_SETFD, 0) }, || "fcntl".into()).map(drop)
}

/// Closes every descriptor from `first` on.
pub fn close_from(first: i32) -> Done {
    // SAFETY: plain integers; whoever owned them has been told to let go.
    let answer = unsafe { sys!(libc::SYS_close_range, first, u32::MAX, 0) };
    check(answer, || "close_range".into()).map(drop)
}

/// Sets one resource limit, soft and hard; a hard limit that is lower already stays.
pub fn limit(resource: u32, value: u64) -> Done {
    let mut now = libc::rlimit64 { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both limits outlive the calls.
    unsafe {
        check(sys!(libc::SYS_prlimit64, 0, resource, 0, &raw mut now), || format!("read limit {resource}"))?;
        let value = value.min(now.rlim_max);
        let wanted = libc::rlimit64 { rlim_cur: value, rlim_max: value };
        let answer = sys!(libc::SYS_prlimit64, 0, resource, &raw const wanted, 0);
        check(answer, || format!("set limit {resource} to {value}"))?;
    }
    Ok(())
}

/// Moves a child that is about to run to any processor but this one, which is busy with us. The kernel often leaves both
/// to one processor, one after the other, while the next has nothing to do.
pub fn send_elsewhere(child: i32) {
    // SAFETY: cpu_set_t is a bit set; CPU_CLR checks its bounds; all arguments outlive their calls.
    unsafe {
        let mut set: libc::cpu_set_t = core::mem::zeroed();
        let mut here = 0u32;
        let asked = sys!(libc::SYS_sched_getaffinity, 0, size_of_val(&set), &raw mut set).and(sys!(
            libc::SYS_getcpu,
            &raw mut here,
            0,
            0
        ));
        libc::CPU_CLR(here as usize, &mut set);
        if asked.is_ok() {
            // Where there is no other, the kernel refuses.
            let _ = sys!(libc::SYS_sched_setaffinity, child, size_of_val(&set), &raw const set);
        }
    }
}

/// Restricts this process and its children to these processors.
pub fn use_processors(processors: &[u16]) -> Done {
    // SAFETY: cpu_set_t is a bit set; CPU_SET checks its bounds.
    unsafe {
        let mut set: libc::cpu_set_t = core::mem::zeroed();
        for &processor in processors {
            libc::CPU_SET(processor.into(), &mut set);
        }
        let answer = sys!(libc::SYS_sched_setaffinity, 0, size_of_val(&set), &raw const set);
        check(answer, || "sched_setaffinity".into())?;
    }
    Ok(())
}

/// Becomes the program, found on `PATH` where it has no slash. Returns only on failure.
pub fn exec(argv: &[String], env: &[String]) -> Fault {
    match try_exec(argv, env) {
        Ok(never) => match never {},
        Err(fault) => fault,
    }
}

fn try_exec(argv: &[String], env: &[String]) -> Done<core::convert::Infallible> {
    let program = argv.first().ok_or(Fault { step: "empty command".into(), errno: libc::EINVAL })?;
    let args = argv.iter().map(|a| c(a)).collect::<Done<Vec<CString>>>()?;
    let vars = env.iter().map(|v| c(v)).collect::<Done<Vec<CString>>>()?;
    let pointers =
        |list: &[CString]| list.iter().map(|s| s.as_ptr()).chain([core::ptr::null()]).collect::<Vec<_>>();
    let (args_p, vars_p) = (pointers(&args), pointers(&vars));
    let mut errno = libc::ENOENT;
    for candidate in candidates(program, env) {
        let path = c(&candidate)?;
        // A writer elsewhere in the system may hold the file for a moment (ETXTBSY): it is worth a few tries.
        for _ in 0..20 {
            // SAFETY: both arrays end in null and point into strings that live until exec replaces us.
            let answer = unsafe { sys!(libc::SYS_execve, path.as_ptr(), args_p.as_ptr(), vars_p.as_ptr()) };
            let failed = answer.err().unwrap_or(0);
            if failed != libc::ENOENT && failed != libc::ENOTDIR {
                errno = failed;
            }
            if failed != libc::ETXTBSY {
                break;
            }
            rest_a_millisecond();
        }
    }
    Err(Fault { step: format!("execve {program}"), errno })
}

fn rest_a_millisecond() {
    let time = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
    // SAFETY: the time outlives the call.
    let _ = unsafe { sys!(libc::SYS_nanosleep, &raw const time, 0) };
}

fn candidates(program: &str, env: &[String]) -> Vec<String> {
    if program.contains('/') {
        return vec![program.to_string()];
    }
    let path = env.iter().find_map(|v| v.strip_prefix("PATH=")).unwrap_or("/usr/bin:/bin");
    path.split(':').filter(|dir| !dir.is_empty()).map(|dir| format!("{dir}/{program}")).collect()
}

/// Nanoseconds of the steady clock.
pub fn steady_nanoseconds() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` outlives the call, which cannot fail for this clock.
    let _ = unsafe { sys!(libc::SYS_clock_gettime, libc::CLOCK_MONOTONIC, &raw mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
