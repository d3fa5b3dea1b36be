//! The mount calls, by descriptor where the kernel allows it: no path is looked up twice.

use super::raw::{Fd, sys};
use super::{Done, c, check};
use alloc::ffi::CString;
use alloc::format;

/// No device files work there.
pub const NO_DEVICES: u64 = 0x4;
/// No setuid bits work there.
pub const NO_SETUID: u64 = 0x2;
/// Nothing can be changed there.
pub const READ_ONLY: u64 = 0x1;

const AT_RECURSIVE: i32 = 0x8000;
const OPEN_TREE_CLONE: i32 = 1;
const MOVE_MOUNT_F_EMPTY_PATH: i32 = 4;

#[repr(C)]
#[derive(Default)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Stops mounts from travelling between this namespace and the host's.
pub fn make_private() -> Done {
    mount("none", "/", None, libc::MS_REC | libc::MS_PRIVATE, None)
}

/// Mounts a new file system of `kind`.
pub fn mount_new(kind: &str, target: &str, flags: u64, options: &str) -> Done {
    mount(kind, target, Some(kind), flags, Some(options))
}

/// Shows what is at `source` at `target` too, with the same attributes.
pub fn bind(source: &str, target: &str) -> Done {
    mount(source, target, None, libc::MS_BIND, None)
}

fn mount(source: &str, target: &str, kind: Option<&str>, flags: u64, options: Option<&str>) -> Done {
    let (source, at) = (c(source)?, c(target)?);
    let kind = kind.map(c).transpose()?;
    let options = options.map(c).transpose()?;
    let pointer = |text: &Option<CString>| text.as_ref().map_or(core::ptr::null(), |t| t.as_ptr());
    // SAFETY: every string outlives the call.
    let answer = unsafe {
        sys!(libc::SYS_mount, source.as_ptr(), at.as_ptr(), pointer(&kind), flags, pointer(&options))
    };
    check(answer, || format!("mount {target}")).map(drop)
}

/// A detached copy of the tree at `from`, with these attributes added throughout.
pub fn copy_tree(from: &Fd, attributes: u64, what: &str) -> Done<Fd> {
    let flags = OPEN_TREE_CLONE | libc::O_CLOEXEC | AT_RECURSIVE | libc::AT_EMPTY_PATH;
    // SAFETY: the empty string is static.
    let tree = unsafe { sys!(libc::SYS_open_tree, from.raw(), c"".as_ptr(), flags) };
    let tree = Fd::new(check(tree, || format!("open_tree {what}"))?);
    if attributes != 0 {
        set_attributes(&tree, attributes, AT_RECURSIVE, what)?;
    }
    Ok(tree)
}

/// Makes the owners of files in a detached tree appear as the users of `user_namespace` have them.
pub fn rename_owners(tree: &Fd, user_namespace: &Fd) -> Done {
    const IDMAP: u64 = 0x0010_0000;
    let wanted =
        MountAttributes { set: IDMAP, user_namespace: user_namespace.raw() as u64, ..Default::default() };
    apply(tree, &wanted, 0, "owners")
}

/// Adds attributes to the mount at `fd`, and with `AT_RECURSIVE` to those below.
fn set_attributes(fd: &Fd, attributes: u64, flags: i32, what: &str) -> Done {
    apply(fd, &MountAttributes { set: attributes, ..Default::default() }, flags, what)
}

fn apply(fd: &Fd, wanted: &MountAttributes, flags: i32, what: &str) -> Done {
    let flags = flags | libc::AT_EMPTY_PATH;
    // SAFETY: `wanted` outlives the call and its size is given.
    let answer = unsafe {
        sys!(libc::SYS_mount_setattr, fd.raw(), c"".as_ptr(), flags, &raw const *wanted, size_of_val(wanted))
    };
    check(answer, || format!("mount_setattr {what}")).map(drop)
}

/// Adds attributes to the one mount at `path`.
pub fn restrict(path: &str, attributes: u64) -> Done {
    set_attributes(&super::files::open_path(path)?, attributes, 0, path)
}

/// Attaches a detached tree at `target`.
pub fn attach(tree: &Fd, target: &str) -> Done {
    let at = c(target)?;
    let flags = MOVE_MOUNT_F_EMPTY_PATH;
    // SAFETY: both strings outlive the call.
    let answer =
        unsafe { sys!(libc::SYS_move_mount, tree.raw(), c"".as_ptr(), libc::AT_FDCWD, at.as_ptr(), flags) };
    check(answer, || format!("move_mount to {target}")).map(drop)
}

/// Makes `new_root` the root and lets go of the old one.
pub fn enter(new_root: &str) -> Done {
    go_to(new_root)?;
    // SAFETY: the strings are static.
    unsafe {
        check(sys!(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()), || "pivot_root".into())?;
        check(sys!(libc::SYS_umount2, c".".as_ptr(), libc::MNT_DETACH), || "umount the old root".into())?;
    }
    go_to("/")
}

/// Goes to a folder.
pub fn go_to(path: &str) -> Done {
    let name = c(path)?;
    // SAFETY: `name` outlives the call.
    check(unsafe { sys!(libc::SYS_chdir, name.as_ptr()) }, || format!("chdir {path}")).map(drop)
}

/// Leaves the host's cgroup view: where this process is now becomes the root.
pub fn own_cgroup_view() -> Done {
    // SAFETY: plain integers.
    check(unsafe { sys!(libc::SYS_unshare, libc::CLONE_NEWCGROUP) }, || "unshare cgroup".into()).map(drop)
}

/// Enters a network namespace of its own.
pub fn own_network() -> Done {
    // SAFETY: plain integers.
    check(unsafe { sys!(libc::SYS_unshare, libc::CLONE_NEWNET) }, || "unshare network".into()).map(drop)
}

/// Enters this network namespace.
pub fn enter_network(namespace: &Fd) -> Done {
    // SAFETY: plain integers.
    let answer = unsafe { sys!(libc::SYS_setns, namespace.raw(), libc::CLONE_NEWNET) };
    check(answer, || "enter a network".into()).map(drop)
}

/// Names this host.
pub fn set_host_name(name: &str) -> Done {
    // SAFETY: the bytes outlive the call and their length is given.
    check(unsafe { sys!(libc::SYS_sethostname, name.as_ptr(), name.len()) }, || "sethostname".into())
        .map(drop)
}
