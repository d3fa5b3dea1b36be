//! The work of a run, from the order to the last file.

use super::attend::{self, Started};
use super::finish;
use super::meter::Gauge;
use super::orders::Orders;
use super::pipes;
use super::starter::{self, Start};
use crate::files::{Beside, Work};
use crate::stream::Outgoing;
use crate::sys::Ends;
use formicary_guest::message::run::{Ended, Failed, Kind, Meter, Order, Reach};
use rustix::fs::Mode;
use std::io;
use std::time::Instant;

/// Serves one order.
pub fn serve() -> u8 {
    // What the program could read here or take from here would let it forge our words.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    match streams().ok().and_then(|(mut orders, mut out)| work(&mut orders, &mut out)) {
        Some(()) => 0,
        None => 1,
    }
}

fn streams() -> io::Result<(Orders, Outgoing)> {
    Ok((Orders::standard()?, Outgoing::standard()?))
}

/// A step that failed, with the system's error number.
fn failed(out: &mut Outgoing, step: impl Into<String>, error: &io::Error) {
    let errno = error.raw_os_error().unwrap_or(rustix::io::Errno::IO.raw_os_error());
    out.send_value(Kind::Failed, &Failed { step: step.into(), errno });
}

fn work(orders: &mut Orders, out: &mut Outgoing) -> Option<()> {
    out.send(Kind::Awake, &[]);
    let (_, order) = orders.wait().ok()??;
    let order: Order = postcard::from_bytes(&order).ok()?;
    if order.reach == Reach::Descendants {
        // Its controller's death must not be the agent's: it is told by the end of its orders, and ends all below it first.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    }
    let place = match prepare(&order) {
        Ok(place) => place,
        Err((step, error)) => {
            failed(out, step, &error);
            return Some(());
        }
    };
    let mut gauge = match Gauge::new(&order) {
        Ok(gauge) => gauge,
        Err(error) => {
            failed(out, "prepare to measure", &error);
            return Some(());
        }
    };
    let ended = run_program(&order, &mut gauge, orders, out)?;
    out.send_value(Kind::Ended, &ended);
    finish::finish(&place, orders, out).ok()
}

fn prepare(order: &Order) -> Result<Work, (String, io::Error)> {
    let place = Work::open(&order.work, Beside::Nobody)
        .map_err(|error| (format!("open the working folder {}", order.work), error))?;
    for file in &order.files {
        place
            .write(&file.path, Mode::from_raw_mode(file.mode), &file.content, order.identity)
            .map_err(|error| (format!("write {:?}", file.path), error))?;
    }
    Ok(place)
}

/// Starts the program and stays with it to its end.
fn run_program(order: &Order, gauge: &mut Gauge, orders: &mut Orders, out: &mut Outgoing) -> Option<Ended> {
    let [(their_input, input), (output, their_output), (error, their_error)] =
        match pipes::three(order.identity) {
            Ok(pipes) => pipes,
            Err(error) => {
                failed(out, "make the standard streams", &error);
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
            failed(out, "prepare to hear of the program's end", &error);
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
            out.send_value(Kind::NotStarted, &errno);
            return None;
        }
    };
    out.send(Kind::Started, &[]);
    // While the program starts.
    gauge.open();
    let program = Started { main, ends, begun, input, outputs: [output, error] };
    let ended = attend::attend(program, order, gauge, orders, out);
    ended.map_err(|error| failed(out, "stay with the program", &error)).ok()
}
