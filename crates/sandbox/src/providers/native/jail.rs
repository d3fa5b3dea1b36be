//! Starting a jail for one run: its first process is ours where that can be, else a supervisor's.

use super::streams::Pipes;
use super::{helper, order};
use crate::cgroups::{Backend, Company, Group, Owner};
use crate::sys::beginning::{self, Birthplace};
use crate::sys::{process, socket};
use crate::{Job, SandboxError};
use formicary_jail::spec::{self, MountSpec};
use formicary_jail::users;
use formicary_model::Limits;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::OnceLock;

/// A jail that has its order, and builds.
pub struct Jail {
    /// The sandbox's first process, or its supervisor.
    pub child: process::Child,
    /// Where it says how it goes.
    pub control: OwnedFd,
    /// Its standard streams.
    pub pipes: Pipes,
    /// Its cgroup.
    pub group: Option<Group>,
}

impl Jail {
    /// Starts one. What it need not wait for is done while it starts.
    pub fn start(backend: &Backend, job: &Job) -> Result<Self, SandboxError> {
        order::check_paths(job)?;
        let group = backend.plan(&Owner::this_process(), &job.limits, Company::First);
        let mounts = order::mounts(job);
        let supervised = is_supervised(backend, &mounts);
        let order = order::blank()?;
        let (control, their_control) = socket::pair().map_err(failed("make the control socket"))?;
        let (pipes, their_pipes) = Pipes::new().map_err(failed("make the standard streams"))?;
        // The way to the first process, past its supervisor.
        let enters = matches!(group, Some(Group::V1(_)));
        let usher = enters.then(socket::pair).transpose().map_err(failed("make the control socket"))?;
        let descriptors: Vec<i32> = their_pipes
            .descriptors()
            .into_iter()
            .chain([their_control.as_raw_fd(), order.as_raw_fd()])
            .chain(usher.iter().map(|(_, theirs)| theirs.as_raw_fd()))
            .collect();

        let born = !supervised && matches!(group, Some(Group::V2(_)));
        if let Some(group) = group.as_ref().filter(|_| born) {
            backend.make(group, &job.limits).map_err(failed("make a cgroup"))?;
        }
        let mut anywhere = Vec::new();
        let child = if supervised {
            start_supervisor(backend, &job.limits, &descriptors)?
        } else {
            let child = start_first(group.as_ref().filter(|_| born), &descriptors)?;
            anywhere = process::send_elsewhere(&child);
            let users = outside_users(child.pid() as u32);
            name_users(child.pid(), users).map_err(failed("name the users of a sandbox"))?;
            // The payload may open its own streams again by name (/dev/stdout), so they must be its own.
            pipes.give_to(users);
            child
        };
        // It has started meanwhile, and waits for this word before it reads.
        order::for_jail(job, mounts, anywhere, backend, group.as_ref(), &order)?;
        socket::send(&control, spec::GO).map_err(failed("give the jail its order"))?;
        // It builds what it can meanwhile, and waits for another word before it is in the group.
        if let Some(group) = group.as_ref().filter(|_| !born) {
            backend.make(group, &job.limits).map_err(failed("make a cgroup"))?;
            let _ = match &usher {
                Some((usher, _)) => {
                    let doors = group.doors().map_err(failed("open a cgroup"))?;
                    let doors: Vec<i32> = doors.iter().map(AsRawFd::as_raw_fd).collect();
                    socket::send_with(usher, spec::GO, &doors)
                }
                None => socket::send(&control, spec::GO),
            };
        }
        let group = match backend {
            // Under systemd the group is the scope in which the jail finds itself.
            Backend::Systemd(scope) => scope.group_of(child.pid()),
            _ => group,
        };
        Ok(Self { child, control, pipes, group })
    }
}

fn failed(step: &'static str) -> impl FnOnce(io::Error) -> SandboxError {
    move |error| SandboxError::step(step, error)
}

/// Whether a supervisor is needed: systemd starts what is to be in its scope, and what is lent must be made by root
/// before there is a sandbox.
fn is_supervised(backend: &Backend, mounts: &[MountSpec]) -> bool {
    let lends = || process::effective_user() == 0 && mounts.iter().any(|mount| mount.lend);
    !beginning::POSSIBLE || matches!(backend, Backend::Systemd(_)) || lends()
}

fn start_supervisor(
    backend: &Backend,
    limits: &Limits,
    descriptors: &[i32],
) -> Result<process::Child, SandboxError> {
    let jail = helper::path()?;
    let (words, environment) = match backend {
        Backend::Systemd(scope) => (scope.words(limits), vec![scope.environment()]),
        _ => (Vec::new(), Vec::new()),
    };
    let words: Vec<&str> = words.iter().map(String::as_str).chain([jail.as_str()]).collect();
    let environment: Vec<&str> = environment.iter().map(String::as_str).collect();
    process::spawn(words[0], &words, &environment, descriptors).map_err(failed("start the jail"))
}

fn start_first(group: Option<&Group>, descriptors: &[i32]) -> Result<process::Child, SandboxError> {
    let cgroup = group.map(Group::handle).transpose().map_err(failed("open a cgroup"))?;
    let place = Birthplace { namespaces: spec::NAMESPACES, cgroup: cgroup.as_ref() };
    let jail = helper::file()?;
    process::without_groups(|| process::Child::begin(jail, descriptors, place))
        .map_err(|error| SandboxError::step(format!("clone3 flags {:#x}", spec::NAMESPACES), error))
}

/// The user and group, outside, that the payload runs as.
fn outside_users(process: u32) -> (u32, u32) {
    static MAPS: OnceLock<[String; 2]> = OnceLock::new();
    let own = process::effective_user_and_group();
    if own.0 != 0 {
        return own;
    }
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let [users, groups] = MAPS.get_or_init(|| ["/proc/self/uid_map", "/proc/self/gid_map"].map(read));
    users::apart(own, users, groups, process)
}

/// Maps the one user and group that exist inside to one outside.
fn name_users(process: i32, (user, group): (u32, u32)) -> io::Result<()> {
    let inside = spec::INSIDE_ID;
    let write = |file: &str, text: &str| {
        OpenOptions::new().write(true).open(format!("/proc/{process}/{file}"))?.write_all(text.as_bytes())
    };
    write("setgroups", "deny")?;
    write("uid_map", &format!("{inside} {user} 1"))?;
    write("gid_map", &format!("{inside} {group} 1"))
}
