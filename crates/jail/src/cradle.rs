//! A sandbox that was made ahead, from its birth in a nursery to the account of the one program that it runs.

use crate::init::{self, Handles};
use crate::message::{Ended, Message};
use crate::nursery::Forks;
use crate::report::{give_up, tell};
use crate::spec::{
    self, Birth, CONTROL_FD, Confinement, Early, INSIDE_ID, LONGEST_ORDER, Order, Request, WORDS_FD,
};
use crate::sys::raw::Fd;
use crate::sys::{Done, Fault, files, identity, memory, process, socket};
use crate::{confine, payload, root};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// What a newborn was given.
pub struct Newborn<'a> {
    /// The encoded request.
    pub request: &'a [u8],
    /// Control socket, standard input, output and error, and the doors of its cgroup.
    pub descriptors: &'a [i32],
    /// The nursery's network that it is in.
    pub network: Option<u8>,
    /// Whether it is in a network of its own instead, yet to be brought up.
    pub bring_up: bool,
}

/// Lives. Returns only in a payload that was forked from an interpreter, with its words.
pub fn live(newborn: Newborn<'_>, forks: Forks<'_>) -> Vec<u8> {
    match try_live(newborn, forks) {
        Ok(words) => words,
        Err(fault) => give_up(fault),
    }
}

fn try_live(newborn: Newborn<'_>, forks: Forks<'_>) -> Done<Vec<u8>> {
    process::forget_children(false);
    let [control, input, output, error, doors @ ..] = newborn.descriptors else {
        return Err(malformed("a birth without descriptors"));
    };
    // From the first moment on it is counted where it belongs, and the first to be killed if memory runs out.
    init::enter_cgroup(doors)?;
    socket::rearrange([*input, *output, *error, *control])?;
    let Ok(Request::Birth(birth)) = postcard::from_bytes(newborn.request) else {
        return Err(malformed("a birth that cannot be decoded"));
    };
    let _ = files::write_once("/proc/self/oom_score_adj", "1000");

    // Steps 2 to 4 of the recipe, as far as the nursery has not done them.
    name_itself()?;
    process::die_with_parent()?;
    let mut missing = Vec::new();
    root::renew(birth.disk, &birth.confinement, &mut missing)?;
    if newborn.bring_up {
        socket::loopback_up()?;
    }
    // Steps 5 to 8. With the nursery's first process the kernel ends all that was born there, whenever it dies.
    let Handles { work, proc, listener } =
        init::confine_self(&birth.confinement, core::iter::empty(), &mut missing, || true)?;
    let handle = process::own_handle()?;
    let descriptors: Vec<i32> = [Some(&work), Some(&handle), proc.as_ref(), listener.as_ref()]
        .into_iter()
        .flatten()
        .map(Fd::raw)
        .collect();
    tell(&Message::Ready { missing, network: newborn.network }, &descriptors)?;
    drop((work, handle, proc, listener));

    confine::prove_by_asking()?;
    match start_early(&birth, forks)? {
        Started::Here(words) => Ok(words),
        Started::Nothing => wait_and_run(&birth.confinement, None),
        Started::Child(child, words) => wait_and_run(&birth.confinement, Some((child, words))),
    }
}

/// The one user and group that exist inside, the same as in the nursery.
fn name_itself() -> Done {
    let same = format!("{INSIDE_ID} {INSIDE_ID} 1");
    files::write_once("/proc/self/setgroups", "deny")?;
    files::write_once("/proc/self/uid_map", &same)?;
    files::write_once("/proc/self/gid_map", &same)?;
    identity::become_id(INSIDE_ID)
}

/// What became of the part that is started before there is work.
enum Started {
    /// There is none.
    Nothing,
    /// A child waits for its words at the other end of this pipe.
    Child(i32, Fd),
    /// This process is that child, and these are its words.
    Here(Vec<u8>),
}

fn start_early(birth: &Birth, forks: Forks<'_>) -> Done<Started> {
    let (words, give_words) = match birth.early {
        Early::Nothing => return Ok(Started::Nothing),
        Early::Program(_) | Early::Interpreter { .. } => socket::pipe()?,
    };
    let forked = match (&birth.early, forks) {
        (Early::Interpreter { .. }, Forks::By { fork, .. }) => fork()?,
        _ => process::fork()?,
    };
    if let Some(child) = forked {
        return Ok(Started::Child(child, give_words));
    }
    drop(give_words);
    match &birth.early {
        Early::Program(program) => {
            if let Err(fault) = socket::place(&words, WORDS_FD) {
                give_up(fault);
            }
            payload::become_program_with(program, &birth.confinement, WORDS_FD as u32 + 1)
        }
        Early::Interpreter { cwd } => {
            let written = if let Forks::By { written, .. } = forks { written } else { &[] };
            become_payload(cwd, &birth.confinement, words, written)
        }
        Early::Nothing => Err(malformed("nothing was started")),
    }
}

/// The fork of an interpreter becomes the payload by staying what it is.
fn become_payload(
    cwd: &str,
    confinement: &Confinement,
    words: Fd,
    written: &[(usize, usize)],
) -> Done<Started> {
    identity::show_memory()?;
    payload::prepare(cwd, confinement)?;
    // The control socket is the first process's alone.
    drop(Fd::new(CONTROL_FD as usize));
    memory::copy_ahead(written);
    Ok(Started::Here(socket::read_to_end(words.raw())))
}

/// Waits for the order, carries it out, and gives the account of it.
fn wait_and_run(confinement: &Confinement, early: Option<(i32, Fd)>) -> Done<Vec<u8>> {
    tell(&Message::Proven, &[])?;
    let mut buffer = vec![0; LONGEST_ORDER];
    let Some(received) = socket::receive(CONTROL_FD, &mut buffer) else { process::exit_now(0) };
    let started = process::steady_nanoseconds();
    let bytes = match received.descriptors() {
        [] => &buffer[..received.length],
        [file, ..] => files::map(*file)?,
    };
    let (order, contents): (Order, _) =
        spec::split(bytes).ok_or_else(|| malformed("an order that cannot be decoded"))?;
    root::write_files(&order.files, contents)?;
    let ended = match early {
        None => {
            let child = payload::start(&order.program, confinement)?;
            init::wait_for(child, started)
        }
        Some((child, words)) => {
            if !process::lives(child) {
                return Err(malformed("what was started early is gone"));
            }
            let before = process::cpu_micros(child);
            socket::write_all(&words, &order.words)?;
            drop(words);
            since(init::wait_for(child, started), before)
        }
    };
    tell(&Message::Ended(ended), &[])?;
    init::await_end();
    process::exit_now(0)
}

/// The same account without the CPU time that was used before there was an order.
fn since(ended: Ended, before: u64) -> Ended {
    let user_micros = ended.user_micros.saturating_sub(before);
    let rest = before.saturating_sub(ended.user_micros);
    Ended { user_micros, system_micros: ended.system_micros.saturating_sub(rest), ..ended }
}

fn malformed(step: &str) -> Fault {
    Fault { step: String::from(step), errno: libc::EINVAL }
}
