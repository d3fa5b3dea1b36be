//! The mount calls, by descriptor where the kernel allows it: no path is looked up twice.

use super::{Done, c, check};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

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

fn mount(source: &str, target: &str, kind: Option<&str>, flags: u64, options: Option<&str>) -> Done {
    let (source, at) = (c(source)?, c(target)?);
    let kind = kind.map(c).transpose()?;
    let options = options.map(c).transpose()?;
    let pointer = |text: &Option<std::ffi::CString>| text.as_ref().map_or(std::ptr::null(), |t| t.as_ptr());
    // SAFETY: every string outlives the call.
    let returned =
        unsafe { libc::mount(source.as_ptr(), at.as_ptr(), pointer(&kind), flags, pointer(&options).cast()) };
    check(returned.into(), || format!("mount {target}"))?;
    Ok(())
}

/// A detached copy of the tree at `from`, with these attributes added throughout.
pub fn copy_tree(from: RawFd, attributes: u64, what: &str) -> Done<OwnedFd> {
    let flags = OPEN_TREE_CLONE | libc::O_CLOEXEC | AT_RECURSIVE | libc::AT_EMPTY_PATH;
    // SAFETY: the empty string is static.
    let fd = unsafe { libc::syscall(libc::SYS_open_tree, from, c"".as_ptr(), flags) };
    check(fd, || format!("open_tree {what}"))?;
    // SAFETY: just opened, owned by nobody else.
    let tree = unsafe { OwnedFd::from_raw_fd(fd as RawFd) };
    if attributes != 0 {
        set_attributes(tree.as_raw_fd(), attributes, AT_RECURSIVE, what)?;
    }
    Ok(tree)
}

/// Makes the owners of files in a detached tree appear as the users of `user_namespace` have them.
pub fn rename_owners(tree: &OwnedFd, user_namespace: &OwnedFd) -> Done {
    const IDMAP: u64 = 0x0010_0000;
    let wanted = MountAttributes {
        set: IDMAP,
        user_namespace: user_namespace.as_raw_fd() as u64,
        ..Default::default()
    };
    apply(tree.as_raw_fd(), &wanted, 0, "owners")
}

/// Adds attributes to the mount at `fd`, and with `AT_RECURSIVE` to those below.
fn set_attributes(fd: RawFd, attributes: u64, flags: i32, what: &str) -> Done {
    apply(fd, &MountAttributes { set: attributes, ..Default::default() }, flags, what)
}

fn apply(fd: RawFd, wanted: &MountAttributes, flags: i32, what: &str) -> Done {
    let flags = flags | libc::AT_EMPTY_PATH;
    // SAFETY: `wanted` outlives the call and its size is given.
    let returned = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            fd,
            c"".as_ptr(),
            flags,
            &raw const *wanted,
            size_of_val(wanted),
        )
    };
    check(returned, || format!("mount_setattr {what}"))?;
    Ok(())
}

/// Adds attributes to the one mount at `path`.
pub fn restrict(path: &str, attributes: u64) -> Done {
    let fd = super::files::open_path(path)?;
    set_attributes(fd.as_raw_fd(), attributes, 0, path)
}

/// Attaches a detached tree at `target`.
pub fn attach(tree: &OwnedFd, target: &str) -> Done {
    let at = c(target)?;
    // SAFETY: both strings outlive the call.
    let returned = unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_FDCWD,
            at.as_ptr(),
            MOVE_MOUNT_F_EMPTY_PATH,
        )
    };
    check(returned, || format!("move_mount to {target}"))?;
    Ok(())
}

/// Makes `new_root` the root and lets go of the old one.
pub fn enter(new_root: &str) -> Done {
    let root = c(new_root)?;
    // SAFETY: all strings outlive their calls.
    unsafe {
        check(libc::chdir(root.as_ptr()).into(), || format!("chdir {new_root}"))?;
        check(libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()), || "pivot_root".into())?;
        check(libc::umount2(c".".as_ptr(), libc::MNT_DETACH).into(), || "umount the old root".into())?;
        check(libc::chdir(c"/".as_ptr()).into(), || "chdir /".into())?;
    }
    Ok(())
}

/// Goes to a folder.
pub fn go_to(path: &str) -> Done {
    let name = c(path)?;
    // SAFETY: `name` outlives the call.
    check(unsafe { libc::chdir(name.as_ptr()) }.into(), || format!("chdir {path}"))?;
    Ok(())
}

/// Leaves the host's cgroup view: where this process is now becomes the root.
pub fn own_cgroup_view() -> Done {
    // SAFETY: plain integers.
    check(unsafe { libc::unshare(libc::CLONE_NEWCGROUP) }.into(), || "unshare cgroup".into())?;
    Ok(())
}

/// Names this host.
pub fn set_host_name(name: &str) -> Done {
    // SAFETY: the bytes outlive the call and their length is given.
    check(unsafe { libc::sethostname(name.as_ptr().cast(), name.len()) }.into(), || "sethostname".into())?;
    Ok(())
}
