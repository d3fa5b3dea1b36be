//! Taking away: file access by landlock, system calls by a filter.

use crate::sys::landlock::{self, DEVICES, EVERYTHING, READ, Ruleset};
use crate::sys::raw::Fd;
use crate::sys::{Done, bpf, files, process};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use formicary_jail::message::Missing;
use formicary_jail::spec::{MountKind, Spec, WRITABLE};

/// Everything may be read that is there; written only what is meant to be.
pub fn files(spec: &Spec, missing: &mut Vec<(Missing, String)>) -> Done {
    let rules = match Ruleset::new() {
        Ok(rules) => rules,
        Err(fault) if spec.best_effort && landlock::is_absent(&fault) => {
            missing.push((Missing::Landlock, "this kernel has no landlock".into()));
            return Ok(());
        }
        Err(fault) => return Err(fault),
    };
    let allow = |path: &str, rights| rules.allow(&files::open_path(path)?, rights);
    allow("/", READ)?;
    allow("/dev", DEVICES)?;
    for folder in WRITABLE {
        allow(&format!("/{folder}"), EVERYTHING)?;
    }
    for mount in spec.mounts.iter().filter(|mount| mount.kind == MountKind::ReadWrite) {
        allow(&format!("/{}", mount.target), EVERYTHING)?;
    }
    rules.enforce()
}

/// The filter, and the listener for calls that are told to the controller.
pub fn system_calls(spec: &Spec) -> Done<Option<Fd>> {
    // Before the filter, which lets nobody change it any more: at one, and only at one, the kernel starts no crash
    // handler of the host's for a program that dies.
    process::limit(libc::RLIMIT_CORE, 1)?;
    bpf::install(&spec.refuse)
}
