//! The sandbox's file system: one sized tmpfs that holds everything writable, with the host's parts shown read-only.

use crate::init::lacks;
use crate::message::Missing;
use crate::spec::{Confinement, Disk, FileSpec, MountKind, Role, Spec, WRITABLE};
use crate::sys::mounts::{NO_DEVICES, NO_SETUID, READ_ONLY};
use crate::sys::raw::Fd;
use crate::sys::{Done, Fault, files, mounts};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Where the new root is put together. Any folder that every host has will do: nothing under it is needed any more.
const NEW_ROOT: &str = "/tmp";
/// A folder, inside, that stays empty.
const EMPTY: &str = "dev/empty";
/// What a file system's own folders take of it.
const ROOM: u64 = 64 * 1024;

/// Paths of `/proc` that tell of the host or reach its kernel, as container runtimes mask them.
const MASKED: [&str; 13] = [
    "acpi",
    "asound",
    "config.gz",
    "kallsyms",
    "kcore",
    "key-users",
    "keys",
    "kmsg",
    "latency_stats",
    "sched_debug",
    "scsi",
    "sysrq-trigger",
    "timer_list",
];

/// What the sandbox's user may have of things that are counted together with its owner's on the host.
const ALLOWANCES: [(&str, &str); 3] =
    [("max_user_namespaces", "0"), ("max_inotify_instances", "16"), ("max_inotify_watches", "4096")];

/// Something to mount.
pub enum Source {
    /// A handle in this mount namespace, to be copied.
    Here(Fd),
    /// A copy that the supervisor has made.
    Lent(Fd),
}

/// Handles of all mount sources, opened with the rights that this process still has.
pub fn open_sources(spec: &Spec, lent: Vec<Option<Fd>>) -> Done<Vec<Source>> {
    let pairs = spec.mounts.iter().zip(lent);
    pairs
        .map(|(mount, lent)| {
            lent.map_or_else(
                || files::open_path(&mount.source).map(Source::Here),
                |tree| Ok(Source::Lent(tree)),
            )
        })
        .collect()
}

/// Founds the new root: one sized file system with folders and links.
pub fn found(spec: &Spec) -> Done {
    mounts::make_private()?;
    sized(NEW_ROOT, spec.disk.bytes + overhead(spec), inodes(spec))?;
    for folder in WRITABLE.iter().chain(&["proc", "etc", EMPTY]) {
        files::make_folders(NEW_ROOT, folder)?;
    }
    for (path, target) in &spec.links {
        let path = format!("{NEW_ROOT}/{path}");
        files::link(target, &path)?;
    }
    Ok(())
}

/// Puts everything into the new root and enters it.
pub fn build(spec: &Spec, sources: &[Source], missing: &mut Vec<(Missing, String)>) -> Done {
    for (mount, source) in spec.mounts.iter().zip(sources) {
        show(source, &mount.target, mount.kind)?;
    }
    let empty = format!("{NEW_ROOT}/{EMPTY}");
    mounts::attach(&mounts::copy_tree(&files::open_path(&empty)?, READ_ONLY | NO_DEVICES, EMPTY)?, &empty)?;
    new_proc(NEW_ROOT).or_else(|fault| skip(&spec.confinement, missing, Missing::Proc, fault))?;
    if spec.role == Role::Run {
        // Who made the network had the first number. It is free again when the program starts, which gets it as in a sandbox
        // that was made ahead; a kernel that cannot do that counts on.
        let _ = files::write_once(&format!("{NEW_ROOT}/proc/sys/kernel/ns_last_pid"), "1");
        restrict_proc(NEW_ROOT, &spec.confinement, missing)?;
        for folder in WRITABLE {
            let path = format!("{NEW_ROOT}/{folder}");
            make_writable(&path, folder, &path)?;
        }
    }
    mounts::enter(NEW_ROOT)
}

/// Gives a sandbox that was born in a nursery a file system of its own to write to, and a `/proc` of its own, over
/// those of the nursery. All else it shares, read-only, with its siblings.
pub fn renew(disk: Disk, confinement: &Confinement, missing: &mut Vec<(Missing, String)>) -> Done {
    // Everything writable is put together under the first of the folders, which its own part then covers.
    const BUILT_AT: &str = "/work";
    sized(BUILT_AT, disk.bytes + ROOM, disk.inodes + 16)?;
    for folder in WRITABLE.iter().rev() {
        files::make_folders(BUILT_AT, folder)?;
        make_writable(&format!("{BUILT_AT}/{folder}"), folder, &format!("/{folder}"))?;
    }
    // The nursery's own stays below, out of reach; nothing about it need be writable even so.
    mounts::restrict("/proc", READ_ONLY)?;
    new_proc("").or_else(|fault| skip(confinement, missing, Missing::Proc, fault))?;
    restrict_proc("", confinement, missing)
}

/// Mounts an empty file system of this size.
fn sized(path: &str, bytes: u64, inodes: u64) -> Done {
    let options = format!("mode=755,size={bytes},nr_inodes={inodes}");
    mounts::mount_new("tmpfs", path, libc::MS_NOSUID | libc::MS_NODEV, &options)
}

/// Shows the folder at `path` as the writable `folder` of a sandbox, at `target`.
fn make_writable(path: &str, folder: &str, target: &str) -> Done {
    files::set_mode(path, if folder == "work" { 0o755 } else { 0o1777 })?;
    let here = files::open_path(path)?;
    mounts::attach(&mounts::copy_tree(&here, NO_DEVICES | NO_SETUID, path)?, target)
}

/// What the root itself needs on the file system, so that the payload's budget is its own.
fn overhead(spec: &Spec) -> u64 {
    let etc: u64 =
        spec.files.iter().filter(|file| !is_payload_file(&file.path)).map(|file| file.len + 4096).sum();
    etc + ROOM
}

fn inodes(spec: &Spec) -> u64 {
    // Every mount point costs its folders; two a level is more than enough.
    spec.disk.inodes + 64 + 8 * spec.mounts.len() as u64 + spec.links.len() as u64 + spec.files.len() as u64
}

fn is_payload_file(path: &str) -> bool {
    path.starts_with("work/")
}

fn show(source: &Source, target: &str, kind: MountKind) -> Done {
    let path = format!("{NEW_ROOT}/{target}");
    let (Source::Here(handle) | Source::Lent(handle)) = source;
    if files::is_folder(handle)? {
        files::make_folders(NEW_ROOT, target)?;
    } else {
        // Mostly its folder is there already.
        if files::make_empty(&path).is_err() {
            let (folder, _) = target.rsplit_once('/').unwrap_or_default();
            files::make_folders(NEW_ROOT, folder)?;
            files::make_empty(&path)?;
        }
    }
    let attributes = match kind {
        MountKind::ReadOnly => READ_ONLY | NO_SETUID | NO_DEVICES,
        MountKind::ReadWrite => NO_SETUID | NO_DEVICES,
        // That devices can be written to is not the mount's affair.
        MountKind::Device => READ_ONLY | NO_SETUID,
    };
    match source {
        Source::Here(handle) => mounts::attach(&mounts::copy_tree(handle, attributes, target)?, &path),
        Source::Lent(tree) => mounts::attach(tree, &path),
    }
}

/// Mounts a `/proc` of the sandbox's own processes.
fn new_proc(root: &str) -> Done {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    mounts::mount_new("proc", &format!("{root}/proc"), flags, "")
}

/// Nothing in `/proc` can be written, or tells of the host; and with it, there are no further user namespaces.
fn restrict_proc(root: &str, confinement: &Confinement, missing: &mut Vec<(Missing, String)>) -> Done {
    if lacks(missing, Missing::Proc) {
        return Ok(());
    }
    for (setting, value) in ALLOWANCES {
        if let Err(fault) = files::write_once(&format!("{root}/proc/sys/user/{setting}"), value) {
            skip(confinement, missing, Missing::NestedUsers, fault)?;
        }
    }
    for name in MASKED {
        mask(root, &format!("{root}/proc/{name}"))?;
    }
    mounts::restrict(&format!("{root}/proc"), READ_ONLY)
}

/// Covers a file with the null device and a folder with the empty one. Both are mounted read-only, and so is what is
/// bound from them. What is not there needs no cover.
///
/// It looks before it mounts: a mount that fails is taken down again, for which the kernel waits until no processor can
/// still be looking at it, and that takes longer than all the others together.
fn mask(root: &str, path: &str) -> Done {
    let cover = match files::open_path(path).and_then(|masked| files::is_folder(&masked)) {
        Err(Fault { errno: libc::ENOENT, .. }) => return Ok(()),
        Err(fault) => return Err(fault),
        Ok(true) => EMPTY,
        Ok(false) => "dev/null",
    };
    mounts::bind(&format!("{root}/{cover}"), path)
}

fn skip(
    confinement: &Confinement,
    missing: &mut Vec<(Missing, String)>,
    which: Missing,
    fault: Fault,
) -> Done {
    if !confinement.best_effort {
        return Err(fault);
    }
    missing.push((which, format!("{} (errno {})", fault.step, fault.errno)));
    Ok(())
}

/// Writes files, from inside the new root, whose bytes follow one another in `contents`.
pub fn write_files(list: &[FileSpec], contents: &[u8]) -> Done {
    let (mut rest, mut there) = (contents, "");
    for file in list {
        // Files of one folder mostly come one after the other.
        if let Some((folder, _)) = file.path.rsplit_once('/').filter(|(folder, _)| *folder != there) {
            files::make_folders("", folder)?;
            there = folder;
        }
        let short = || Fault { step: format!("write {}: bytes missing", file.path), errno: libc::EIO };
        let (bytes, after) = rest.split_at_checked(file.len as usize).ok_or_else(short)?;
        files::write_new(&format!("/{}", file.path), file.mode, bytes)?;
        rest = after;
    }
    Ok(())
}

/// Makes the root read-only; what lies on mounts of its own stays as it is.
pub fn seal() -> Done {
    mounts::restrict("/", READ_ONLY | NO_SETUID | NO_DEVICES)
}

/// Handles for the controller: the working folder and, unless it is missing, `/proc`.
pub fn handles(missing: &[(Missing, String)]) -> Done<(Fd, Option<Fd>)> {
    let work = files::open_folder("/work")?;
    let proc = if lacks(missing, Missing::Proc) { None } else { Some(files::open_folder("/proc")?) };
    Ok((work, proc))
}
