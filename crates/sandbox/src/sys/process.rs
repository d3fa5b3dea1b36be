//! Starting and ending the jail.

use super::beginning::{Beginning, Birthplace};
use super::check;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// A child process that is killed and waited for when it is dropped.
#[derive(Debug)]
pub struct Child {
    pid: i32,
    waited: bool,
    /// What it shares with us until it has become its program.
    beginning: Option<Box<Beginning>>,
}

impl Child {
    /// Starts the program in `file` without waiting for it, with just these descriptors, as 0, 1, 2 and so on. In a process
    /// group of its own, so that a terminal's signals reach the controller alone.
    pub fn begin(file: &OwnedFd, descriptors: &[RawFd], place: Birthplace<'_>) -> io::Result<Self> {
        let (pid, beginning) = Beginning::begin(file, descriptors, place)?;
        Ok(Self { pid, waited: false, beginning: Some(beginning) })
    }

    /// Whether it was started by [`Child::begin`].
    pub fn began_beside(&self) -> bool {
        self.beginning.is_some()
    }

    /// Why it never became its program, if it did not.
    pub fn failure(&self) -> Option<io::Error> {
        self.beginning.as_ref()?.failure()
    }

    /// Its number, valid until it has been waited for.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Kills it without mercy.
    pub fn kill(&self) {
        if !self.waited {
            // SAFETY: plain integers; the number is still ours because the child has not been waited for.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
        }
    }

    /// Waits until it is gone, but no longer than this; whether it is.
    pub fn wait_at_most(&mut self, time: std::time::Duration) -> bool {
        let deadline = std::time::Instant::now() + time;
        while !self.waited {
            let mut status = 0;
            // SAFETY: `status` outlives the call.
            let pid = unsafe { libc::waitpid(self.pid, &raw mut status, libc::WNOHANG) };
            self.waited = pid != 0
                && (pid == self.pid || io::Error::last_os_error().raw_os_error() != Some(libc::EINTR));
            if !self.waited {
                if std::time::Instant::now() >= deadline {
                    return false;
                }
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
        true
    }

    /// Waits until it is gone.
    pub fn wait(&mut self) {
        while !self.waited {
            let mut status = 0;
            // SAFETY: `status` outlives the call.
            let pid = unsafe { libc::waitpid(self.pid, &raw mut status, 0) };
            self.waited = pid == self.pid || io::Error::last_os_error().raw_os_error() != Some(libc::EINTR);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
        self.wait();
    }
}

/// Starts `program` with just this environment and these descriptors, as 0, 1, 2 and so on.
///
/// By `posix_spawn`, which shares memory with the child until exec: a fork would copy the page tables of a caller
/// that may be large. In a process group of its own, so that a terminal's signals reach the controller alone.
pub fn spawn(
    program: &str,
    arguments: &[&str],
    environment: &[&str],
    descriptors: &[RawFd],
) -> io::Result<Child> {
    let pid = spawn_as(program, arguments, environment, descriptors, libc::POSIX_SPAWN_SETPGROUP)?;
    Ok(Child { pid, waited: false, beginning: None })
}

/// The same, and nothing else of this process's comes along: a caller may hold descriptors that were meant to be inherited.
pub fn spawn_clean(
    program: &str,
    arguments: &[&str],
    environment: &[&str],
    descriptors: &[RawFd],
) -> io::Result<Child> {
    let stay = inheritable(descriptors.len() as RawFd);
    let pid =
        spawn_without(program, arguments, environment, descriptors, libc::POSIX_SPAWN_SETPGROUP, &stay)?;
    Ok(Child { pid, waited: false, beginning: None })
}

/// Descriptors from `first` on that a child would inherit.
fn inheritable(first: RawFd) -> Vec<RawFd> {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<RawFd>().ok());
    // SAFETY: plain integers; a number that is closed by now gives an error.
    let inherits = |fd: &RawFd| unsafe { libc::fcntl(*fd, libc::F_GETFD) } & libc::FD_CLOEXEC == 0;
    numbers.filter(|fd| *fd >= first).filter(inherits).collect()
}

/// The same in a session of its own, to live on without us. Its end is never waited for: it is init's child once we
/// are gone, and until then a few bytes of the kernel's.
pub fn spawn_detached(
    program: &str,
    arguments: &[&str],
    environment: &[&str],
    descriptors: &[RawFd],
) -> io::Result<()> {
    spawn_as(program, arguments, environment, descriptors, libc::POSIX_SPAWN_SETSID.into()).map(|_| ())
}

fn spawn_as(
    program: &str,
    arguments: &[&str],
    environment: &[&str],
    descriptors: &[RawFd],
    apart: i32,
) -> io::Result<i32> {
    spawn_without(program, arguments, environment, descriptors, apart, &[])
}

fn spawn_without(
    program: &str,
    arguments: &[&str],
    environment: &[&str],
    descriptors: &[RawFd],
    apart: i32,
    stay: &[RawFd],
) -> io::Result<i32> {
    let kept = descriptors.iter().map(|fd| out_of_the_way(*fd)).collect::<io::Result<Vec<_>>>()?;
    let path = CString::new(program)?;
    let strings = |list: &[&str]| list.iter().map(|text| CString::new(*text)).collect::<Result<Vec<_>, _>>();
    let (arguments, environment) = (strings(arguments)?, strings(environment)?);
    let pointers = |list: &[CString]| {
        list.iter().map(|s| s.as_ptr().cast_mut()).chain([std::ptr::null_mut()]).collect::<Vec<_>>()
    };
    let (argument_pointers, environment_pointers) = (pointers(&arguments), pointers(&environment));
    let error = |code: i32| if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(code)) };
    // SAFETY: actions and attributes are initialised before use and destroyed after it; every string, array and
    // descriptor outlives the call.
    unsafe {
        let mut actions: libc::posix_spawn_file_actions_t = std::mem::zeroed();
        error(libc::posix_spawn_file_actions_init(&raw mut actions))?;
        let mut attributes: libc::posix_spawnattr_t = std::mem::zeroed();
        error(libc::posix_spawnattr_init(&raw mut attributes))?;
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut signals);
        libc::posix_spawnattr_setsigmask(&raw mut attributes, &raw const signals);
        libc::sigfillset(&raw mut signals);
        libc::posix_spawnattr_setsigdefault(&raw mut attributes, &raw const signals);
        libc::posix_spawnattr_setpgroup(&raw mut attributes, 0);
        let flags = apart | libc::POSIX_SPAWN_SETSIGMASK | libc::POSIX_SPAWN_SETSIGDEF;
        libc::posix_spawnattr_setflags(&raw mut attributes, flags as libc::c_short);
        for (number, fd) in kept.iter().enumerate() {
            libc::posix_spawn_file_actions_adddup2(&raw mut actions, fd.as_raw_fd(), number as i32);
        }
        for fd in stay {
            libc::posix_spawn_file_actions_addclose(&raw mut actions, *fd);
        }
        let mut pid = 0;
        let spawned = error(libc::posix_spawn(
            &raw mut pid,
            path.as_ptr(),
            &raw const actions,
            &raw const attributes,
            argument_pointers.as_ptr(),
            environment_pointers.as_ptr(),
        ));
        libc::posix_spawn_file_actions_destroy(&raw mut actions);
        libc::posix_spawnattr_destroy(&raw mut attributes);
        spawned.map(|()| pid)
    }
}

/// The same file under a number that no child's descriptors are put on: one that stands where another is to go
/// would be lost, and so would a program that is started by such a descriptor.
pub fn out_of_the_way(fd: RawFd) -> io::Result<OwnedFd> {
    const ABOVE_A_CHILDS: RawFd = 16;
    // SAFETY: plain integers; the descriptor is new and owned by nobody else.
    unsafe {
        let moved = libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, ABOVE_A_CHILDS);
        Ok(OwnedFd::from_raw_fd(check(moved.into())? as RawFd))
    }
}

/// This process's effective user.
pub fn effective_user() -> u32 {
    // SAFETY: no arguments, cannot fail.
    unsafe { libc::geteuid() }
}

/// This process's effective user and group.
pub fn effective_user_and_group() -> (u32, u32) {
    // SAFETY: no arguments, cannot fail.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

/// Does this while the calling thread is in no supplementary group, where it may leave them: a child that begins meanwhile
/// is in none either. Other threads keep theirs, as the kernel has them for each.
pub fn without_groups<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: of a length of zero nothing is written; then the list is as long as it is said to be.
    let groups = unsafe {
        let count = if effective_user() == 0 { libc::getgroups(0, std::ptr::null_mut()) } else { 0 };
        let mut groups = vec![0; count.max(0) as usize];
        libc::getgroups(groups.len() as i32, groups.as_mut_ptr());
        groups
    };
    let set = |groups: &[libc::gid_t]| {
        // SAFETY: the list is as long as it is said to be. The bare call is this thread's alone.
        unsafe { libc::syscall(libc::SYS_setgroups, groups.len(), groups.as_ptr()) }
    };
    let left = !groups.is_empty() && set(&[]) == 0;
    let done = work();
    if left {
        set(&groups);
    }
    done
}

/// Processors that this process may use.
pub fn processors() -> Vec<u16> {
    // SAFETY: cpu_set_t is a bit set that the call fills; CPU_ISSET checks its bounds.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) != 0 {
            return vec![0];
        }
        (0..libc::CPU_SETSIZE as u16).filter(|cpu| libc::CPU_ISSET((*cpu).into(), &set)).collect()
    }
}

/// Moves a child that is about to run to any processor but the one that this thread runs on, which is busy with us: the
/// kernel often leaves both to one processor, one after the other, while the next has nothing to do. Processors that
/// the child could use before; none if it was left where it is.
pub fn send_elsewhere(child: &Child) -> Vec<u16> {
    let all = processors();
    // SAFETY: no arguments, cannot fail.
    let here = unsafe { libc::sched_getcpu() };
    let others: Vec<u16> = all.iter().copied().filter(|cpu| i32::from(*cpu) != here).collect();
    if keep_to(child.pid, &others) { all } else { Vec::new() }
}

/// Keeps a thread to these processors; whether it could be done. Where there is none, the kernel refuses.
pub fn keep_to(thread: i32, processors: &[u16]) -> bool {
    // SAFETY: cpu_set_t is a bit set; CPU_SET checks its bounds; the set outlives the call.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        processors.iter().for_each(|cpu| libc::CPU_SET((*cpu).into(), &mut set));
        libc::sched_setaffinity(thread, size_of_val(&set), &raw const set) == 0
    }
}

/// Clock ticks a second, the unit of `/proc/*/stat`.
pub fn ticks_per_second() -> u64 {
    // SAFETY: plain integers.
    unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64
}

/// Kills a process by its handle. One that is gone already is fine.
pub fn kill_by_handle(handle: &OwnedFd) {
    signal_by_handle(handle, libc::SIGKILL);
}

/// Interrupts a process by its handle, which may be its folder in `/proc`. One that is gone already is fine.
pub fn interrupt_by_handle(handle: &OwnedFd) {
    signal_by_handle(handle, libc::SIGINT);
}

fn signal_by_handle(handle: &OwnedFd, signal: i32) {
    let (no_details, no_flags) = (std::ptr::null::<libc::siginfo_t>(), 0);
    // SAFETY: plain integers and a null pointer, which the call allows.
    unsafe { libc::syscall(libc::SYS_pidfd_send_signal, handle.as_raw_fd(), signal, no_details, no_flags) };
}

/// Kills one process by its number.
pub fn kill(pid: i32) {
    // SAFETY: plain integers.
    unsafe { libc::kill(pid, libc::SIGKILL) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups() -> Vec<libc::gid_t> {
        let mut groups = [0; 64];
        // SAFETY: the list is as long as it is said to be.
        let count = unsafe { libc::getgroups(64, groups.as_mut_ptr()) };
        groups[..count.max(0) as usize].to_vec()
    }

    #[test]
    fn groups_are_left_and_come_back() {
        let mine = [4, 27];
        // SAFETY: the list is as long as it is said to be; the bare call is this thread's alone.
        let may = unsafe { libc::syscall(libc::SYS_setgroups, mine.len(), mine.as_ptr()) } == 0;
        let before = groups();
        assert_eq!(may, before == mine);
        let meanwhile = without_groups(groups);
        assert_eq!(meanwhile, if may { Vec::new() } else { before.clone() });
        assert_eq!(groups(), before);
    }
}
