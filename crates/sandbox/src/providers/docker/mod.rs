//! The Docker provider: containers by the Engine's interface, Podman's compatible socket included.
//!
//! A container shows the host's programs read-only by default, as the native provider does, on a skeleton of an image
//! that we make ourselves; with an image of the caller's choice it shows that instead.
//!
//! | module | what it does |
//! |---|---|
//! | [`engine`] | finding the engine and speaking with it; what can go wrong, in one place |
//! | [`image`] | the images that containers start from |
//! | [`stock`] | listing, fetching, building and removing images |
//! | [`container`] | one container, from its description to its removal |
//! | [`guest`] | what differs where the engine's runtime is a guest kernel |
//! | [`profile`] | the system calls that it is refused |
//! | [`claims`] | what holds, and by what |
//! | [`terms`] | names, settings and lists, which a build without an engine has, too |

mod claims;
mod container;
pub mod engine;
mod guest;
pub mod image;
mod profile;
pub mod stock;
mod terms;

pub use terms::{DockerSettings, NAME};

use crate::assurance::insist;
use crate::guest::order::{self, Setting};
use crate::guest::place;
use crate::guest::{self as agent, filter};
use crate::provider::{Provider, RunIo, Stdin};
use crate::providers::native::verdict;
use crate::{Job, Outcome, SandboxError};
use engine::Engine;
use formicary_guest::message::run::{Meter, Order, Reach};
use formicary_model::{Enforcement, Limits, Network};
use std::path::Path;
use std::sync::Mutex;

/// Between two looks at what is used, in microseconds.
const TICK: u64 = 20_000;

/// Sandboxes made by a container engine.
#[derive(Debug)]
pub struct Docker {
    settings: DockerSettings,
    // Not remembered when it is missing: it may be started later.
    engine: Mutex<Option<Engine>>,
}

impl Docker {
    /// A provider; the engine is looked for when it is first needed.
    pub fn new(settings: DockerSettings) -> Self {
        Self { settings, engine: Mutex::new(None) }
    }

    /// The engine, if it answers.
    pub fn engine(&self) -> Result<Engine, SandboxError> {
        let mut known = self.engine.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(engine) = &*known {
            return Ok(engine.clone());
        }
        let engine = Engine::find(&self.settings)?;
        engine.sweep();
        if engine.is_podman {
            place::sweep(Path::new(container::PROFILES));
        }
        Ok(known.insert(engine).clone())
    }
}

/// Runs the job in a container. A busy engine now and then loses one before anything has run in it: then in another.
fn run_in(
    start: impl Fn() -> Result<(container::Container, agent::Ends), SandboxError>,
    job: &Job,
    io: RunIo<'_>,
    order: &Order,
) -> Result<agent::Told, SandboxError> {
    let RunIo { stdin, watch, cancel } = io;
    let again = match &stdin {
        Stdin::Bytes(bytes) => Some(bytes.clone()),
        Stdin::Reader(_) => None,
    };
    let (mut ground, ends) = start()?;
    let first = RunIo { stdin, watch: &mut *watch, cancel: cancel.clone() };
    match (agent::run(job, first, order, ends, &mut ground), again) {
        (Err(_), Some(bytes)) if ground.is_stillborn() && !cancel.is_cancelled() => {
            drop(ground);
            let (mut ground, ends) = start()?;
            let second = RunIo { stdin: Stdin::Bytes(bytes), watch, cancel };
            agent::run(job, second, order, ends, &mut ground)
        }
        (told, _) => told,
    }
}

/// A container that shares the host's network reaches the engine's own services on it, and who reaches those is root.
fn refuse_network(network: &Network) -> Result<(), SandboxError> {
    match network {
        Network::None => Ok(()),
        Network::Host => Err(SandboxError::Unavailable {
            provider: NAME,
            why: "containers get no network but a loopback of their own".into(),
            hint: "leave the network off, or use `--provider native`, which can show the host's network"
                .into(),
        }),
    }
}

/// What an image says of the environment, where the job says nothing. Of the two search paths, an image that was named
/// comes first: its tools are those that are meant.
fn add_environment(env: &mut Vec<(String, String)>, image: &[(String, String)], is_named: bool) {
    for (name, value) in image {
        match env.iter_mut().find(|(own, _)| own == name) {
            Some((_, own)) if name == "PATH" && is_named => *own = format!("{value}:{own}"),
            Some(_) => {}
            None => env.push((name.clone(), value.clone())),
        }
    }
}

impl Provider for Docker {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Enforcement {
        claims::claims(self.engine().as_ref(), &self.settings, &Limits::default())
    }

    fn run(&self, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        refuse_network(&job.network)?;
        let engine = self.engine()?;
        let enforcement = claims::claims(Ok(&engine), &self.settings, &job.limits);
        insist(&enforcement, job.assurance)?;
        let wanted = job.image.as_deref().or(self.settings.image.as_deref());
        let image = image::ready(&engine, wanted)?;
        let setting = Setting {
            work: image.work.clone(),
            moves: Vec::new(),
            identity: None,
            reach: Reach::Everybody,
            meter: Meter::Container,
            disks: container::folders(&image).to_vec(),
            tick: TICK,
            filter: filter::filter(job),
            limits: guest::process_limits(&self.settings, &job.limits),
        };
        let mut order = order::order(job, setting)?;
        add_environment(&mut order.env, &image.env, job.image.is_some());
        let start = || container::start(&engine, &self.settings, &image, job);
        let told = run_in(start, job, io, &order)?;
        Ok(Outcome {
            status: verdict::status(&told.observed, &job.limits, &told.violations),
            end: told.observed.end,
            duration: told.observed.duration,
            stdout: told.stdout,
            stderr: told.stderr,
            usage: told.usage,
            violations: told.violations,
            enforcement,
            files: told.collection.files,
            skipped: told.collection.skipped,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Refused before an engine is even looked for.
    #[test]
    fn a_container_never_gets_the_host_s_network() {
        let docker = Docker::new(DockerSettings { socket: Some("/nowhere".into()), ..Default::default() });
        let mut job = Job::new(["true"]);
        job.network = Network::Host;
        let mut watch = |_: crate::Progress<'_>| {};
        let io =
            RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut watch, cancel: crate::Cancel::default() };
        let told = docker.run(&job, io).unwrap_err();
        assert!(matches!(&told, SandboxError::Unavailable { why, .. } if why.contains("loopback")), "{told}");
    }
}

#[cfg(test)]
mod broken_engines;

#[cfg(test)]
mod agreement;
