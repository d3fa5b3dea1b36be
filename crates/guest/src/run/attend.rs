//! Staying with the program to its end: moving its bytes, hearing orders, looking at what is used.
//!
//! All of it is done by one thread, for in a guest every thread costs a good part of a small program's life. A second one ends
//! everything when it has taken longer than any controller would let it: the first may by then be waiting for somebody to take
//! what the program wrote.

use super::input::Input;
use super::meter::Gauge;
use super::orders::Orders;
use super::processes::{self, Reaped};
use crate::stream::Outgoing;
use crate::sys::Ends;
use formicary_guest::frame::{HEADER, header};
use formicary_guest::message::run::{Ended, Kind, Meter, Order, Reach};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// How long the dying may take.
const PATIENCE: Duration = Duration::from_secs(4);
/// Output that travels in one piece.
const AT_ONCE: usize = 64 * 1024;
/// In a guest the agent does without its second thread for so many bytes, which a pipe holds even if nobody takes them.
const FEW_BYTES: usize = 16 * 1024;
/// More than any word takes that is not the program's output.
const ONE_WORD: usize = 128;
/// So many of the dead are buried before anything else is looked at.
const BURIALS: usize = 256;
/// Threads here need no more.
const STACK: usize = 128 * 1024;

/// A program that was just started.
pub struct Started {
    /// Its number.
    pub main: u32,
    /// Tells that it, or another child, has ended.
    pub ends: Ends,
    /// When it was started.
    pub begun: Instant,
    /// Our end of its input.
    pub input: OwnedFd,
    /// Our ends of its output and of its errors.
    pub outputs: [OwnedFd; 2],
}

/// Stays with it. When nobody is left to give orders, everything ends, the agent too.
pub fn attend(
    program: Started,
    order: &Order,
    gauge: &mut Gauge,
    orders: &mut Orders,
    out: &mut Outgoing,
) -> io::Result<Ended> {
    let mut attendant = Attendant::new(program, order, gauge, orders, out)?;
    if !matches!(order.meter, Meter::Guest { .. }) {
        attendant.end_at_last();
    }
    let status = loop {
        if let Some(status) = attendant.turn()? {
            break status;
        }
    };
    Ok(attendant.finish(status))
}

struct Attendant<'a> {
    main: u32,
    ends: Ends,
    /// Whether dead were left unburied.
    are_left: bool,
    order: &'a Order,
    gauge: &'a mut Gauge,
    orders: &'a mut Orders,
    out: &'a mut Outgoing,
    input: Input,
    outputs: [Option<File>; 2],
    buffer: Vec<u8>,
    begun: Instant,
    tick: Duration,
    next_look: Instant,
    told: usize,
    has_an_end: bool,
}

impl<'a> Attendant<'a> {
    fn new(
        program: Started,
        order: &'a Order,
        gauge: &'a mut Gauge,
        orders: &'a mut Orders,
        out: &'a mut Outgoing,
    ) -> io::Result<Self> {
        let tick = Duration::from_micros(order.tick);
        Ok(Self {
            main: program.main,
            ends: program.ends,
            are_left: false,
            order,
            gauge,
            orders,
            out,
            input: Input::new(program.input)?,
            outputs: program.outputs.map(|output| Some(File::from(output))),
            buffer: vec![0; HEADER + AT_ONCE],
            begun: program.begun,
            tick,
            // First a moment of peace: many programs are over by then.
            next_look: Instant::now() + tick,
            told: 0,
            has_an_end: false,
        })
    }

    /// One wait, and what came of it; how the program ended, when it has.
    fn turn(&mut self) -> io::Result<Option<i32>> {
        let wait = self.next_look.saturating_duration_since(Instant::now());
        let wait = if self.are_left { Duration::ZERO } else { wait };
        let [orders, ended, output, error, input] = self.ready(wait)?;
        if input {
            self.push();
        }
        if orders {
            self.obey();
        }
        for (number, _) in [output, error].into_iter().enumerate().filter(|(_, ready)| *ready) {
            self.pass_on(number);
        }
        if (ended || self.are_left)
            && let Some(status) = self.bury()
        {
            return Ok(Some(status));
        }
        let now = Instant::now();
        if now >= self.next_look {
            self.look(now);
        }
        if now - self.begun > self.at_most() {
            end(self.order.reach);
        }
        Ok(None)
    }

    /// Reaps whoever has ended; how the program did, if it is among them.
    fn bury(&mut self) -> Option<i32> {
        // Before one looks: who ends afterwards tells again.
        self.ends.hear();
        let reaped = processes::reap(self.main, BURIALS);
        self.are_left = reaped == Reaped::More;
        match reaped {
            Reaped::Main(status) => Some(status),
            Reaped::All | Reaped::More => None,
        }
    }

    fn ready(&self, wait: Duration) -> io::Result<[bool; 5]> {
        let [output, error] =
            self.outputs.each_ref().map(|from| from.as_ref().map(|file| (file.as_fd(), PollFlags::IN)));
        let streams = [
            Some((self.orders.stream(), PollFlags::IN)),
            Some((self.ends.stream(), PollFlags::IN)),
            output,
            error,
            self.input.stream().map(|stream| (stream, PollFlags::OUT)),
        ];
        let mut wanted: Vec<PollFd<'_>> =
            streams.iter().flatten().map(|(fd, flags)| PollFd::from_borrowed_fd(*fd, *flags)).collect();
        match poll(&mut wanted, Timespec::try_from(wait).ok().as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut answers = wanted.iter().map(|answer| !answer.revents().is_empty());
        Ok(streams.map(|stream| stream.is_some() && answers.next() == Some(true)))
    }

    fn obey(&mut self) {
        let is_there = self.orders.hear();
        while let Ok(Some((kind, content))) = self.orders.piece() {
            match kind {
                Kind::Input => {
                    self.input.give(content);
                    self.push();
                }
                Kind::InputEnds => self.input.end(),
                Kind::Kill => processes::end(self.order.reach),
                Kind::Interrupt => processes::interrupt(self.order.reach),
                _ => self.orders.keep((kind, content)),
            }
        }
        if !is_there.unwrap_or(false) {
            end(self.order.reach);
        }
    }

    /// Gives the program its input; the next is asked for when it has taken all.
    fn push(&mut self) {
        if self.input.push() {
            self.out.send(Kind::Taken, &[]);
        }
    }

    /// Passes on what the program wrote; whether it may write more.
    fn pass_on(&mut self, number: usize) -> bool {
        let Some(from) = &mut self.outputs[number] else { return false };
        match from.read(&mut self.buffer[HEADER..]) {
            Ok(count) if count > 0 => {
                let kind = [Kind::Output, Kind::Error][number];
                self.buffer[..HEADER].copy_from_slice(&header(kind, count));
                self.will_tell(count);
                // Whoever listened is gone: the end of our own orders will say so.
                let _ = self.out.write_all(&self.buffer[..HEADER + count]);
                true
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => true,
            _ => {
                self.outputs[number] = None;
                false
            }
        }
    }

    fn look(&mut self, now: Instant) {
        let sample = self.gauge.sample();
        self.will_tell(ONE_WORD);
        self.out.send_value(Kind::Sample, &sample);
        // In a guest every look costs the program time: the longer it runs, the fewer there are.
        let tick = Duration::from_micros(self.order.tick);
        if let Meter::Guest { .. } = self.order.meter {
            self.tick = (self.tick * 2).min(tick * 4);
        }
        self.next_look = now + self.tick;
    }

    /// Before bytes are told: from some number on, nobody may be there to take them.
    fn will_tell(&mut self, count: usize) {
        self.told += count;
        if self.told > FEW_BYTES {
            self.end_at_last();
        }
    }

    fn at_most(&self) -> Duration {
        Duration::from_millis(self.order.at_most)
    }

    /// Ends everything when it has taken longer than any controller would let it.
    fn end_at_last(&mut self) {
        if std::mem::replace(&mut self.has_an_end, true) {
            return;
        }
        let at_most = self.at_most().saturating_sub(self.begun.elapsed());
        let reach = self.order.reach;
        let _ = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            std::thread::sleep(at_most);
            end(reach);
        });
    }

    fn finish(mut self, wait_status: i32) -> Ended {
        let nanoseconds = self.begun.elapsed().as_nanos() as u64;
        // Before the others are ended: they are part of what was used.
        let there = self.gauge.sample();
        let were_others = processes::end_and_reap(self.order.reach, PATIENCE);
        for number in 0..self.outputs.len() {
            while self.pass_on(number) {}
        }
        let mut last = if were_others { self.gauge.sample() } else { there };
        last.unroutable_packets = self.gauge.unroutable_packets();
        last.disk_full |= there.disk_full;
        last.processes = there.processes;
        last.forks_refused = last.forks_refused.max(there.forks_refused);
        Ended { wait_status, nanoseconds, last }
    }
}

fn end(reach: Reach) -> ! {
    processes::end_and_reap(reach, PATIENCE);
    std::process::exit(1)
}
