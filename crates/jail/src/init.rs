//! The sandbox's first process: the recipe of the confinement, one step a line. The order is the security story.

use crate::message::{Ended, Message, Missing};
use crate::nursery::{self, Forks};
use crate::report::{give_up, tell};
use crate::spec::{CONTROL_FD, CgroupPlacement, Confinement, DOORS_FD, INSIDE_ID, MountKind, Role, Spec};
use crate::supervisor::Plan;
use crate::sys::process::Beside;
use crate::sys::raw::Fd;
use crate::sys::{Done, Fault, files, identity, mounts, process, socket};
use crate::traffic::Counters;
use crate::{confine, payload, root};
use alloc::string::String;
use alloc::vec::Vec;

/// Who made this process, and ends with it.
pub enum Parent {
    /// A supervisor, at the other end of this.
    Supervisor(Fd),
    /// The controller itself.
    Controller,
}

impl Parent {
    /// Waits until it has given this process its user.
    fn await_users(&self) -> Done {
        match self {
            Self::Supervisor(words) if !socket::await_byte(words) => {
                Err(Fault { step: "the supervisor is gone".into(), errno: libc::EPIPE })
            }
            // The controller does that before it gives its order.
            Self::Supervisor(_) | Self::Controller => Ok(()),
        }
    }

    fn lives(&self) -> bool {
        match self {
            Self::Supervisor(words) => socket::other_side_lives(words.raw()),
            Self::Controller => socket::other_side_lives(CONTROL_FD),
        }
    }
}

/// Builds the sandbox, starts the payload, waits for it, tells how it ended. Or builds a nursery, and serves.
pub fn run(plan: &Plan, lent: Vec<Option<Fd>>, parent: &Parent) -> ! {
    match try_run(plan, lent, parent) {
        Ok(()) => process::exit_now(0),
        Err(fault) => give_up(fault),
    }
}

fn try_run(plan: &Plan, lent: Vec<Option<Fd>>, parent: &Parent) -> Done {
    let spec = &plan.spec;
    let mut missing = Vec::new();

    // Whatever happens, this process and all of its own are the first to be killed if memory runs out.
    let _ = files::write_once("/proc/self/oom_score_adj", "1000");
    // 1. Hold on to what will be shown inside, while this process may still look it up.
    let sources = root::open_sources(spec, lent)?;
    // 2. Take on the sandbox's only identity.
    parent.await_users()?;
    identity::become_id(INSIDE_ID)?;
    process::die_with_parent()?;
    // 3. Build the new root on one sized file system, and enter it: the host's files are gone.
    root::found(spec)?;
    // A network takes longer to make than the root: it is made meanwhile. Not earlier, as what makes the cgroup would have
    // to wait for it.
    let network = (spec.own_network && spec.role == Role::Run).then(|| process::beside(make_network));
    root::build(spec, &sources, &mut missing)?;
    drop(sources);
    // What is written from here on is counted.
    if let CgroupPlacement::Enter(_) = spec.cgroup {
        await_doors()?;
    }
    root::write_files(&spec.files, plan.contents)?;
    root::seal()?;
    // 4. A network that ends at the loopback, and a name of its own.
    match network {
        Some(network) => enter_network(network?)?,
        None if spec.own_network => drop(socket::loopback_up()?),
        None => {}
    }
    mounts::set_host_name("formicary")?;
    if spec.role == Role::Nursery {
        // What is born here goes on by itself with step 5.
        return serve(spec);
    }
    // 5 to 8.
    let writable = spec.mounts.iter().filter(|mount| mount.kind == MountKind::ReadWrite);
    let writable = writable.map(|mount| mount.target.as_str());
    let Handles { work, proc, listener } =
        confine_self(&spec.confinement, writable, &mut missing, || parent.lives())?;

    confine::prove()?;

    let descriptors: Vec<i32> =
        [Some(&work), proc.as_ref(), listener.as_ref()].into_iter().flatten().map(Fd::raw).collect();
    tell(&Message::Ready { missing, network: None }, &descriptors)?;
    drop((work, proc, listener));

    let started = process::steady_nanoseconds();
    let child = payload::start(&spec.program, &spec.confinement)?;
    tell(&Message::Ended(wait_for(child, started)), &[])?;
    if matches!(parent, Parent::Controller) {
        await_end();
    }
    Ok(())
}

/// After the last word: being taken apart takes the kernel a while, and the controller, which wakes on the same processor,
/// would have to wait for that. It ends this process when it has done what it has to.
pub fn await_end() {
    let _ = socket::receive(CONTROL_FD, &mut [0; 16]);
}

/// What the controller gets of a sandbox.
pub struct Handles {
    /// The working folder.
    pub work: Fd,
    /// `/proc`, unless it is missing.
    pub proc: Option<Fd>,
    /// The listener of refused system calls, unless there can be none.
    pub listener: Option<Fd>,
}

/// The second half of the recipe, from inside the new root. `parent_lives` is asked after the last moment at which
/// this process could have missed its parent's death.
pub fn confine_self<'a>(
    confinement: &Confinement,
    writable: impl Iterator<Item = &'a str>,
    missing: &mut Vec<(Missing, String)>,
    parent_lives: impl FnOnce() -> bool,
) -> Done<Handles> {
    // 5. See nothing above the own cgroup, which this process was born in or has entered.
    mounts::own_cgroup_view()?;
    let (work, proc) = root::handles(missing)?;
    // 6. No privileges, none to be gained, nothing to look into.
    if !confinement.processors.is_empty() {
        process::use_processors(&confinement.processors)?;
    }
    identity::drop_capabilities()?;
    identity::no_new_privileges()?;
    identity::hide_memory()?;
    // 7. Dropping privileges has undone the bond to the parent: renew it, and see that it was not too late.
    process::die_with_parent()?;
    if !parent_lives() {
        process::exit_now(1);
    }
    // 8. Files a second time, then system calls, last: from here on even this process is confined.
    confine::files(writable, confinement, missing)?;
    let listener = confine::system_calls(confinement)?;
    Ok(Handles { work, proc, listener })
}

/// Serves as a nursery, or lets an interpreter do it that loads this very code.
fn serve(spec: &Spec) -> Done {
    // What is born here names its own users, by files under `/proc` that must be its own.
    identity::show_memory()?;
    if spec.program.argv.is_empty() {
        // Only an interpreter's fork would come back.
        nursery::serve(spec.own_network, Forks::Plainly);
        return Ok(());
    }
    Err(payload::become_nursery(&spec.program))
}

/// Makes a network that belongs to the sandbox's users and ends at the loopback. It may be left, and entered by what
/// comes back.
fn make_network() -> Done<Fd> {
    mounts::own_network()?;
    socket::loopback_up()
}

/// Waits for the network that was made meanwhile, and enters it.
fn enter_network(maker: Beside<Done<Fd>>) -> Done {
    let gone = || Fault { step: "the network was not made".into(), errno: libc::ECHILD };
    mounts::enter_network(&maker.join().ok_or_else(gone)??)
}

/// Waits for the doors of the cgroup, and goes through.
fn await_doors() -> Done {
    let mut word = [0; 16];
    let gone = || Fault { step: "the controller is gone".into(), errno: libc::EPIPE };
    let received = socket::receive(DOORS_FD, &mut word).ok_or_else(gone)?;
    enter_cgroup(received.descriptors())
}

/// Enters a cgroup by these doors, which are closed then.
///
/// A process that moves only itself, as a thread, needs no lock over all processes of the host: waiting for that lock
/// took 0.4 ms a hierarchy in a quick loop, and 9 to 18 ms when nobody had taken it for a while.
pub fn enter_cgroup(doors: &[i32]) -> Done {
    doors.iter().try_for_each(|door| files::write_descriptor(Fd::new(*door as usize).raw(), "0"))
}

/// Reaps whatever ends until the payload's main process does, then ends and reaps all the rest: once the account is
/// given, nothing in here can change a file any more.
pub fn wait_for(payload: i32, started: u64) -> Ended {
    // Opened while there is time: when all is over, the caller waits.
    let counters = Counters::open();
    let wait_status = loop {
        match process::wait_any() {
            Some((pid, status)) if pid == payload => break status,
            Some(_) => {}
            None => break 0,
        }
    };
    let nanoseconds = process::steady_nanoseconds() - started;
    // Whoever still lives in here descends from a child of this process: mostly there is none, and nobody to look for.
    let mut left = 0;
    if process::has_children() {
        process::kill_all_others();
        while process::wait_any().is_some() {
            left += 1;
        }
    }
    let usage = process::children_usage();
    let micros = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
    Ended {
        wait_status,
        nanoseconds,
        user_micros: micros(usage.ru_utime),
        system_micros: micros(usage.ru_stime),
        largest_resident: usage.ru_maxrss as u64 * 1024,
        blocks_read: usage.ru_inblock as u64,
        blocks_written: usage.ru_oublock as u64,
        disk_full: files::is_full("/work"),
        left,
        traffic: counters.and_then(|counters| counters.read()).unwrap_or_default(),
    }
}

/// Whether a protection is among those that could not be had.
pub fn lacks(missing: &[(Missing, String)], which: Missing) -> bool {
    missing.iter().any(|(one, _)| *one == which)
}
