//! Taking away: file access by landlock, system calls by a filter.

use crate::message::Missing;
use crate::spec::{Confinement, Refusal, WRITABLE};
use crate::sys::landlock::{self, DEVICES, EVERYTHING, READ, Ruleset, WRITE_FILE};
use crate::sys::raw::Fd;
use crate::sys::{Done, Fault, bpf, files, identity, process};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Everything may be read that is there; written only what is meant to be: `writable` are paths inside, besides the
/// sandbox's own folders.
pub fn files<'a>(
    writable: impl Iterator<Item = &'a str>,
    confinement: &Confinement,
    missing: &mut Vec<(Missing, String)>,
) -> Done {
    let rules = match Ruleset::new() {
        Ok(rules) => rules,
        Err(fault) if confinement.best_effort && landlock::is_absent(&fault) => {
            missing.push((Missing::Landlock, "this kernel has no landlock".into()));
            return Ok(());
        }
        Err(fault) => return Err(fault),
    };
    let allow = |path: &str, rights| rules.allow(&files::open_path(path)?, rights);
    allow("/", READ)?;
    if confinement.refuse.contains(&Refusal::HiddenMemory) {
        // Who can write to the device of zeros can share memory by it that no process has, without being asked about it.
        allow("/dev", DEVICES & !WRITE_FILE)?;
        for device in ["null", "full", "random", "urandom"] {
            allow(&format!("/dev/{device}"), DEVICES)?;
        }
    } else {
        allow("/dev", DEVICES)?;
    }
    for path in WRITABLE.into_iter().chain(writable) {
        allow(&format!("/{path}"), EVERYTHING)?;
    }
    rules.enforce()
}

/// The filter, and the listener for calls that are told to the controller.
pub fn system_calls(confinement: &Confinement) -> Done<Option<Fd>> {
    // Before the filter, which lets nobody change it any more: at one, and only at one, the kernel starts no crash
    // handler of the host's for a program that dies.
    process::limit(libc::RLIMIT_CORE, 1)?;
    bpf::install(&confinement.refuse)
}

/// Sees that what was taken away is gone. Every sandbox does, before a program starts in it.
pub fn prove() -> Done {
    holds(identity::has_no_capabilities()?, "verify: capabilities are left")?;
    holds(identity::cannot_gain_privileges(), "verify: privileges can be gained")?;
    holds(process::is_filtered(), "verify: system calls are not filtered")?;
    holds(process::knows_no_clone3(), "verify: the filter of system calls is not ours")
}

/// The same, and tries what the controller is told of. It must be there to answer, and know that this is no program.
pub fn prove_by_asking() -> Done {
    prove()?;
    holds(process::cannot_make_namespaces(), "verify: a user namespace can be made")
}

fn holds(held: bool, step: &str) -> Done {
    if held { Ok(()) } else { Err(fault(step)) }
}

fn fault(step: &str) -> Fault {
    Fault { step: step.into(), errno: libc::EPERM }
}
