//! The controller's side of a nursery, and of the sandboxes that are born there.

use super::kind::{Fit, Kind};
use super::streams::Pipes;
use super::{helper, order};
use crate::cgroups::{Backend, Company, Group, Owner};
use crate::sys::poll::{self, Interest};
use crate::sys::{notify, process, socket};
use crate::{Job, SandboxError};
use formicary_jail::calls;
use formicary_jail::message::{Message, Missing};
use formicary_jail::spec::{self, Request};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a birth may take; an interpreter may have to start and import first.
const BIRTH: Duration = Duration::from_secs(20);
/// How long a sandbox that was told to end may take to be gone.
const FAREWELL: Duration = Duration::from_secs(5);

/// How long the last words of one that ended may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A place where sandboxes are born. Everything in it ends with it.
#[derive(Debug)]
pub struct Nursery {
    child: process::Child,
    control: OwnedFd,
    requests: OwnedFd,
    words: Pipes,
    /// What was read of its words.
    heard: Mutex<String>,
    /// How many have been born.
    born: AtomicUsize,
}

impl Nursery {
    /// Starts one. That it cannot be had shows with the first birth.
    pub fn start(kind: &Kind, imports: &[String], backend: &Backend) -> Result<Self, SandboxError> {
        let failed = |step: &'static str| move |error: io::Error| SandboxError::step(step, error);
        let order = order::for_nursery(kind, imports, backend)?;
        let (control, their_control) = socket::pair().map_err(failed("make the control socket"))?;
        let (requests, their_requests) = socket::pair().map_err(failed("make a nursery's socket"))?;
        let (words, their_words) = Pipes::new().map_err(failed("make the standard streams"))?;
        let [input, output, error] = their_words.descriptors();
        let jail = helper::path()?;
        let descriptors =
            [input, output, error, their_control.as_raw_fd(), order.as_raw_fd(), their_requests.as_raw_fd()];
        let child = process::spawn(&jail, &[&jail], &[], &descriptors).map_err(failed("start a nursery"))?;
        socket::send(&control, spec::GO).map_err(failed("give a nursery its order"))?;
        Ok(Self { child, control, requests, words, heard: Mutex::default(), born: AtomicUsize::new(0) })
    }

    /// How many sandboxes have been born here.
    pub fn born(&self) -> usize {
        self.born.load(Ordering::Relaxed)
    }

    /// Makes a sandbox for jobs like this one and waits until it stands ready.
    pub fn birth(self: &Arc<Self>, backend: &Backend, job: &Job, fit: &Fit) -> Result<Cradle, SandboxError> {
        let failed = |step: &'static str| move |error: io::Error| SandboxError::step(step, error);
        self.born.fetch_add(1, Ordering::Relaxed);
        let group = backend.plan(&Owner::this_process(), &job.limits, Company::First);
        let mut doors = Vec::new();
        if let Some(group) = &group {
            backend.make(group, &job.limits).map_err(failed("make a cgroup"))?;
            doors = group.doors().map_err(failed("open a cgroup"))?;
        }
        let (control, their_control) = socket::pair().map_err(failed("make the control socket"))?;
        let (pipes, their_pipes) = Pipes::new().map_err(failed("make the standard streams"))?;
        let descriptors: Vec<i32> = [their_control.as_raw_fd()]
            .into_iter()
            .chain(their_pipes.descriptors())
            .chain(doors.iter().map(AsRawFd::as_raw_fd))
            .collect();
        socket::send_with(&self.requests, &order::birth(job, &fit.start, backend)?, &descriptors)
            .map_err(failed("ask a nursery for a sandbox"))?;
        drop((their_control, their_pipes, doors));
        self.await_birth(control, pipes, group)
    }

    fn await_birth(
        self: &Arc<Self>,
        control: OwnedFd,
        pipes: Pipes,
        group: Option<Group>,
    ) -> Result<Cradle, SandboxError> {
        let deadline = Instant::now() + BIRTH;
        let mut stands: Option<Standing> = None;
        loop {
            let listener = stands.as_ref().and_then(|standing| standing.listener.as_ref());
            let left = deadline.saturating_duration_since(Instant::now());
            let [heard, call] =
                poll::wait([(Some(&control), Interest::Read), (listener, Interest::Read)], left);
            if call && let Some(listener) = listener {
                answer(listener);
            }
            if heard {
                let (bytes, descriptors) = socket::receive(&control).unwrap_or_default();
                match postcard::from_bytes(&bytes) {
                    Ok(Message::Ready { missing, network }) => {
                        stands = Standing::new(descriptors, missing, network);
                        if let Some(standing) = &stands {
                            pipes.give_to(standing.owner()?);
                        }
                    }
                    Ok(Message::Proven) if let Some(standing) = stands.take() => {
                        if let Some(group) = &group {
                            group.keep_open();
                        }
                        let remains = Remains {
                            handle: standing.handle,
                            group,
                            network: standing.network,
                            untouched: false,
                            nursery: Arc::clone(self),
                        };
                        return Ok(Cradle {
                            control,
                            pipes,
                            work: standing.work,
                            proc: standing.proc,
                            listener: standing.listener,
                            missing: standing.missing,
                            remains,
                        });
                    }
                    Ok(Message::Failed { step, errno }) => {
                        return Err(SandboxError::step(step, io::Error::from_raw_os_error(errno)));
                    }
                    _ => return Err(self.died()),
                }
            } else if left.is_zero() {
                return Err(SandboxError::step(
                    "make a sandbox ahead in time",
                    io::ErrorKind::TimedOut.into(),
                ));
            }
        }
    }

    /// What became of a nursery that does not answer: its interpreter may have said why. Several may ask at once, and
    /// each is told.
    fn died(&self) -> SandboxError {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push_str(&self.words.last_words(LAST_WORDS));
        let last = heard.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("without a word");
        SandboxError::step(format!("hear a nursery: it ended, {last}"), io::ErrorKind::UnexpectedEof.into())
    }

    /// Takes back what a sandbox that is gone has used.
    fn take_back(&self, network: u8, untouched: bool) {
        if let Ok(bytes) = postcard::to_allocvec(&Request::Return { network, untouched }) {
            let _ = socket::send(&self.requests, &bytes);
        }
    }

    /// Whether it still lives, as far as can be told.
    pub fn lives(&self) -> bool {
        let [over] = poll::wait([(Some(&self.requests), Interest::Read)], Duration::ZERO);
        !over && self.child.pid() > 0
    }
}

impl Drop for Nursery {
    /// The supervisor ends everything that was born here, and then itself.
    fn drop(&mut self) {
        if socket::send(&self.control, spec::KILL).is_ok() {
            self.child.wait();
        }
    }
}

/// Before there is a payload, it is the sandbox itself that tries what it must not be able to do.
fn answer(listener: &OwnedFd) {
    if let Ok(call) = notify::next(listener) {
        let ours =
            calls::is_plain_fork(call.number, call.first_argument) || calls::maps_shared_memory(call.number);
        let answer = if ours { notify::Answer::Allow } else { notify::Answer::Refuse(libc::EPERM) };
        notify::answer(listener, call, answer);
    }
}

/// A sandbox that stands and has not yet proved itself.
struct Standing {
    work: OwnedFd,
    handle: OwnedFd,
    proc: Option<OwnedFd>,
    listener: Option<OwnedFd>,
    missing: Vec<(Missing, String)>,
    network: Option<u8>,
}

impl Standing {
    fn new(descriptors: Vec<OwnedFd>, missing: Vec<(Missing, String)>, network: Option<u8>) -> Option<Self> {
        let mut descriptors = descriptors.into_iter();
        let (work, handle) = (descriptors.next()?, descriptors.next()?);
        let has_proc = !missing.iter().any(|(which, _)| *which == Missing::Proc);
        let proc = if has_proc { descriptors.next() } else { None };
        Some(Self { work, handle, proc, listener: descriptors.next(), missing, network })
    }

    /// Who the payload is, on the host.
    fn owner(&self) -> Result<(u32, u32), SandboxError> {
        let facts = self.work.try_clone().and_then(|fd| std::fs::File::from(fd).metadata());
        let facts = facts.map_err(|error| SandboxError::step("look at the working folder", error))?;
        Ok((facts.uid(), facts.gid()))
    }
}

/// A sandbox that stands ready, has proved that it is confined, and waits for its one job.
#[derive(Debug)]
pub struct Cradle {
    /// Where the order goes and the account comes from.
    pub control: OwnedFd,
    /// Our ends of its standard streams.
    pub pipes: Pipes,
    /// Its working folder.
    pub work: OwnedFd,
    /// Its `/proc`.
    pub proc: Option<OwnedFd>,
    /// Where its refused system calls are heard.
    pub listener: Option<OwnedFd>,
    /// Protections that it lacks.
    pub missing: Vec<(Missing, String)>,
    /// What is left of it when it is over.
    pub remains: Remains,
}

impl Cradle {
    /// Whether it still stands.
    pub fn stands(&self) -> bool {
        let [over] = poll::wait([(Some(&self.remains.handle), Interest::Read)], Duration::ZERO);
        !over
    }
}

/// What must be taken apart after a sandbox from a nursery; dropping it does so.
#[derive(Debug)]
pub struct Remains {
    /// Its first process.
    pub handle: OwnedFd,
    /// Its cgroup.
    pub group: Option<Group>,
    /// Whether nothing ever happened in its network.
    pub untouched: bool,
    network: Option<u8>,
    nursery: Arc<Nursery>,
}

impl Remains {
    /// Ends what still runs.
    pub fn kill(&self) {
        process::kill_by_handle(&self.handle);
    }
}

impl Drop for Remains {
    fn drop(&mut self) {
        self.kill();
        // Readable: it is gone, and with it everything that was in there.
        let [gone] = poll::wait([(Some(&self.handle), Interest::Read)], FAREWELL);
        if let Some(network) = self.network {
            self.nursery.take_back(network, self.untouched && gone);
        }
    }
}
