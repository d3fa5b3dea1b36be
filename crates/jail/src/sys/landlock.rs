//! Landlock: file access restricted a second time, below the mounts.

use super::raw::{Fd, sys};
use super::{Done, Fault, check};

const CREATE_RULESET: libc::c_long = 444;
const ADD_RULE: libc::c_long = 445;
const RESTRICT_SELF: libc::c_long = 446;
const VERSION_FLAG: u32 = 1;
const PATH_BENEATH: u32 = 1;

const EXECUTE: u64 = 1 << 0;
/// Writing.
pub const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const IOCTL_DEV: u64 = 1 << 15;
/// Abstract sockets and signals stay within the sandbox.
const SCOPES: u64 = 0b11;

/// Reading, listing and executing.
pub const READ: u64 = EXECUTE | READ_FILE | READ_DIR;
/// What device files need.
pub const DEVICES: u64 = READ_FILE | WRITE_FILE | READ_DIR | IOCTL_DEV;
/// Everything that this kernel knows.
pub const EVERYTHING: u64 = u64::MAX;

#[repr(C)]
struct RulesetAttributes {
    files: u64,
    network: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathRule {
    allowed: u64,
    parent: i32,
}

/// A set of rules that is being built.
pub struct Ruleset {
    fd: Fd,
    handled: u64,
}

impl Ruleset {
    /// Starts a set that handles every access this kernel can restrict.
    pub fn new() -> Done<Self> {
        // SAFETY: a null pointer and size zero are what asks for the version.
        let version = check(unsafe { sys!(CREATE_RULESET, 0, 0, VERSION_FLAG) }, || "landlock".into())?;
        let rights = match version {
            1 => 13,
            2 => 14,
            3 | 4 => 15,
            _ => 16,
        };
        let handled = (1u64 << rights) - 1;
        let attributes =
            RulesetAttributes { files: handled, network: 0, scoped: if version >= 6 { SCOPES } else { 0 } };
        // Older kernels know a shorter structure and refuse trailing bytes only if they are not zero.
        // SAFETY: `attributes` outlives the call and its size is given.
        let fd = unsafe { sys!(CREATE_RULESET, &raw const attributes, size_of_val(&attributes), 0) };
        Ok(Self { fd: Fd::new(check(fd, || "landlock_create_ruleset".into())?), handled })
    }

    /// Allows `rights` beneath the file or folder `at`.
    pub fn allow(&self, at: &Fd, rights: u64) -> Done {
        let mut allowed = rights & self.handled;
        if !super::files::is_folder(at)? {
            allowed &= EXECUTE | WRITE_FILE | READ_FILE | IOCTL_DEV | (1 << 14);
        }
        let rule = PathRule { allowed, parent: at.raw() };
        // SAFETY: `rule` outlives the call and has the kernel's packed layout.
        let answer = unsafe { sys!(ADD_RULE, self.fd.raw(), PATH_BENEATH, &raw const rule, 0) };
        check(answer, || "landlock_add_rule".into()).map(drop)
    }

    /// Puts the rules in force for this process and all it will ever start.
    pub fn enforce(self) -> Done {
        // SAFETY: plain integers.
        check(unsafe { sys!(RESTRICT_SELF, self.fd.raw(), 0) }, || "landlock_restrict_self".into()).map(drop)
    }
}

/// Whether a fault means that this kernel has no landlock, rather than that the rules are wrong.
pub fn is_absent(fault: &Fault) -> bool {
    matches!(fault.errno, libc::ENOSYS | libc::EOPNOTSUPP)
}
