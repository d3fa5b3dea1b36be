//! The running sandbox, from outside: `runsc` and all it started, in a cgroup where there is one.

use super::NAME;
use super::engine::{Engine, REMEDY};
use super::seat::Seat;
use crate::cgroups::{Backend, Company, Group, Owner, limits_cores};
use crate::guest::place::Place;
use crate::guest::{Ends, Exhausted, Ground, Moment, program};
use crate::sys::{process, socket};
use crate::{Job, SandboxError};
use formicary_guest::message::run::Sample;
use formicary_guest::role::Role;
use formicary_jail::spec::CgroupPlacement;
use formicary_model::{Limits, Network};
use std::io;
use std::os::fd::AsRawFd;
use std::time::Duration;

/// What the guest's kernel needs for itself, beside what the program may use.
const KERNEL_MEMORY: u64 = 96 << 20;
/// Threads of the guest's kernel and its proxy, beside those that stand for the program's.
const KERNEL_THREADS: u32 = 1024;
/// The guest's kernel is written in Go, whose collector of garbage else runs several times before the program does. It may let its
/// heap grow further, up to a bound within [`KERNEL_MEMORY`].
const ENVIRONMENT: [&str; 3] =
    ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "GOGC=400", "GOMEMLIMIT=64MiB"];
/// How long everything may take to leave by itself.
const FAREWELL: Duration = Duration::from_secs(2);

/// A running sandbox.
#[derive(Debug)]
pub struct Sandbox {
    child: process::Child,
    group: Option<Group>,
    seat: Seat,
    // Removed after the processes are gone.
    place: Place,
}

/// Starts `runsc` on the bundle in `place`.
pub fn start(
    engine: &Engine,
    backend: &Backend,
    place: Place,
    job: &Job,
) -> Result<(Sandbox, Ends), SandboxError> {
    let failed = |step: &'static str| move |error: io::Error| SandboxError::step(step, error);
    let limits = with_room_for_the_kernel(&job.limits);
    let group = backend.plan(&Owner::this_process(), &limits, Company::SupervisorAndFirst);
    if let Some(group) = &group {
        backend.make(group, &limits).map_err(failed("make a cgroup"))?;
    }
    let (theirs, to) = socket::pipe().map_err(failed("make the guest agent's pipes"))?;
    let (from, their_out) = socket::pipe().map_err(failed("make the guest agent's pipes"))?;
    let complaints = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(place.path().join("complaints"))
        .map_err(failed("open a file for complaints"))?;
    let words = words(engine, group.as_ref(), &place, job);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let descriptors = [theirs.as_raw_fd(), their_out.as_raw_fd(), complaints.as_raw_fd()];
    let child = process::spawn_clean(&program::path()?, &words, &ENVIRONMENT, &descriptors)
        .map_err(failed("start runsc"))?;
    let seat = Seat::new(&engine.platform);
    Ok((Sandbox { child, group, seat, place }, Ends { to, from }))
}

/// What the host must give a guest, so that the program has what it may use.
pub fn with_room_for_the_kernel(limits: &Limits) -> Limits {
    Limits {
        memory_bytes: limits.memory_bytes + KERNEL_MEMORY,
        processes: limits.processes.saturating_mul(2).saturating_add(KERNEL_THREADS),
        ..limits.clone()
    }
}

/// A guest agent enters the group and stands over `runsc`: all that it starts is born there and ends there.
fn words(engine: &Engine, group: Option<&Group>, place: &Place, job: &Job) -> Vec<String> {
    let mut words: Vec<String> = vec!["formicary-guest".into(), Role::Oversee.argument().into()];
    match group.map(Group::placement) {
        Some(CgroupPlacement::Enter(folders)) => words.extend(folders),
        Some(CgroupPlacement::Born(folder)) => words.push(folder),
        Some(CgroupPlacement::None | CgroupPlacement::Elsewhere { .. }) => {}
        None if limits_cores(&job.limits) => {
            let count = (job.limits.cores.floor() as usize).max(1);
            let cpus: Vec<String> =
                process::processors().iter().take(count).map(ToString::to_string).collect();
            words.push(format!("cpus={}", cpus.join(",")));
        }
        None => {}
    }
    words.push("--".into());
    words.push(engine.program.to_string_lossy().into_owned());
    let at = |name: &str| place.path().join(name).to_string_lossy().into_owned();
    words.extend([format!("--root={}", at("state")), format!("--platform={}", engine.platform)]);
    let network = if job.network == Network::Host { "host" } else { "none" };
    // Limits are set by our own group; the guest's own groups hold the number of processes.
    words.extend([format!("--network={network}"), "--ignore-cgroups".into(), "--cgroupfs".into()]);
    if job.mounts.is_empty() {
        // The system's own files stay as they are: a guest need not ask for them twice. A caller's may change meanwhile.
        words.push("--file-access-mounts=exclusive".into());
    }
    if engine.rootless {
        words.push("--rootless".into());
    }
    // Names of sandboxes are known to the whole host.
    let name = place.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    words.extend(["run".into(), format!("--bundle={}", place.path().display()), name]);
    words
}

impl Ground for Sandbox {
    fn look(&mut self, inside: Sample) -> Sample {
        let Some(group) = &self.group else { return inside };
        self.seat.look(group, inside.processes.unwrap_or(0));
        let outside = group.usage();
        Sample {
            user_micros: outside.user_micros.or(inside.user_micros),
            system_micros: outside.system_micros.or(inside.system_micros),
            memory_kills: outside.memory_kills,
            ..inside
        }
    }

    fn awake(&mut self) {
        if let Some(group) = &self.group {
            self.seat.take_one(group);
        }
    }

    fn destroy(&mut self) {
        if !self.child.wait_at_most(FAREWELL) {
            self.child.kill();
            self.child.wait();
        }
    }

    fn exhausted(&mut self) -> Option<Exhausted> {
        let usage = self.group.as_ref()?.usage();
        match usage {
            usage if usage.memory_kills > 0 => Some(Exhausted::Memory),
            // A guest's kernel that may not have another thread falls over.
            usage if usage.forks_refused > 0 => Some(Exhausted::Processes),
            _ => None,
        }
    }

    fn silence(&mut self, _: Moment) -> SandboxError {
        let complaints = std::fs::read_to_string(self.place.path().join("complaints")).unwrap_or_default();
        let last = complaints.lines().rfind(|line| !line.is_empty()).unwrap_or("it ended without a word");
        SandboxError::Unavailable {
            provider: NAME,
            why: format!("runsc gave up: {}", last.chars().take(400).collect::<String>()),
            hint: REMEDY.into(),
        }
    }

    fn is_watched(&self) -> bool {
        true
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.destroy();
        if let Some(group) = &self.group {
            empty(group);
        }
    }
}

/// Waits until nobody is in the group any more: a guest's kernel takes its time to fall apart.
fn empty(group: &Group) {
    let folders = match group.placement() {
        CgroupPlacement::Enter(folders) => folders,
        CgroupPlacement::Born(folder) => vec![folder],
        CgroupPlacement::None | CgroupPlacement::Elsewhere { .. } => return,
    };
    let deadline = std::time::Instant::now() + FAREWELL;
    while std::time::Instant::now() < deadline {
        let inside = folders.iter().map(|folder| std::fs::read_to_string(format!("{folder}/cgroup.procs")));
        let left: String = inside.map(Result::unwrap_or_default).collect();
        if left.trim().is_empty() {
            return;
        }
        left.lines().filter_map(|line| line.parse().ok()).filter(|pid| *pid > 0).for_each(process::kill);
        std::thread::sleep(Duration::from_millis(3));
    }
}
