//! The system calls that a program beside a warden is refused: the jail's own lists, as filters that the warden lays on
//! the program. What a container's engine or a guest's kernel refuses on its own account comes on top.

use crate::{Job, SandboxError};
use formicary_jail::calls;
use formicary_model::MountAccess;
use formicary_warden::message::Instruction;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

const NEW_TIME: u64 = 0x80;
/// Terminal requests that type for the user (TIOCSTI) or drive a console (TIOCLINUX).
const TERMINAL_REQUESTS: [u64; 2] = [0x5412, 0x541c];
/// Unix, internet and netlink.
const FAMILIES: [u64; 4] = [1, 2, 10, 16];
const LAST_FAMILY: u64 = 46;
const WHOLE: u64 = 0xffff_ffff;

/// The filters for a job.
pub fn refusals(job: &Job) -> Result<Vec<Vec<Instruction>>, SandboxError> {
    let mut forbidden = Rules::new();
    let mut absent = Rules::new();
    for (number, _) in calls::TOLD {
        forbidden.insert(*number, Vec::new());
    }
    for (number, errno) in calls::QUIET {
        let rules = if *errno == libc::ENOSYS { &mut absent } else { &mut forbidden };
        rules.insert(*number, Vec::new());
    }
    by_argument(&mut forbidden)?;
    if job.mounts.iter().any(|mount| mount.access == MountAccess::ReadWrite) {
        setuid_bits(&mut forbidden)?;
    }
    Ok(vec![compile(absent, libc::ENOSYS)?, compile(forbidden, libc::EPERM)?])
}

fn by_argument(rules: &mut Rules) -> Result<(), SandboxError> {
    let bits = |set: u64| (0..32).map(|bit| 1u64 << bit).filter(move |bit| set & bit != 0);
    let namespaces = calls::ANY_NAMESPACE as u64;
    for bit in bits(namespaces) {
        add(rules, libc::SYS_clone, &[(0, bit, bit)])?;
    }
    for bit in bits(namespaces | NEW_TIME) {
        add(rules, libc::SYS_unshare, &[(0, bit, bit)])?;
    }
    for request in TERMINAL_REQUESTS {
        add(rules, libc::SYS_ioctl, &[(1, WHOLE, request)])?;
    }
    for family in (3..=LAST_FAMILY).filter(|family| !FAMILIES.contains(family)) {
        add(rules, libc::SYS_socket, &[(0, WHOLE, family)])?;
        add(rules, libc::SYS_socketpair, &[(0, WHOLE, family)])?;
    }
    // Of netlink, only what tells of routes.
    for bit in bits(0xff) {
        add(rules, libc::SYS_socket, &[(0, WHOLE, 16), (2, bit, bit)])?;
    }
    // Limits of one's own only.
    for bit in bits(WHOLE) {
        add(rules, libc::SYS_prlimit64, &[(0, bit, bit)])?;
    }
    let device = [u64::from(libc::S_IFCHR), u64::from(libc::S_IFBLK)];
    for kind in device {
        add(rules, libc::SYS_mknodat, &[(2, u64::from(libc::S_IFMT), kind)])?;
        #[cfg(target_arch = "x86_64")]
        add(rules, libc::SYS_mknod, &[(1, u64::from(libc::S_IFMT), kind)])?;
    }
    Ok(())
}

/// No file with a setuid or setgid bit can be made, by any call that takes permission bits.
fn setuid_bits(rules: &mut Rules) -> Result<(), SandboxError> {
    let calls = [
        (libc::SYS_fchmod, 1),
        (libc::SYS_fchmodat, 2),
        (452, 2), // fchmodat2
        (libc::SYS_mknodat, 2),
        (libc::SYS_mkdirat, 2),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_chmod, 1),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_creat, 1),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_mknod, 1),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_mkdir, 1),
    ];
    for (number, argument) in calls {
        for bit in [u64::from(libc::S_ISUID), u64::from(libc::S_ISGID)] {
            add(rules, number, &[(argument, bit, bit)])?;
        }
    }
    // Here the bits mean something only if a file is made; otherwise the register holds anything.
    let opens = [
        (libc::SYS_openat, 2),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_open, 1),
    ];
    for (number, flags) in opens {
        for makes in [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY].map(|flag| flag as u64) {
            for bit in [u64::from(libc::S_ISUID), u64::from(libc::S_ISGID)] {
                add(rules, number, &[(flags, makes, makes), (flags + 1, bit, bit)])?;
            }
        }
    }
    // Its mode lies behind a pointer that a filter cannot read; C libraries fall back.
    rules.insert(libc::SYS_openat2, Vec::new());
    Ok(())
}

/// Refuses `number` when every argument named has these bits under its mask.
fn add(rules: &mut Rules, number: i64, arguments: &[(u8, u64, u64)]) -> Result<(), SandboxError> {
    let conditions = arguments
        .iter()
        .map(|(index, mask, bits)| {
            SeccompCondition::new(*index, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(*mask), *bits)
        })
        .collect::<Result<Vec<_>, _>>()
        .map_err(unfit)?;
    rules.entry(number).or_default().push(SeccompRule::new(conditions).map_err(unfit)?);
    Ok(())
}

fn compile(rules: Rules, errno: i32) -> Result<Vec<Instruction>, SandboxError> {
    let architecture = std::env::consts::ARCH.try_into().map_err(unfit)?;
    let refuse = SeccompAction::Errno(errno as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture).map_err(unfit)?;
    let program: BpfProgram = filter.try_into().map_err(unfit)?;
    Ok(program.iter().map(|one| (one.code, one.jt, one.jf, one.k)).collect())
}

fn unfit(error: seccompiler::BackendError) -> SandboxError {
    SandboxError::step("write the filter of system calls", std::io::Error::other(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_fit_into_the_kernel() {
        let filters = refusals(&Job::new(["true"])).unwrap();
        assert_eq!(filters.len(), 2);
        // The kernel takes at most 4096 instructions.
        assert!(filters.iter().all(|filter| (10..4096).contains(&filter.len())));
    }
}
