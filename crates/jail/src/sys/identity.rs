//! Users, groups, capabilities and what may be gained by exec.

use super::{Done, check};

/// The effective user and group.
pub fn effective() -> (u32, u32) {
    // SAFETY: no arguments, cannot fail.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

/// Leaves all supplementary groups, where that is allowed.
pub fn leave_groups() {
    // SAFETY: a count of zero reads no pointer.
    unsafe { libc::setgroups(0, std::ptr::null()) };
}

/// Gives the standard streams to another user, where this one is root. Anyone else's sandbox runs as that same user.
pub fn give_streams((user, group): (u32, u32)) {
    for stream in 0..3 {
        // SAFETY: plain integers.
        unsafe { libc::fchown(stream, user, group) };
    }
}

/// Becomes user and group `id`, in all three senses.
pub fn become_id(id: u32) -> Done {
    // SAFETY: plain integers.
    unsafe {
        check(libc::setresgid(id, id, id).into(), || format!("setresgid {id}"))?;
        check(libc::setresuid(id, id, id).into(), || format!("setresuid {id}"))?;
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
const SECUREBITS_LOCKED: libc::c_ulong = 0xef;

/// Gives up every capability in every set, for ever.
pub fn drop_capabilities() -> Done {
    // SAFETY: plain integers, and structures that outlive the call in the layout of version 3.
    unsafe {
        // Needs CAP_SETPCAP, so it comes first. Past the last capability the kernel says EINVAL.
        for capability in 0..64 {
            if libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 {
                break;
            }
        }
        check(libc::prctl(libc::PR_SET_SECUREBITS, SECUREBITS_LOCKED, 0, 0, 0).into(), || {
            "prctl(SECUREBITS)".into()
        })?;
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        let header = CapHeader { version: CAPABILITY_VERSION_3, pid: 0 };
        let nothing = [CapData::default(); 2];
        check(libc::syscall(libc::SYS_capset, &raw const header, nothing.as_ptr()), || "capset".into())?;
    }
    Ok(())
}

/// No exec will ever grant more than this process has.
pub fn no_new_privileges() -> Done {
    // SAFETY: plain integers.
    check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into(), || {
        "prctl(NO_NEW_PRIVS)".into()
    })?;
    Ok(())
}

/// Keeps other processes of the same user from looking into this one.
pub fn hide_memory() -> Done {
    // SAFETY: plain integers.
    check(unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) }.into(), || "prctl(DUMPABLE)".into())?;
    Ok(())
}
