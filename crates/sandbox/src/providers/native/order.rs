//! A job turned into the jail's orders.

use super::kind::{Kind, Start};
use super::{helper, system};
use crate::cgroups::{Backend, Group, Owner, limits_cores};
use crate::sys::{memory_file, process};
use crate::{Job, SandboxError};
use formicary_jail::spec::{
    self, Birth, CgroupPlacement, Confinement, Disk, FileSpec, LONGEST_ORDER, MountKind, MountSpec, Order,
    Program, Refusal, Request, Role, Spec,
};
use formicary_model::{Assurance, Limits, MountAccess, Network};
use serde::Serialize;
use std::borrow::Cow;
use std::ffi::CStr;
use std::fs::File;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the file of an order is called where processes are looked at.
const ORDER: &CStr = c"formicary-order";

/// A file in memory for the order of one sandbox.
pub fn blank() -> Result<File, SandboxError> {
    memory_file::empty(ORDER).map_err(|error| SandboxError::step("make a file for the order", error))
}

/// What is shown in the sandbox of a job.
pub fn mounts(job: &Job) -> Vec<MountSpec> {
    system::system().mounts.iter().cloned().chain(job.mounts.iter().map(mount)).collect()
}

/// Writes the order for one sandbox, and the bytes of its files, to a file in memory.
pub fn for_jail(
    job: &Job,
    mounts: Vec<MountSpec>,
    anywhere: Vec<u16>,
    backend: &Backend,
    group: Option<&Group>,
    to: &File,
) -> Result<(), SandboxError> {
    let own_network = job.network == Network::None;
    let etc = system::files(own_network);
    let mut files: Vec<FileSpec> = etc.iter().map(|(path, bytes)| file(path, bytes)).collect();
    files.extend(work_files(job));
    let spec = Spec {
        role: Role::Run,
        program: program(job),
        mounts,
        links: system::system().links.clone(),
        files,
        disk: disk(&job.limits),
        own_network,
        cgroup: group.map_or(CgroupPlacement::None, Group::placement),
        anywhere,
        confinement: confinement(job, backend),
    };
    let contents = etc.iter().map(|(_, bytes)| &**bytes).chain(job.files.iter().map(|file| &*file.content));
    let head = head(&spec)?;
    let parts: Vec<&[u8]> = std::iter::once(&*head).chain(contents).collect();
    memory_file::fill(to, &parts).map_err(|error| SandboxError::step("write the order", error))
}

/// The order for a nursery of this kind.
pub fn for_nursery(kind: &Kind, imports: &[String], backend: &Backend) -> Result<File, SandboxError> {
    let system = system::system();
    let etc = system::files(true);
    let own = kind.files(imports);
    let own = own.iter().map(|(path, bytes)| (*path, Cow::Borrowed(bytes.as_slice())));
    let all: Vec<(&str, Cow<'_, [u8]>)> = etc.into_iter().chain(own).collect();
    let parents = backend.parents().iter().map(|parent| parent.to_string_lossy().into_owned()).collect();
    let spec = Spec {
        role: Role::Nursery,
        program: kind.program(),
        mounts: system.mounts.iter().cloned().chain(kind.mounts.iter().cloned()).collect(),
        links: system.links.clone(),
        files: all.iter().map(|(path, bytes)| file(path, bytes)).collect(),
        disk: Disk { bytes: helper::largest() + (1 << 20), inodes: 1024 },
        own_network: true,
        cgroup: CgroupPlacement::Elsewhere { parents, prefix: Owner::this_process().prefix() },
        anywhere: Vec::new(),
        confinement: Confinement {
            rlimits: Vec::new(),
            processors: Vec::new(),
            refuse: Vec::new(),
            best_effort: false,
        },
    };
    in_memory(&head(&spec)?, all.iter().map(|(_, bytes)| &**bytes))
}

/// The order to make a sandbox for jobs like this one.
pub fn birth(job: &Job, start: &Start, backend: &Backend) -> Result<Vec<u8>, SandboxError> {
    let birth =
        Birth { disk: disk(&job.limits), confinement: confinement(job, backend), early: start.early(job) };
    postcard::to_allocvec(&Request::Birth(birth)).map_err(|error| SandboxError::InvalidJob(error.to_string()))
}

/// The order for a sandbox that stands ready: as it is, or in a file in memory.
pub fn for_cradle(job: &Job, start: &Start) -> Result<(Vec<u8>, Option<File>), SandboxError> {
    check_paths(job)?;
    let order = Order {
        program: if *start == Start::Sandbox { program(job) } else { Program::default() },
        files: work_files(job).collect(),
        words: start.words(job),
    };
    let mut head = head(&order)?;
    let size = job.files.iter().map(|file| file.content.len()).sum::<usize>();
    let contents = job.files.iter().map(|file| &*file.content);
    if head.len() + size > LONGEST_ORDER {
        return Ok((vec![0], Some(in_memory(&head, contents)?)));
    }
    contents.for_each(|content| head.extend_from_slice(content));
    Ok((head, None))
}

fn head(value: &impl Serialize) -> Result<Vec<u8>, SandboxError> {
    spec::head(value).map_err(|error| SandboxError::InvalidJob(error.to_string()))
}

fn in_memory<'a>(head: &'a [u8], contents: impl Iterator<Item = &'a [u8]>) -> Result<File, SandboxError> {
    let parts: Vec<&[u8]> = std::iter::once(head).chain(contents).collect();
    memory_file::sealed(ORDER, &parts).map_err(|error| SandboxError::step("write the order", error))
}

fn file(path: &str, bytes: &[u8]) -> FileSpec {
    FileSpec { path: path.into(), mode: 0o644, len: bytes.len() as u64 }
}

fn work_files(job: &Job) -> impl Iterator<Item = FileSpec> {
    job.files.iter().map(|file| FileSpec {
        path: format!("work/{}", file.path),
        mode: if file.executable { 0o755 } else { 0o644 },
        len: file.content.len() as u64,
    })
}

fn program(job: &Job) -> Program {
    Program { argv: job.command.clone(), env: environment(job), cwd: job.cwd.clone() }
}

/// The environment as a program gets it.
pub fn environment(job: &Job) -> Vec<String> {
    job.env.iter().map(|(name, value)| format!("{name}={value}")).collect()
}

fn disk(limits: &Limits) -> Disk {
    Disk { bytes: limits.disk_bytes, inodes: limits.disk_inodes }
}

fn confinement(job: &Job, backend: &Backend) -> Confinement {
    let processors = processors(backend, &job.limits);
    Confinement {
        rlimits: rlimits(backend, &job.limits),
        refuse: refusals(job, backend, &processors),
        processors,
        best_effort: job.assurance == Assurance::BestEffort,
    }
}

/// The guard has looked at these already; a provider that trusted it would be one mistake away from harm.
pub fn check_paths(job: &Job) -> Result<(), SandboxError> {
    let plain =
        |path: &str| path.split('/').all(|part| !matches!(part, "" | "." | "..")) && !path.contains('\0');
    let files = job.files.iter().map(|file| file.path.as_str());
    let targets = job.mounts.iter().map(|mount| mount.guest.strip_prefix('/').unwrap_or(""));
    match files.chain(targets).find(|path| !plain(path)) {
        None => Ok(()),
        Some(path) => Err(SandboxError::InvalidJob(format!("path {path:?} does not stay in its folder"))),
    }
}

/// A mount as the jail knows it.
pub fn mount(mount: &formicary_model::Mount) -> MountSpec {
    let kind = match mount.access {
        MountAccess::ReadOnly => MountKind::ReadOnly,
        MountAccess::ReadWrite => MountKind::ReadWrite,
    };
    let target = mount.guest.trim_start_matches('/').into();
    MountSpec { source: mount.host.clone(), target, kind, lend: system::to_lend(&mount.host, kind) }
}

fn refusals(job: &Job, backend: &Backend, processors: &[u16]) -> Vec<Refusal> {
    let writable = job.mounts.iter().any(|mount| mount.access == MountAccess::ReadWrite);
    [
        (Refusal::HiddenMemory, matches!(backend, Backend::None(_))),
        (Refusal::UncountedSharing, matches!(backend, Backend::None(_))),
        (Refusal::UnseenLocks, true),
        (Refusal::Affinity, !processors.is_empty()),
        (Refusal::SetuidBits, writable),
    ]
    .into_iter()
    .filter_map(|(refusal, wanted)| wanted.then_some(refusal))
    .collect()
}

fn rlimits(backend: &Backend, limits: &Limits) -> Vec<(u32, u64)> {
    // The sandbox's first process counts too. A cgroup counts exactly and tells of what it refuses, so there this is only the
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
