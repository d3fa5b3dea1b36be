//! A job turned into the guest agent's order.

use super::talk;
use crate::{Job, SandboxError};
use formicary_guest::message::run::{File, Instruction, Meter, Order, Reach, Resource};
use formicary_model::Limits;

/// Where programs keep what they need for a moment.
pub const TEMPORARY: &str = "/tmp";

/// What differs between those who use a guest agent.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The folder that belongs to the program, as the guest agent sees it.
    pub work: String,
    /// Folders that are elsewhere than the job says, as (in the job, really). Only in the environment: `/tmp`.
    pub moves: Vec<(String, String)>,
    /// Whom the program becomes, where the guest agent is the guest's root.
    pub identity: Option<(u32, u32)>,
    /// Who is ended.
    pub reach: Reach,
    /// Where use is read.
    pub meter: Meter,
    /// Folders whose file systems have a size of their own.
    pub disks: Vec<String>,
    /// Between two looks at what is used, in microseconds.
    pub tick: u64,
    /// Limits of each process.
    pub limits: Vec<(Resource, u64)>,
    /// The filter of system calls; empty: none.
    pub filter: Vec<Instruction>,
}

/// The order for a job.
pub fn order(job: &Job, setting: Setting) -> Result<Order, SandboxError> {
    check_paths(job)?;
    let moves = |word: &str, all: bool| {
        let elsewhere = setting.moves.iter().filter(|(from, _)| all || from != TEMPORARY);
        let work = [(Job::WORK.to_string(), setting.work.clone())];
        moved(word, elsewhere.chain(&work))
    };
    // A variable may hold several paths.
    let in_list = |value: &str| value.split(':').map(|part| moves(part, true)).collect::<Vec<_>>().join(":");
    Ok(Order {
        argv: job.command.iter().map(|word| moves(word, false)).collect(),
        env: job.env.iter().map(|(name, value)| (name.clone(), in_list(value))).collect(),
        cwd: moves(&job.cwd, true),
        files: job
            .files
            .iter()
            .map(|file| File {
                path: file.path.clone(),
                mode: if file.executable { 0o755 } else { 0o644 },
                content: file.content.to_vec(),
            })
            .collect(),
        work: setting.work,
        limits: setting.limits,
        filter: setting.filter,
        identity: setting.identity,
        reach: setting.reach,
        meter: setting.meter,
        disks: setting.disks,
        tick: setting.tick,
        at_most: (job.limits.wall() + talk::AFTERWARDS).as_millis() as u64,
    })
}

/// The path with its beginning replaced, where it begins with one that is elsewhere.
fn moved<'a>(path: &str, moves: impl Iterator<Item = &'a (String, String)>) -> String {
    for (from, to) in moves {
        match path.strip_prefix(from.as_str()) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => return format!("{to}{rest}"),
            _ => {}
        }
    }
    path.to_string()
}

/// The guard has looked at these already; a provider that trusted it would be one mistake away from harm.
fn check_paths(job: &Job) -> Result<(), SandboxError> {
    let plain =
        |path: &str| path.split('/').all(|part| !matches!(part, "" | "." | "..")) && !path.contains('\0');
    let files = job.files.iter().map(|file| file.path.as_str());
    let targets = job.mounts.iter().map(|mount| mount.guest.strip_prefix('/').unwrap_or(""));
    if let Some(path) = files.chain(targets).find(|path| !plain(path)) {
        return Err(SandboxError::InvalidJob(format!("path {path:?} does not stay in its folder")));
    }
    if job.command.is_empty() {
        return Err(SandboxError::InvalidJob("there is no command to run".into()));
    }
    Ok(())
}

/// The limits that each process of every provider carries.
pub fn process_limits(limits: &Limits) -> Vec<(Resource, u64)> {
    vec![
        (Resource::OpenFiles, limits.open_files.into()),
        (Resource::FileSize, limits.file_size_bytes),
        // The whole tree is watched; this ends a single process even if nobody watches any more.
        (Resource::CpuSeconds, limits.cpu_seconds.ceil() as u64 + 1),
        // One byte is no dump either, and unlike zero it keeps the host's own crash handler from being started.
        (Resource::CoreDump, 1),
        (Resource::LockedMemory, 64 * 1024),
        (Resource::MessageQueues, 819_200),
        (Resource::PendingSignals, 1024),
        (Resource::RealTime, 0),
        (Resource::Nice, 0),
    ]
}
