//! The sandbox's file system: one sized tmpfs that holds everything writable, with the host's parts shown read-only.

use crate::init::lacks;
use crate::sys::mounts::{NO_DEVICES, NO_SETUID, READ_ONLY};
use crate::sys::raw::Fd;
use crate::sys::{Done, Fault, files, mounts};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use formicary_jail::message::Missing;
use formicary_jail::spec::{MountKind, SPEC_FD, Spec, WRITABLE};

/// Where the new root is put together. Any folder that every host has will do: nothing under it is needed any more.
const NEW_ROOT: &str = "/tmp";
/// A folder, inside, that stays empty.
const EMPTY: &str = "dev/empty";
const NO_EXECUTION: u64 = libc::MS_NOEXEC;
const MIB: u64 = 1024 * 1024;

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

/// Puts the root together and enters it.
pub fn build(spec: &Spec, sources: &[Source], missing: &mut Vec<(Missing, String)>) -> Done {
    mounts::make_private()?;
    let options = format!("mode=755,size={},nr_inodes={}", spec.disk_bytes + overhead(spec), inodes(spec));
    mounts::mount_new("tmpfs", NEW_ROOT, libc::MS_NOSUID | libc::MS_NODEV, &options)?;
    for folder in WRITABLE.iter().chain(&["proc", "etc", EMPTY]) {
        files::make_folders(NEW_ROOT, folder)?;
    }
    for (path, target) in &spec.links {
        let path = format!("{NEW_ROOT}/{path}");
        files::link(target, &path)?;
    }
    for (mount, source) in spec.mounts.iter().zip(sources) {
        show(source, &mount.target, mount.kind)?;
    }
    own_proc(spec, missing)?;
    for folder in WRITABLE {
        let path = format!("{NEW_ROOT}/{folder}");
        files::set_mode(&path, if folder == "work" { 0o755 } else { 0o1777 })?;
        let here = files::open_path(&path)?;
        mounts::attach(&mounts::copy_tree(&here, NO_DEVICES | NO_SETUID, &path)?, &path)?;
    }
    mounts::enter(NEW_ROOT)
}

/// What the root itself needs on the file system, so that the payload's budget is its own.
fn overhead(spec: &Spec) -> u64 {
    let etc: u64 =
        spec.files.iter().filter(|file| !is_payload_file(&file.path)).map(|file| file.len + 4096).sum();
    etc + MIB / 16
}

fn inodes(spec: &Spec) -> u64 {
    // Every mount point costs its folders; two a level is more than enough.
    spec.disk_inodes + 64 + 8 * spec.mounts.len() as u64 + spec.links.len() as u64 + spec.files.len() as u64
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
        if let Some((folder, _)) = target.rsplit_once('/') {
            files::make_folders(NEW_ROOT, folder)?;
        }
        files::make_empty(&path)?;
    }
    let attributes = match kind {
        MountKind::ReadOnly => READ_ONLY | NO_SETUID | NO_DEVICES,
        MountKind::ReadWrite => NO_SETUID | NO_DEVICES,
        MountKind::Device => NO_SETUID,
    };
    match source {
        Source::Here(handle) => mounts::attach(&mounts::copy_tree(handle, attributes, target)?, &path),
        Source::Lent(tree) => mounts::attach(tree, &path),
    }
}

/// A `/proc` of the sandbox's own processes, in which nothing can be written; and with it, no further user namespaces.
fn own_proc(spec: &Spec, missing: &mut Vec<(Missing, String)>) -> Done {
    let path = format!("{NEW_ROOT}/proc");
    let flags = libc::MS_NOSUID | libc::MS_NODEV | NO_EXECUTION;
    if let Err(fault) = mounts::mount_new("proc", &path, flags, "") {
        return skip(spec, missing, Missing::Proc, fault);
    }
    for (setting, value) in ALLOWANCES {
        if let Err(fault) = files::write_once(&format!("{path}/sys/user/{setting}"), value) {
            skip(spec, missing, Missing::NestedUsers, fault)?;
        }
    }
    for name in MASKED {
        mask(&format!("{path}/{name}"))?;
    }
    mounts::restrict(&path, READ_ONLY)
}

/// Covers a file with the null device and a folder with the empty one at the root. What is not there needs no cover.
fn mask(path: &str) -> Done {
    let Ok(hidden) = files::open_path(path) else { return Ok(()) };
    let cover = if files::is_folder(&hidden)? { EMPTY } else { "dev/null" };
    let cover = files::open_path(&format!("{NEW_ROOT}/{cover}"))?;
    mounts::attach(&mounts::copy_tree(&cover, READ_ONLY, path)?, path)
}

fn skip(spec: &Spec, missing: &mut Vec<(Missing, String)>, which: Missing, fault: Fault) -> Done {
    if !spec.best_effort {
        return Err(fault);
    }
    missing.push((which, format!("{} (errno {})", fault.step, fault.errno)));
    Ok(())
}

/// Writes the files of the order, from inside the new root.
pub fn write_files(spec: &Spec, files_at: i64) -> Done {
    let mut offset = files_at;
    for file in &spec.files {
        if let Some((folder, _)) = file.path.rsplit_once('/') {
            files::make_folders("", folder)?;
        }
        files::copy_into(&format!("/{}", file.path), file.mode, SPEC_FD, &mut offset, file.len)?;
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
