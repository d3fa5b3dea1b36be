//! Taking away: file access by landlock, system calls by a filter.

use crate::message::Missing;
use crate::spec::{Confinement, WRITABLE};
use crate::sys::landlock::{self, DEVICES, EVERYTHING, READ, Ruleset};
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
    allow("/dev", DEVICES)?;
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

/// Tries what must not be possible any more, and sees that it is not.
pub fn prove() -> Done {
    let holds = |held: bool, step: &str| if held { Ok(()) } else { Err(fault(step)) };
    holds(identity::has_no_capabilities()?, "verify: capabilities are left")?;
    holds(identity::cannot_gain_privileges(), "verify: privileges can be gained")?;
    holds(process::is_filtered(), "verify: system calls are not filtered")?;
    holds(process::cannot_make_namespaces(), "verify: a user namespace can be made")
}

fn fault(step: &str) -> Fault {
    Fault { step: step.into(), errno: libc::EPERM }
}
