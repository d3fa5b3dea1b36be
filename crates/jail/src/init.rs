//! The sandbox's first process: the recipe of the confinement, one step a line. The order is the security story.

use crate::report::{give_up, tell};
use crate::supervisor::Order;
use crate::sys::raw::Fd;
use crate::sys::{Done, Fault, files, identity, mounts, process, socket};
use crate::{confine, payload, root};
use alloc::string::String;
use alloc::vec::Vec;
use formicary_jail::message::{Ended, Message, Missing};
use formicary_jail::spec::INSIDE_ID;

/// Builds the sandbox, starts the payload, waits for it, tells how it ended.
pub fn run(order: &Order, lent: Vec<Option<Fd>>, from_supervisor: &Fd) -> ! {
    match try_run(order, lent, from_supervisor) {
        Ok(()) => process::exit_now(0),
        Err(fault) => give_up(fault),
    }
}

fn try_run(order: &Order, lent: Vec<Option<Fd>>, from_supervisor: &Fd) -> Done {
    let spec = &order.spec;
    let mut missing = Vec::new();

    // 1. Hold on to what will be shown inside, while this process may still look it up.
    let sources = root::open_sources(spec, lent)?;
    // 2. Take on the sandbox's only identity.
    await_supervisor(from_supervisor)?;
    identity::become_id(INSIDE_ID)?;
    process::die_with_parent()?;
    // 3. Build the new root on one sized file system, and enter it: the host's files are gone.
    root::build(spec, &sources, &mut missing)?;
    drop(sources);
    // 4. A network that ends at the loopback, and a name of its own.
    if spec.own_network {
        socket::loopback_up()?;
    }
    mounts::set_host_name("formicary")?;
    // 5. See nothing above the own cgroup, which this process was born in.
    mounts::own_cgroup_view()?;
    root::write_files(spec, order.files_at)?;
    root::seal()?;
    let (work, proc) = root::handles(&missing)?;
    // 6. No privileges, none to be gained, nothing to look into.
    if !spec.processors.is_empty() {
        process::use_processors(&spec.processors)?;
    }
    identity::drop_capabilities()?;
    identity::no_new_privileges()?;
    identity::hide_memory()?;
    // 7. Dropping privileges has undone the bond to the supervisor: renew it, and see that it was not too late.
    process::die_with_parent()?;
    if !socket::writer_lives(from_supervisor) {
        process::exit_now(1);
    }
    // 8. Files a second time, then system calls, last: from here on even this process is confined.
    confine::files(spec, &mut missing)?;
    let listener = confine::system_calls(spec)?;

    let descriptors: Vec<i32> =
        [Some(&work), proc.as_ref(), listener.as_ref()].into_iter().flatten().map(Fd::raw).collect();
    tell(&Message::Ready { missing }, &descriptors)?;
    drop((work, proc, listener));

    let started = process::steady_nanoseconds();
    match process::fork()? {
        None => payload::become_program(spec),
        Some(child) => tell(&Message::Ended(wait_for(child, started)), &[]),
    }
}

fn await_supervisor(pipe: &Fd) -> Done {
    if socket::await_byte(pipe) {
        Ok(())
    } else {
        Err(Fault { step: "the supervisor is gone".into(), errno: libc::EPIPE })
    }
}

/// Reaps whatever ends until the payload's main process does, then ends and reaps all the rest: once the account is
/// given, nothing in here can change a file any more.
fn wait_for(payload: i32, started: u64) -> Ended {
    let wait_status = loop {
        match process::wait_any() {
            Some((pid, status)) if pid == payload => break status,
            Some(_) => {}
            None => break 0,
        }
    };
    let nanoseconds = process::steady_nanoseconds() - started;
    process::kill_all_others();
    while process::wait_any().is_some() {}
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
        unroutable_packets: unroutable_packets(),
    }
}

/// Packets of both internet protocols that had nowhere to go, from the kernel's own counters.
fn unroutable_packets() -> u64 {
    let read = |path: &str| {
        let bytes = files::open_read(path).and_then(|fd| files::read_all(fd.raw(), 16 * 1024, 0));
        String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
    };
    let four = read("/proc/self/net/snmp");
    let mut lines = four.lines().filter_map(|line| line.strip_prefix("Ip: "));
    let names = lines.next().unwrap_or_default().split(' ');
    let values = lines.next().unwrap_or_default().split(' ');
    let four =
        names.zip(values).find(|(name, _)| *name == "OutNoRoutes").and_then(|(_, value)| value.parse().ok());
    let six = read("/proc/self/net/snmp6");
    let six = six.lines().find_map(|line| line.strip_prefix("Ip6OutNoRoutes")?.trim().parse::<u64>().ok());
    four.unwrap_or(0) + six.unwrap_or(0)
}

/// Whether a protection is among those that could not be had.
pub fn lacks(missing: &[(Missing, String)], which: Missing) -> bool {
    missing.iter().any(|(one, _)| *one == which)
}
