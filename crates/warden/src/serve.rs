//! The warden's work, from the order to the last file.

use crate::attend::{self, Program};
use crate::files::Work;
use crate::meter::Gauge;
use crate::orders::Orders;
use crate::starter::{self, Start};
use crate::sys::Ends;
use crate::{finish, oversee, pipes};
use formicary_warden::frame::{self, Kind};
use formicary_warden::message::{Ended, Failed, Meter, Order, Reach};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::Instant;

/// Where everything is told.
pub struct Out(File);

impl Out {
    /// Says it. Whoever listened may be gone: the end of our own orders will say so.
    pub fn tell(&mut self, kind: Kind, content: &[u8]) {
        let _ = frame::write(&mut self.0, kind, content);
    }

    /// Says what is more than bytes.
    pub fn tell_of<T: serde::Serialize>(&mut self, kind: Kind, what: &T) {
        if let Ok(content) = postcard::to_allocvec(what) {
            self.tell(kind, &content);
        }
    }

    fn failed(&mut self, step: impl Into<String>, error: &io::Error) {
        let errno = error.raw_os_error().unwrap_or(rustix::io::Errno::IO.raw_os_error());
        self.tell_of(Kind::Failed, &Failed { step: step.into(), errno });
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The program's first word says which part it plays.
pub fn run() -> u8 {
    let mut words = std::env::args().skip(1);
    match words.next().as_deref() {
        Some(oversee::OVERSEE) => oversee::oversee(words),
        _ => serve(),
    }
}

/// Serves one order.
fn serve() -> u8 {
    // What the program could read here or take from here would let it forge our words.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    match streams().and_then(|(mut orders, mut out)| work(&mut orders, &mut out)) {
        Some(()) => 0,
        None => 1,
    }
}

/// Our own standard streams, closed to everyone we start.
fn streams() -> Option<(Orders, Out)> {
    let orders = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let out = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    Some((Orders::new(orders), Out(out)))
}

fn work(orders: &mut Orders, out: &mut Out) -> Option<()> {
    out.tell(Kind::Awake, &[]);
    let (_, order) = orders.wait().ok()??;
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
    let ended = run_program(&order, &mut gauge, orders, out)?;
    out.tell_of(Kind::Ended, &ended);
    finish::finish(&place, orders, out).ok()
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
fn run_program(order: &Order, gauge: &mut Gauge, orders: &mut Orders, out: &mut Out) -> Option<Ended> {
    let [(their_input, input), (output, their_output), (error, their_error)] =
        match pipes::three(order.identity) {
            Ok(pipes) => pipes,
            Err(error) => {
                out.failed("make the standard streams", &error);
                return None;
            }
        };
    let is_guest = matches!(order.meter, Meter::Guest { .. });
    let start = Start {
        argv: order.argv.clone(),
        env: order.env.clone(),
        cwd: order.cwd.clone(),
        limits: order.limits.clone(),
        filter: order.filter.clone(),
        identity: order.identity,
        group: gauge.entrance(),
        // Whom a guest's kernel ends is decided outside.
        expendable: order.reach == Reach::Everybody && !is_guest,
        bounded: is_guest,
    };
    // Before there is anybody who could end.
    let ends = match Ends::new() {
        Ok(ends) => ends,
        Err(error) => {
            out.failed("prepare to hear of the program's end", &error);
            return None;
        }
    };
    let begun = Instant::now();
    let main = match starter::start(&start, [their_input, their_output, their_error]) {
        Ok(main) => main,
        Err(error) => {
            let errno = error.raw_os_error().unwrap_or(match error.kind() {
                io::ErrorKind::NotFound => rustix::io::Errno::NOENT.raw_os_error(),
                io::ErrorKind::InvalidInput => rustix::io::Errno::INVAL.raw_os_error(),
                _ => rustix::io::Errno::IO.raw_os_error(),
            });
            out.tell_of(Kind::NotStarted, &errno);
            return None;
        }
    };
    out.tell(Kind::Started, &[]);
    // While the program starts.
    gauge.open();
    let program = Program { main, ends, begun, input, outputs: [output, error] };
    let ended = attend::attend(program, order, gauge, orders, out);
    ended.map_err(|error| out.failed("stay with the program", &error)).ok()
}
