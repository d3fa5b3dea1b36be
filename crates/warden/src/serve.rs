//! The warden's work, from the order to the last file.

use crate::files::Work;
use crate::meter::Gauge;
use crate::starter::{self, NotStarted, Start};
use crate::{finish, oversee, pipes, processes};
use formicary_warden::frame::{self, Kind};
use formicary_warden::message::{Ended, Failed, Meter, Order, Reach};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the dying may take.
const PATIENCE: Duration = Duration::from_secs(4);

/// Where everything is told. Shared by those who have something to tell; a piece is never torn.
#[derive(Clone)]
struct Out(Arc<Mutex<File>>);

impl Out {
    fn tell(&self, kind: Kind, content: &[u8]) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever listened is gone: the end of our own orders will say so.
        let _ = frame::write(&mut *out, kind, content);
    }

    fn tell_of<T: serde::Serialize>(&self, kind: Kind, what: &T) {
        if let Ok(content) = postcard::to_allocvec(what) {
            self.tell(kind, &content);
        }
    }

    fn failed(&self, step: impl Into<String>, error: &io::Error) {
        let errno = error.raw_os_error().unwrap_or(rustix::io::Errno::IO.raw_os_error());
        self.tell_of(Kind::Failed, &Failed { step: step.into(), errno });
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The program's first word says which part it plays.
pub fn run() -> ExitCode {
    let mut words = std::env::args().skip(1);
    match words.next().as_deref() {
        Some(starter::WORD) => starter::become_the_program(),
        Some(oversee::OVERSEE) => oversee::oversee(words),
        Some(oversee::BECOME) => oversee::become_another(words),
        _ => serve(),
    }
}

/// Serves one order.
fn serve() -> ExitCode {
    // What the program could read here or take from here would let it forge our words.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    match streams() {
        Some((orders, out)) => match work(orders, &out) {
            Some(()) => ExitCode::SUCCESS,
            None => ExitCode::FAILURE,
        },
        None => ExitCode::FAILURE,
    }
}

/// Our own standard streams, closed to everyone we start.
fn streams() -> Option<(File, Out)> {
    let orders = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let out = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    Some((orders, Out(Arc::new(Mutex::new(out)))))
}

fn work(mut orders: File, out: &Out) -> Option<()> {
    let (_, order) = frame::read(&mut orders).ok()??;
    let order: Order = postcard::from_bytes(&order).ok()?;
    if order.reach == Reach::Descendants {
        // Its controller's death must not be the warden's: it is told by the end of its orders, and ends all below it first.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    }
    let place = match prepare(&order) {
        Ok(place) => place,
        Err((step, error)) => {
            out.failed(step, &error);
            return Some(());
        }
    };
    let mut gauge = match Gauge::new(&order) {
        Ok(gauge) => gauge,
        Err(error) => {
            out.failed("prepare to measure", &error);
            return Some(());
        }
    };
    out.tell(Kind::Ready, &[]);
    let (asked, wanted) = mpsc::channel();
    let ended = attend(&order, &mut gauge, orders, out, asked)?;
    out.tell_of(Kind::Ended, &ended);
    finish::finish(&place, &wanted, &mut out.clone()).ok()
}

fn prepare(order: &Order) -> Result<Work, (String, io::Error)> {
    let place = Work::open(&order.work)
        .map_err(|error| (format!("open the working folder {}", order.work), error))?;
    for file in &order.files {
        place.write(file, order.identity).map_err(|error| (format!("write {:?}", file.path), error))?;
    }
    Ok(place)
}

/// Starts the program and stays with it to its end.
fn attend(
    order: &Order,
    gauge: &mut Gauge,
    orders: File,
    out: &Out,
    asked: Sender<(Kind, Vec<u8>)>,
) -> Option<Ended> {
    let [(their_input, input), (output, their_output), (error, their_error)] =
        match pipes::three(order.identity) {
            Ok(pipes) => pipes,
            Err(error) => {
                out.failed("make the standard streams", &error);
                return None;
            }
        };
    let start = Start {
        argv: order.argv.clone(),
        env: order.env.clone(),
        cwd: order.cwd.clone(),
        limits: order.limits.clone(),
        filters: order.filters.clone(),
        identity: order.identity,
        group: gauge.entrance(),
        expendable: order.reach == Reach::Everybody,
    };
    let begun = Instant::now();
    let main = match starter::start(&start, [their_input, their_output, their_error]) {
        Ok(main) => main,
        Err(NotStarted::Program(errno)) => {
            out.tell_of(Kind::NotStarted, &errno);
            return None;
        }
        Err(NotStarted::Ours(error)) => {
            out.failed("start the program", &error);
            return None;
        }
    };
    out.tell(Kind::Started, &[]);
    end_at_last(Duration::from_millis(order.at_most), order.reach);
    listen(orders, input, order.reach, out.clone(), asked);
    let pumps = [pump(output, Kind::Output, out.clone()), pump(error, Kind::Error, out.clone())];
    let over = Arc::new(AtomicBool::new(false));
    let status = std::thread::scope(|scope| {
        let meter = scope.spawn(|| measure(gauge, order, &over, out));
        let status = processes::wait_for(main);
        over.store(true, Ordering::Release);
        meter.thread().unpark();
        status
    });
    let nanoseconds = begun.elapsed().as_nanos() as u64;
    // Before the others are ended: they are part of what was used.
    let there = gauge.sample();
    processes::end_and_reap(order.reach, PATIENCE);
    for pump in pumps.into_iter().flatten() {
        let _ = pump.join();
    }
    let mut last = gauge.account();
    last.disk_full |= there.disk_full;
    last.processes = there.processes;
    last.forks_refused = last.forks_refused.max(there.forks_refused);
    Some(Ended { wait_status: status.map_or(9, |status| status.as_raw()), nanoseconds, last })
}

fn measure(gauge: &mut Gauge, order: &Order, over: &AtomicBool, out: &Out) {
    let mut tick = order.tick;
    // In a guest every look costs the program time: the longer it runs, the fewer there are.
    let (most, growth) = match order.meter {
        Meter::Guest { .. } => (order.tick * 4, order.tick / 4),
        Meter::Container | Meter::Descendants => (order.tick, 0),
    };
    loop {
        // First a moment of peace: many programs are over by then.
        std::thread::park_timeout(Duration::from_micros(tick));
        if over.load(Ordering::Acquire) {
            return;
        }
        out.tell_of(Kind::Sample, &gauge.sample());
        tick = (tick + growth).min(most);
    }
}

/// Moves one output until everyone who could write to it is gone.
fn pump(from: OwnedFd, kind: Kind, out: Out) -> Option<std::thread::JoinHandle<()>> {
    let work = move || {
        let mut from = File::from(from);
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => out.tell(kind, &buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    };
    std::thread::Builder::new().spawn(work).ok()
}

/// Ends everything when it has taken longer than any controller would let it.
fn end_at_last(at_most: Duration, reach: Reach) {
    std::thread::spawn(move || {
        std::thread::sleep(at_most);
        processes::end_and_reap(reach, PATIENCE);
        std::process::exit(1);
    });
}

/// Hears orders on a thread of its own. When nobody is left to give any, everything ends.
fn listen(mut orders: File, input: OwnedFd, reach: Reach, out: Out, asked: Sender<(Kind, Vec<u8>)>) {
    let (give, given) = mpsc::channel();
    std::thread::spawn(move || feed(input, &given, &out));
    std::thread::spawn(move || {
        let mut give = Some(give);
        loop {
            match frame::read(&mut orders) {
                Ok(Some((Kind::Input, bytes))) => {
                    if let Some(give) = &give {
                        let _ = give.send(bytes);
                    }
                }
                Ok(Some((Kind::InputEnds, _))) => give = None,
                Ok(Some((Kind::Kill, _))) => processes::end(reach),
                Ok(Some((Kind::Interrupt, _))) => processes::interrupt(reach),
                Ok(Some(other)) => {
                    let _ = asked.send(other);
                }
                Ok(None) | Err(_) => {
                    processes::end_and_reap(reach, PATIENCE);
                    std::process::exit(1);
                }
            }
        }
    });
}

/// Gives the program its input. Whether it takes it is its own affair; the next is asked for when it has.
fn feed(input: OwnedFd, given: &Receiver<Vec<u8>>, out: &Out) {
    let mut input = Some(File::from(input));
    while let Ok(bytes) = given.recv() {
        if input.as_mut().is_some_and(|input| input.write_all(&bytes).is_err()) {
            input = None;
        }
        out.tell(Kind::Taken, &[]);
    }
}
