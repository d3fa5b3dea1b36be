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

/// No exec will ever grant more than this process has.
pub fn no_new_privileges() -> Done {
    // SAFETY: plain integers.
    check(unsafe { sys!(libc::SYS_prctl, libc::PR_SET_NO_NEW_PRIVS, 1) }, || "prctl(NO_NEW_PRIVS)".into())
        .map(drop)
}

/// Keeps other processes of the same user from looking into this one.
pub fn hide_memory() -> Done {
    // SAFETY: plain integers.
    check(unsafe { sys!(libc::SYS_prctl, libc::PR_SET_DUMPABLE, 0) }, || "prctl(DUMPABLE)".into()).map(drop)
}
