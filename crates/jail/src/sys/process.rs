//! Making, ending and waiting for processes.

use super::{Done, Fault, c, check};
use std::ffi::CString;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

/// Wider than the flags that fit `i32`.
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

/// Which side of a fork this is.
pub enum Fork {
    /// The new process.
    Child,
    /// The old one, with the child's number and a descriptor for it.
    Parent(i32, OwnedFd),
}

/// Makes a child in new namespaces, born in the cgroup of `cgroup` where one is given.
pub fn clone_into(namespaces: i32, cgroup: Option<RawFd>) -> Done<Fork> {
    let mut pidfd: i32 = -1;
    // SAFETY: all fields of clone_args are integers, for which zero is valid.
    let mut args: libc::clone_args = unsafe { std::mem::zeroed() };
    args.flags = (namespaces | libc::CLONE_PIDFD) as u64;
    args.pidfd = &raw mut pidfd as u64;
    args.exit_signal = libc::SIGCHLD as u64;
    if let Some(cgroup) = cgroup {
        args.flags |= CLONE_INTO_CGROUP;
        args.cgroup = cgroup as u64;
    }
    // SAFETY: the process has one thread and the child gets its own copy of memory, so this is a plain fork.
    let pid = unsafe { libc::syscall(libc::SYS_clone3, &raw const args, size_of::<libc::clone_args>()) };
    match check(pid, || format!("clone3 flags {namespaces:#x}"))? {
        0 => Ok(Fork::Child),
        // SAFETY: the kernel has just given us this descriptor and nobody else owns it.
        pid => Ok(Fork::Parent(pid as i32, unsafe { OwnedFd::from_raw_fd(pidfd) })),
    }
}

/// A plain fork; the child's number, or `None` in the child.
pub fn fork() -> Done<Option<i32>> {
    // SAFETY: the process has one thread.
    let pid = unsafe { libc::fork() };
    Ok(match check(pid.into(), || "fork".into())? {
        0 => None,
        pid => Some(pid as i32),
    })
}

/// Sends a signal through a process descriptor. A process that is gone already is fine.
pub fn kill_by_descriptor(pidfd: RawFd, signal: i32) {
    // SAFETY: no pointers but a null siginfo, which the call allows.
    unsafe {
        libc::syscall(libc::SYS_pidfd_send_signal, pidfd, signal, std::ptr::null::<libc::siginfo_t>(), 0)
    };
}

/// Kills every other process of the pid namespace whose first this is. Anywhere else it would be the user's own.
pub fn kill_all_others() {
    if std::process::id() == 1 {
        // SAFETY: plain integers; the kernel spares the first process.
        unsafe { libc::kill(-1, libc::SIGKILL) };
    }
}

/// Waits for any child: its number and how it ended. `None`: there is none left.
pub fn wait_any() -> Option<(i32, i32)> {
    loop {
        let mut status = 0;
        // SAFETY: `status` outlives the call.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL) };
        if pid > 0 {
            return Some((pid, status));
        }
        if std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return None;
        }
    }
}

/// What the children that were waited for have used.
pub fn children_usage() -> libc::rusage {
    // SAFETY: rusage is plain integers; the call fills it.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    }
}

/// Ends this process without running any clean-up of the forked copy.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: never returns.
    unsafe { libc::_exit(code) }
}

/// Asks the kernel to kill this process when its parent dies.
pub fn die_with_parent() -> Done {
    // SAFETY: plain integers.
    check(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) }.into(), || {
        "prctl(PDEATHSIG)".into()
    })?;
    Ok(())
}

/// Starts a session of its own, without a terminal.
pub fn new_session() -> Done {
    // SAFETY: no arguments.
    check(unsafe { libc::setsid() }.into(), || "setsid".into())?;
    Ok(())
}

/// Gives every signal its default action and unblocks all: Rust's runtime ignores SIGPIPE, programs expect it.
pub fn default_signals() {
    // SAFETY: valid signal numbers and a mask that lives through the calls.
    unsafe {
        for signal in 1..=libc::SIGRTMAX() {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// Marks every descriptor from `first` on to be closed by exec.
pub fn close_on_exec_from(first: u32) -> Done {
    // SAFETY: plain integers.
    let returned =
        unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    check(returned, || "close_range".into())?;
    Ok(())
}

/// Sets one resource limit, soft and hard; a hard limit that is lower already stays.
pub fn limit(resource: u32, value: u64) -> Done {
    // SAFETY: rlimit is plain integers and outlives the calls.
    unsafe {
        let mut now: libc::rlimit64 = std::mem::zeroed();
        check(libc::getrlimit64(resource, &raw mut now).into(), || format!("getrlimit {resource}"))?;
        let value = value.min(now.rlim_max);
        let wanted = libc::rlimit64 { rlim_cur: value, rlim_max: value };
        check(libc::setrlimit64(resource, &raw const wanted).into(), || {
            format!("setrlimit {resource} to {value}")
        })?;
    }
    Ok(())
}

/// Restricts this process and its children to these processors.
pub fn use_processors(processors: &[u16]) -> Done {
    // SAFETY: cpu_set_t is a bit set; CPU_SET checks its bounds.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for &processor in processors {
            libc::CPU_SET(processor.into(), &mut set);
        }
        check(libc::sched_setaffinity(0, size_of_val(&set), &raw const set).into(), || {
            "sched_setaffinity".into()
        })?;
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

fn try_exec(argv: &[String], env: &[String]) -> Done<std::convert::Infallible> {
    let program = argv.first().ok_or(Fault { step: "empty command".into(), errno: libc::EINVAL })?;
    let args = argv.iter().map(|a| c(a)).collect::<Done<Vec<CString>>>()?;
    let vars = env.iter().map(|v| c(v)).collect::<Done<Vec<CString>>>()?;
    let pointers =
        |list: &[CString]| list.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect::<Vec<_>>();
    let (args_p, vars_p) = (pointers(&args), pointers(&vars));
    let mut errno = libc::ENOENT;
    for candidate in candidates(program, env) {
        let path = c(&candidate)?;
        // A writer elsewhere in the system may hold the file for a moment (ETXTBSY): it is worth a few tries.
        for _ in 0..20 {
            // SAFETY: both arrays end in null and point into strings that live until exec replaces us.
            unsafe { libc::execve(path.as_ptr(), args_p.as_ptr(), vars_p.as_ptr()) };
            let failed = Fault::last("execve").errno;
            if failed != libc::ENOENT && failed != libc::ENOTDIR {
                errno = failed;
            }
            if failed != libc::ETXTBSY {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
    Err(Fault { step: format!("execve {program}"), errno })
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
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
