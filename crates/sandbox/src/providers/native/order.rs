//! A job turned into the jail's order.

use super::system;
use crate::cgroups::{Backend, Group, limits_cores};
use crate::sys::{memory_file, process};
use crate::{Job, SandboxError};
use formicary_jail::spec::{CgroupPlacement, FileSpec, MountKind, MountSpec, Refusal, Spec};
use formicary_model::{Assurance, Limits, MountAccess, Network};
use std::fs::File;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Writes the order, and the bytes of its files, into a file in memory.
pub fn write(job: &Job, backend: &Backend, group: Option<&Group>) -> Result<File, SandboxError> {
    check_paths(job)?;
    let own_network = job.network == Network::None;
    let processors = processors(backend, &job.limits);
    let system = system::system();
    let etc = system::files(own_network);
    let mut files: Vec<FileSpec> = etc
        .iter()
        .map(|(path, bytes)| FileSpec { path: (*path).into(), mode: 0o644, len: bytes.len() as u64 })
        .collect();
    files.extend(job.files.iter().map(|file| FileSpec {
        path: format!("work/{}", file.path),
        mode: if file.executable { 0o755 } else { 0o644 },
        len: file.content.len() as u64,
    }));
    let spec = Spec {
        argv: job.command.clone(),
        env: job.env.iter().map(|(name, value)| format!("{name}={value}")).collect(),
        cwd: job.cwd.clone(),
        mounts: system.mounts.iter().cloned().chain(job.mounts.iter().map(mount)).collect(),
        links: system.links.clone(),
        files,
        disk_bytes: job.limits.disk_bytes,
        disk_inodes: job.limits.disk_inodes,
        own_network,
        cgroup: group.map_or(CgroupPlacement::None, Group::placement),
        rlimits: rlimits(backend, &job.limits),
        refuse: refusals(job, backend, &processors),
        processors,
        best_effort: job.assurance == Assurance::BestEffort,
    };
    let spec = postcard::to_allocvec(&spec).map_err(|error| SandboxError::InvalidJob(error.to_string()))?;
    let length = (spec.len() as u32).to_le_bytes();
    let mut parts: Vec<&[u8]> = vec![&length, &spec];
    parts.extend(etc.iter().map(|(_, bytes)| &**bytes));
    parts.extend(job.files.iter().map(|file| &*file.content));
    memory_file::sealed(c"formicary-order", &parts)
        .map_err(|error| SandboxError::step("write the order", error))
}

/// The guard has looked at these already; a provider that trusted it would be one mistake away from harm.
fn check_paths(job: &Job) -> Result<(), SandboxError> {
    let plain =
        |path: &str| path.split('/').all(|part| !matches!(part, "" | "." | "..")) && !path.contains('\0');
    let files = job.files.iter().map(|file| file.path.as_str());
    let targets = job.mounts.iter().map(|mount| mount.guest.strip_prefix('/').unwrap_or(""));
    match files.chain(targets).find(|path| !plain(path)) {
        None => Ok(()),
        Some(path) => Err(SandboxError::InvalidJob(format!("path {path:?} does not stay in its folder"))),
    }
}

fn mount(mount: &formicary_model::Mount) -> MountSpec {
    let kind = match mount.access {
        MountAccess::ReadOnly => MountKind::ReadOnly,
        MountAccess::ReadWrite => MountKind::ReadWrite,
    };
    MountSpec { source: mount.host.clone(), target: mount.guest.trim_start_matches('/').into(), kind }
}

fn refusals(job: &Job, backend: &Backend, processors: &[u16]) -> Vec<Refusal> {
    let writable = job.mounts.iter().any(|mount| mount.access == MountAccess::ReadWrite);
    [
        (Refusal::HiddenMemory, matches!(backend, Backend::None(_))),
        (Refusal::UncountedForks, matches!(backend, Backend::None(_))),
        (Refusal::Affinity, !processors.is_empty()),
        (Refusal::SetuidBits, writable),
    ]
    .into_iter()
    .filter_map(|(refusal, wanted)| wanted.then_some(refusal))
    .collect()
}

fn rlimits(backend: &Backend, limits: &Limits) -> Vec<(u32, u64)> {
    // The sandbox's first process counts too. A cgroup counts exactly and tells of it, so there this is only the
    // second line.
    let spare = if matches!(backend, Backend::None(_)) { 1 } else { 16 };
    vec![
        (libc::RLIMIT_NOFILE, limits.open_files.into()),
        (libc::RLIMIT_FSIZE, limits.file_size_bytes),
        (libc::RLIMIT_NPROC, u64::from(limits.processes) + spare),
        // The whole tree is watched; this ends a single process even if nobody watches any more.
        (libc::RLIMIT_CPU, limits.cpu_seconds.ceil() as u64 + 1),
        (libc::RLIMIT_MEMLOCK, 64 * 1024),
        (libc::RLIMIT_MSGQUEUE, 819_200),
        (libc::RLIMIT_SIGPENDING, 1024),
        (libc::RLIMIT_RTPRIO, 0),
        (libc::RLIMIT_NICE, 0),
    ]
}

/// Without a group that shares out cores, whole processors are handed out, in turn.
fn processors(backend: &Backend, limits: &Limits) -> Vec<u16> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    if !limits_cores(limits) || !matches!(backend, Backend::None(_)) {
        return Vec::new();
    }
    let all = process::processors();
    let wanted = (limits.cores.ceil() as usize).clamp(1, all.len());
    let first = NEXT.fetch_add(wanted, Ordering::Relaxed).wrapping_add(std::process::id() as usize);
    (0..wanted).map(|i| all[first.wrapping_add(i) % all.len()]).collect()
}
