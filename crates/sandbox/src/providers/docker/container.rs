//! One container, from its description to its removal.

use super::engine::{self, Engine, HOST_LABEL, OWNER_LABEL, failed, unavailable};
use super::guest::{self, Account};
use super::image::{AGENT, Ready};
use super::{DockerSettings, profile};
use crate::cgroups::{Owner, limits_cores};
use crate::guest::filter;
use crate::guest::place::Place;
use crate::guest::{Ends, Exhausted, Ground, Moment};
use crate::providers::gvisor::bundle;
use crate::providers::native::system;
use crate::sys::socket;
use crate::{Job, SandboxError};
use bollard::container::{AttachContainerResults, LogOutput};
use bollard::errors::Error;
use bollard::models::{
    ContainerCreateBody, HostConfig, HostConfigCgroupnsModeEnum, HostConfigLogConfig, ResourcesUlimits,
};
use bollard::query_parameters::{AttachContainerOptions, CreateContainerOptions, InspectContainerOptions};
use formicary_guest::message::run::Sample;
use formicary_guest::role::Role;
use formicary_jail::calls::Architecture;
use formicary_jail::spec::MountKind;
use formicary_model::{Limits, MountAccess};
use futures_util::StreamExt;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;

/// Descriptors that the guest agent needs at least.
const AGENT_FILES: u32 = 64;
/// Processes of one user on the whole host, where that must be said.
const PROCESSES_OF_A_USER: u32 = 16_384;
/// The agent's own threads, beside the program's processes.
const AGENT_THREADS: i64 = 3;
/// What tells of the kernel and of other people's affairs, beyond what engines mask by themselves.
const MASKED: [&str; 18] = [
    "/proc/acpi",
    "/proc/asound",
    "/proc/config.gz",
    "/proc/interrupts",
    "/proc/kallsyms",
    "/proc/kcore",
    "/proc/key-users",
    "/proc/keys",
    "/proc/kmsg",
    "/proc/latency_stats",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/proc/pressure",
    "/proc/mtrr",
    "/proc/driver",
    "/proc/sysrq-trigger",
];
/// What may be looked at and never changed, beyond what its owner inside could change anyway.
const READ_ONLY: [&str; 5] = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/tty"];
/// Where the guest agent reads what is used; all else of `/sys` is masked.
const GROUPS: (&str, &str) = ("fs", "cgroup");
/// Parts of `/sys` on every host, where its own cannot be listed.
const SYS: [&str; 10] =
    ["block", "bus", "class", "dev", "devices", "firmware", "hypervisor", "kernel", "module", "power"];
/// Where profiles lie for an engine that reads them from files.
pub const PROFILES: &str = "/tmp";
const PERIOD_MICROS: i64 = 100_000;
/// How long the engine may take to say how a container ended.
const PATIENCE: Duration = Duration::from_secs(5);

/// A container that was made; removed when dropped.
pub struct Container {
    engine: Engine,
    name: String,
    /// Whether it ended before its agent had said that the program started.
    stillborn: bool,
    /// The engine's own account, where what is seen inside is a guest kernel's.
    account: Option<Account>,
    /// Where its profile lies, for an engine that takes no profile but in a file.
    _profile: Option<Place>,
}

/// Makes and starts a container, and lays pipes to its agent.
pub fn start(
    engine: &Engine,
    settings: &DockerSettings,
    image: &Ready,
    job: &Job,
) -> Result<(Container, Ends), SandboxError> {
    let step = |step: &'static str| move |error: io::Error| SandboxError::step(step, error);
    let (their_in, to) = socket::pipe().map_err(step("make the guest agent's pipes"))?;
    let (from, their_out) = socket::pipe().map_err(step("make the guest agent's pipes"))?;
    for end in [&their_in, &their_out] {
        socket::set_nonblocking(end).map_err(step("make the guest agent's pipes"))?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(step("speak with the engine"))?;
    let name = Owner::this_process().name();
    let (profile, place) = profile_for(engine, job).map_err(step("write the filter of system calls"))?;
    let host_config = confinement(engine, settings, image, job, &profile);
    let body = describe(image, &name, host_config);
    let account = guest::is_one(settings).then(Account::default);
    let reading = account.clone();
    let container =
        Container { engine: engine.clone(), name: name.clone(), stillborn: false, account, _profile: place };
    let attached = runtime.block_on(begin(engine, &name, body))?;
    // The pipes are moved by a thread of their own: who waits for the program must not have to wait for the engine.
    let client = engine.client().clone();
    let moving = move || {
        runtime.block_on(async {
            let moved = std::pin::pin!(move_bytes(attached, their_in, their_out));
            match reading {
                Some(account) => {
                    let read = std::pin::pin!(account.read(&client, &name));
                    futures_util::future::select(moved, read).await;
                }
                None => moved.await,
            }
        });
    };
    std::thread::Builder::new()
        .name("formicary-docker".into())
        .spawn(moving)
        .map_err(step("start a thread"))?;
    Ok((container, Ends { to, from }))
}

async fn begin(
    engine: &Engine,
    name: &str,
    body: ContainerCreateBody,
) -> Result<AttachContainerResults, SandboxError> {
    let client = engine.client();
    let options = CreateContainerOptions { name: Some(name.into()), ..Default::default() };
    client.create_container(Some(options), body).await.map_err(|error| failed("make a container", error))?;
    let options = AttachContainerOptions {
        stream: true,
        stdin: true,
        stdout: true,
        stderr: true,
        ..Default::default()
    };
    let attached = client.attach_container(name, Some(options)).await;
    let attached = attached.map_err(|error| failed("speak with a container", error))?;
    let started = client.start_container(name, None).await;
    started.map_err(|error| failed("start a container", error))?;
    Ok(attached)
}

/// Moves bytes both ways until the container's side ends.
async fn move_bytes(attached: AttachContainerResults, theirs: OwnedFd, their_out: OwnedFd) {
    let AttachContainerResults { mut output, mut input } = attached;
    let (Ok(mut from), Ok(mut to)) =
        (pipe::Receiver::from_owned_fd(theirs), pipe::Sender::from_owned_fd(their_out))
    else {
        return;
    };
    let inward = async move {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut buffer).await {
            if input.write_all(&buffer[..count]).await.is_err() || input.flush().await.is_err() {
                break;
            }
        }
        // The end of our words is the end of the container's input, and with it of the guest agent.
        let _ = input.shutdown().await;
        std::future::pending::<()>().await;
    };
    let outward = async move {
        while let Some(Ok(piece)) = output.next().await {
            if let LogOutput::StdOut { message } = piece
                && to.write_all(&message).await.is_err()
            {
                break;
            }
        }
    };
    futures_util::future::select(std::pin::pin!(inward), std::pin::pin!(outward)).await;
}

/// The profile itself, or the name of a file with it and the folder in which that lies.
fn profile_for(engine: &Engine, job: &Job) -> io::Result<(String, Option<Place>)> {
    let profile = profile::profile(Architecture::HERE, filter::refusals(job));
    if !engine.is_podman {
        return Ok((profile, None));
    }
    let place = Place::new(Path::new(PROFILES))?;
    let file = place.path().join("seccomp.json");
    std::fs::write(&file, profile)?;
    Ok((file.display().to_string(), Some(place)))
}

fn describe(image: &Ready, name: &str, host_config: HostConfig) -> ContainerCreateBody {
    let labels = HashMap::from([
        (HOST_LABEL.to_string(), engine::host_name()),
        (OWNER_LABEL.to_string(), name.to_string()),
    ]);
    ContainerCreateBody {
        hostname: Some("formicary".into()),
        user: Some("1000:1000".into()),
        attach_stdin: Some(true),
        attach_stdout: Some(true),
        attach_stderr: Some(true),
        open_stdin: Some(true),
        stdin_once: Some(true),
        tty: Some(false),
        env: Some(Vec::new()),
        entrypoint: Some(vec![AGENT.into(), Role::Run.argument().into()]),
        cmd: Some(Vec::new()),
        image: Some(image.name.clone()),
        working_dir: Some("/".into()),
        // An engine that is stopped asks first and waits ten seconds; the first process of a container hears no such word.
        stop_signal: Some("SIGKILL".into()),
        labels: Some(labels),
        host_config: Some(host_config),
        ..Default::default()
    }
}

fn confinement(
    engine: &Engine,
    settings: &DockerSettings,
    image: &Ready,
    job: &Job,
    profile: &str,
) -> HostConfig {
    let room = guest::room(settings, &job.limits);
    let limits = &job.limits;
    let memory = i64::try_from(room.memory_bytes).unwrap_or(i64::MAX);
    let (quota, period) = match limits_cores(limits) {
        true => (Some(((limits.cores * PERIOD_MICROS as f64) as i64).max(1000)), Some(PERIOD_MICROS)),
        false => (None, None),
    };
    HostConfig {
        memory: Some(memory),
        memory_swap: Some(memory),
        cpu_quota: quota,
        cpu_period: period,
        pids_limit: Some(i64::from(room.processes) + AGENT_THREADS),
        binds: Some(binds(image, job)),
        // What a flooding program writes would otherwise fill the engine's disk.
        log_config: Some(HostConfigLogConfig { typ: Some("none".into()), config: None }),
        network_mode: Some("none".into()),
        cap_drop: Some(vec!["ALL".into()]),
        cgroupns_mode: Some(HostConfigCgroupnsModeEnum::PRIVATE),
        ipc_mode: Some("private".into()),
        masked_paths: Some(masked()),
        readonly_paths: Some(READ_ONLY.map(String::from).to_vec()),
        readonly_rootfs: Some(true),
        sysctls: own_loopback(),
        security_opt: Some(vec!["no-new-privileges".into(), format!("seccomp={profile}")]),
        tmpfs: Some(disks(engine, image, limits)),
        ulimits: modest(engine, limits),
        runtime: settings.runtime.clone(),
        ..Default::default()
    }
}

/// What a container does not see of the kernel's files.
fn masked() -> Vec<String> {
    let names = |folder: &str| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>()
    };
    let (systems, groups) = GROUPS;
    let mut parts: BTreeSet<String> = SYS.map(String::from).into();
    parts.extend(names("/sys").into_iter().filter(|name| name != systems));
    let mut systems_of_files = names("/sys/fs");
    systems_of_files.retain(|name| name != groups);
    let files = MASKED.map(String::from).into_iter();
    let parts = parts.into_iter().map(|name| format!("/sys/{name}"));
    files
        .chain(parts)
        .chain(systems_of_files.into_iter().map(|name| format!("/sys/{systems}/{name}")))
        .collect()
}

/// The engine switches the newer protocol off where it gives no network; a loopback has both.
fn own_loopback() -> Option<HashMap<String, String>> {
    let usable = Path::new("/proc/sys/net/ipv6").exists();
    let names = ["net.ipv6.conf.all.disable_ipv6", "net.ipv6.conf.lo.disable_ipv6"];
    usable.then(|| names.into_iter().map(|name| (name.to_string(), "0".to_string())).collect())
}

/// The folders whose file systems have a size of their own.
pub fn folders(image: &Ready) -> [String; 3] {
    bundle::DISKS.map(|folder| if folder == Job::WORK { image.work.clone() } else { folder.into() })
}

/// Podman knows neither owners of such folders nor a bound for the number of files: there everybody may write, and memory is
/// the bound.
fn disks(engine: &Engine, image: &Ready, limits: &Limits) -> HashMap<String, String> {
    let owners = ["mode=755,uid=1000,gid=1000", "mode=1777", "mode=1777"];
    let shares = folders(image).into_iter().zip(bundle::shares(limits)).zip(owners);
    shares
        .map(|((folder, (bytes, inodes)), owner)| {
            let rest = match engine.is_podman {
                true => "mode=1777".to_string(),
                false => format!("nr_inodes={inodes},{owner}"),
            };
            (folder, format!("rw,exec,nosuid,nodev,size={bytes},{rest}"))
        })
        .collect()
}

/// Podman asks for as many files and processes as it can think of, which an engine without all rights may not give. The
/// second is a bound for the user on the whole host; that of the container is its group's.
fn modest(engine: &Engine, limits: &Limits) -> Option<Vec<ResourcesUlimits>> {
    let limit = |name: &str, most: u32| {
        let most = Some(i64::from(most));
        ResourcesUlimits { name: Some(name.into()), soft: most, hard: most }
    };
    let files = limits.open_files.max(AGENT_FILES);
    engine.is_podman.then(|| vec![limit("nofile", files), limit("nproc", PROCESSES_OF_A_USER)])
}

/// The host's programs where the skeleton shows them, and the job's own mounts.
fn binds(image: &Ready, job: &Job) -> Vec<String> {
    let mut binds = Vec::new();
    if image.shows_host {
        let system = system::system().mounts.iter().filter(|mount| mount.kind != MountKind::Device);
        binds.extend(system.map(|mount| format!("{}:/{}:ro", mount.source, mount.target)));
    }
    binds.extend(job.mounts.iter().map(|mount| {
        let access = if mount.access == MountAccess::ReadWrite { "rw" } else { "ro" };
        format!("{}:{}:{access}", mount.host, mount.guest)
    }));
    binds
}

impl Container {
    /// Whether it ended before anything of the job's ran.
    pub fn is_stillborn(&self) -> bool {
        self.stillborn
    }

    fn state(&self) -> Result<bollard::models::ContainerState, SandboxError> {
        let question = self.engine.client().inspect_container(&self.name, None::<InspectContainerOptions>);
        let answer = engine::block(async { tokio::time::timeout(PATIENCE, question).await })?;
        let answer = answer.unwrap_or(Err(Error::RequestTimeoutError));
        let container = answer.map_err(|error| failed("say how a container ended", error))?;
        Ok(container.state.unwrap_or_default())
    }
}

impl Ground for Container {
    fn look(&mut self, inside: Sample) -> Sample {
        self.account.as_ref().map_or(inside, |account| account.correct(inside))
    }

    fn is_watched(&self) -> bool {
        self.account.is_some()
    }

    fn counts_processes(&self) -> bool {
        self.account.is_some()
    }

    fn destroy(&mut self) {
        let removal = engine::remove(self.engine.client(), &self.name);
        let _ = engine::block(async { tokio::time::timeout(PATIENCE, removal).await });
    }

    fn exhausted(&mut self) -> Option<Exhausted> {
        let state = self.state().ok()?;
        (state.oom_killed == Some(true)).then_some(Exhausted::Memory)
    }

    fn silence(&mut self, moment: Moment) -> SandboxError {
        // What has run must never run twice.
        self.stillborn = moment == Moment::BeforeTheStart;
        match self.state() {
            Err(error) => error,
            Ok(state) => unavailable(
                format!(
                    "the container ended without a word: exit code {}{}",
                    state.exit_code.unwrap_or(-1),
                    state.error.map(|error| format!(", {error}")).unwrap_or_default()
                ),
                "see the engine's log (`journalctl -u docker`)",
            ),
        }
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        self.destroy();
    }
}
