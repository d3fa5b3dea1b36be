//! Users, groups, capabilities and what may be gained by exec.

use super::raw::sys;
use super::{Done, check};
use alloc::format;

/// The effective user and group.
pub fn effective() -> (u32, u32) {
    // SAFETY: no arguments, cannot fail.
    unsafe { (sys!(libc::SYS_geteuid).unwrap_or(0) as u32, sys!(libc::SYS_getegid).unwrap_or(0) as u32) }
}

/// Leaves all supplementary groups, where that is allowed.
pub fn leave_groups() {
    // SAFETY: a count of zero reads no pointer.
    let _ = unsafe { sys!(libc::SYS_setgroups, 0, 0) };
}

/// Gives the standard streams to another user, where this one is root. Anyone else's sandbox runs as that same user.
pub fn give_streams((user, group): (u32, u32)) {
    for stream in 0..3 {
        // SAFETY: plain integers.
        let _ = unsafe { sys!(libc::SYS_fchown, stream, user, group) };
    }
}

/// Becomes user and group `id`, in all three senses.
pub fn become_id(id: u32) -> Done {
    // SAFETY: plain integers.
    unsafe {
        check(sys!(libc::SYS_setresgid, id, id, id), || format!("setresgid {id}"))?;
        check(sys!(libc::SYS_setresuid, id, id, id), || format!("setresuid {id}"))?;
    }
    Ok(())
}

#[repr(C)]
struct CapHeader {
    version: u32,
    pid: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct CapData {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

const CAPABILITY_VERSION_3: u32 = 0x2008_0522;
/// All "no setuid root" securebits with their locks, and "no ambient" with its lock.
const SECUREBITS_LOCKED: usize = 0xef;

/// Gives up every capability in every set, for ever.
pub fn drop_capabilities() -> Done {
    // SAFETY: plain integers, and structures that outlive the call in the layout of version 3.
    unsafe {
        // Needs CAP_SETPCAP, so it comes first. Past the last capability the kernel says EINVAL.
        for capability in 0..64 {
            if sys!(libc::SYS_prctl, libc::PR_CAPBSET_DROP, capability).is_err() {
                break;
            }
        }
        check(sys!(libc::SYS_prctl, libc::PR_SET_SECUREBITS, SECUREBITS_LOCKED), || {
            "prctl(SECUREBITS)".into()
        })?;
        let _ = sys!(libc::SYS_prctl, libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL);
        let header = CapHeader { version: CAPABILITY_VERSION_3, pid: 0 };
        let nothing = [CapData::default(); 2];
        check(sys!(libc::SYS_capset, &raw const header, nothing.as_ptr()), || "capset".into())?;
    }
    Ok(())
}

/// Whether every set is empty: what this process may do, what it may hand on, and what a program that it starts could be
/// given.
pub fn has_no_capabilities() -> Done<bool> {
    let header = CapHeader { version: CAPABILITY_VERSION_3, pid: 0 };
    let mut sets = [CapData { effective: 1, permitted: 1, inheritable: 1 }; 2];
    // SAFETY: structures that outlive the call in the layout of version 3.
    let answer = unsafe { sys!(libc::SYS_capget, &raw const header, sets.as_mut_ptr()) };
    check(answer, || "capget".into())?;
    let held = sets.iter().any(|set| set.effective | set.permitted | set.inheritable != 0);
    Ok(!held && could_be_given().is_none())
}

/// The first capability in the bounding or the ambient set.
fn could_be_given() -> Option<usize> {
    for capability in 0..64 {
        // SAFETY: plain integers.
        let (bounding, ambient) = unsafe {
            (
                sys!(libc::SYS_prctl, libc::PR_CAPBSET_READ, capability),
                sys!(libc::SYS_prctl, libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_IS_SET, capability, 0, 0),
            )
        };
        match (bounding, ambient) {
            // Past the last capability.
            (Err(_), _) => return None,
            (Ok(0), Ok(0)) => {}
            _ => return Some(capability),
        }
    }
    None
}

/// Keeps these capabilities, and no others, over the start of a program.
pub fn keep_over_exec(capabilities: &[u32]) -> Done {
    let bits = capabilities.iter().fold(0, |bits, capability| bits | 1 << capability);
    let header = CapHeader { version: CAPABILITY_VERSION_3, pid: 0 };
    let kept = CapData { effective: bits, permitted: bits, inheritable: bits };
    let sets = [kept, CapData::default()];
    // SAFETY: plain integers, and structures that outlive the call in the layout of version 3.
    unsafe {
        check(sys!(libc::SYS_capset, &raw const header, sets.as_ptr()), || "capset".into())?;
        for capability in capabilities {
            let answer = sys!(libc::SYS_prctl, libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_RAISE, *capability);
            check(answer, || format!("keep capability {capability}"))?;
        }
    }
    Ok(())
}

/// Whether `no_new_privs` is set.
pub fn cannot_gain_privileges() -> bool {
    // SAFETY: plain integers.
    unsafe { sys!(libc::SYS_prctl, libc::PR_GET_NO_NEW_PRIVS) == Ok(1) }
}

/// No exec will ever grant more than this process has.
pub fn no_new_privileges() -> Done {
    // SAFETY: plain integers.
    check(unsafe { sys!(libc::SYS_prctl, libc::PR_SET_NO_NEW_PRIVS, 1) }, || "prctl(NO_NEW_PRIVS)".into())
        .map(drop)
}

/// Keeps other processes of the same user from looking into this one.
pub fn hide_memory() -> Done {
    dumpable(false)
}

/// Makes a process that is hidden an ordinary one again, whose own files under `/proc` are its own.
pub fn show_memory() -> Done {
    dumpable(true)
}

fn dumpable(yes: bool) -> Done {
    // SAFETY: plain integers.
    let answer = unsafe { sys!(libc::SYS_prctl, libc::PR_SET_DUMPABLE, usize::from(yes)) };
    check(answer, || "prctl(DUMPABLE)".into()).map(drop)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    /// What a thread holds can be empty while what a program could be given is not: only both together are nothing.
    #[test]
    fn capabilities_that_could_be_given_are_seen() {
        let answer = std::thread::spawn(|| {
            let header = CapHeader { version: CAPABILITY_VERSION_3, pid: 0 };
            let nothing = [CapData::default(); 2];
            // SAFETY: structures that outlive the call in the layout of version 3; of this thread alone.
            let dropped = unsafe { sys!(libc::SYS_capset, &raw const header, nothing.as_ptr()) };
            (dropped, has_no_capabilities().ok(), could_be_given())
        });
        let (dropped, has_none, given) = answer.join().unwrap();
        assert_eq!(dropped, Ok(0));
        assert!(given.is_some(), "tests run with a bounding set");
        assert_eq!(has_none, Some(false));
    }
}
