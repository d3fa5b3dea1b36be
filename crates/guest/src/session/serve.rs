//! The loop of a session: orders from outside, output and answers from the interpreter.

use super::files::Files;
use super::interpreter::{Interpreter, is_among_its_own, kill_all_others};
use crate::stream::{Incoming, Outgoing};
use crate::sys::Ends;
use formicary_guest::message::session::{LARGEST, Order, OrdersOn, Report};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;

/// Serves until nobody orders any more.
pub fn serve() -> u8 {
    // The code beside us has our user: it must not look into our memory or take our descriptors.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    match session() {
        Ok(()) => 0,
        Err(_) => 1,
    }
}

fn session() -> io::Result<()> {
    let mut out = Outgoing::standard()?;
    if !is_among_its_own() {
        out.report(&Report::NotStarted("a session needs a sandbox with processes of its own".into()));
        return Err(io::Error::other("no sandbox"));
    }
    leave_no_trace();
    let (orders, files, ends) = (Incoming::standard(LARGEST)?, Files::here()?, Ends::new()?);
    Session { orders, out, files, ends, interpreter: None }.serve()
}

/// The working directory is the user's: the program that was put there to be started is not.
#[expect(
    clippy::disallowed_methods,
    reason = "a program inside a sandbox, which was started in that directory"
)]
fn leave_no_trace() {
    let Some(program) = std::env::args_os().next().map(PathBuf::from) else { return };
    let _ = std::fs::remove_file(&program);
    let work = std::env::current_dir().ok();
    if let Some(directory) = program.parent().filter(|directory| work.as_deref() != Some(*directory)) {
        let _ = std::fs::remove_dir(directory);
    }
}

struct Session {
    orders: Incoming,
    out: Outgoing,
    files: Files,
    /// That a child has ended. The interpreter is the only one: whom it leaves behind falls to the sandbox's first process.
    ends: Ends,
    interpreter: Option<Interpreter>,
}

/// What is ready to be looked at.
#[derive(Default)]
struct Ready {
    orders: bool,
    output: bool,
    reply: bool,
    room: bool,
    ended: bool,
}

impl Session {
    fn serve(&mut self) -> io::Result<()> {
        loop {
            let ready = self.wait()?;
            if ready.ended {
                // Before one looks: who ends afterwards tells again.
                self.ends.hear();
            }
            let out = &mut self.out;
            let mut report = |what: &Report| out.report(what);
            let mut has_ended = false;
            if let Some(interpreter) = &mut self.interpreter {
                has_ended = ready.ended && interpreter.has_ended();
                if ready.output {
                    interpreter.report_output(&mut report);
                }
                if ready.room {
                    interpreter.feed();
                }
                if (ready.reply || has_ended) && interpreter.report_replies(&mut report).is_err() {
                    kill_all_others();
                }
            }
            if has_ended && let Some(mut interpreter) = self.interpreter.take() {
                interpreter.report_output(&mut report);
                report(&interpreter.end());
            }
            if ready.orders {
                if !self.orders.receive()? {
                    return Ok(());
                }
                while let Some(order) = self.orders.frames.message()? {
                    self.follow(order);
                }
            }
        }
    }

    fn wait(&self) -> io::Result<Ready> {
        let [orders, ends] = [self.orders.stream(), self.ends.stream()];
        let mut watched =
            [orders, ends].map(|stream| PollFd::from_borrowed_fd(stream, PollFlags::IN)).to_vec();
        if let Some(interpreter) = &self.interpreter {
            let room = if interpreter.is_hungry() { PollFlags::OUT } else { PollFlags::empty() };
            watched.push(PollFd::new(&interpreter.reply, PollFlags::IN));
            watched.push(PollFd::new(&interpreter.output, PollFlags::IN));
            watched.push(PollFd::new(&interpreter.error, PollFlags::IN));
            watched.push(PollFd::from_borrowed_fd(interpreter.input.as_fd(), room));
        }
        match poll(&mut watched, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(Ready::default()),
            Err(error) => return Err(error.into()),
        }
        let readable = PollFlags::IN;
        let is = |index: usize, flags: PollFlags| {
            watched.get(index).is_some_and(|fd| fd.revents().intersects(flags))
        };
        let ready = Ready {
            orders: is(0, readable | PollFlags::HUP | PollFlags::ERR),
            ended: is(1, readable | PollFlags::HUP),
            reply: is(2, readable),
            output: is(3, readable) || is(4, readable),
            // Without anything to give, a closed end is no news.
            room: self.interpreter.as_ref().is_some_and(Interpreter::is_hungry)
                && is(5, PollFlags::OUT | PollFlags::ERR),
        };
        // A pipe whose other end is closed is always ready with nothing in it: looking again at once would only burn
        // the session's processor time.
        if !(ready.orders || ready.ended || ready.reply || ready.output || ready.room) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        Ok(ready)
    }

    fn follow(&mut self, order: Order) {
        match order {
            Order::Start { command, orders, number } => self.start(&command, orders, number),
            Order::Give(bytes) => {
                if let Some(interpreter) = &mut self.interpreter {
                    interpreter.give(&bytes);
                }
            }
            Order::Interrupt => {
                if let Some(interpreter) = &self.interpreter {
                    interpreter.interrupt();
                }
            }
            Order::Kill => kill_all_others(),
            Order::Put { path, executable, content } => {
                self.out.report(&self.files.put(&path, executable, &content));
            }
            Order::Get { path, most } => self.out.report(&self.files.get(&path, most)),
            Order::Remove { path } => self.out.report(&self.files.remove(&path)),
            Order::List { most } => self.out.report(&self.files.list(most)),
        }
    }

    fn start(&mut self, command: &[String], orders: OrdersOn, number: u64) {
        kill_all_others();
        if let Some(old) = self.interpreter.take() {
            // Its end was ordered: nobody waits to hear of it.
            let _ = old.end();
        }
        match Interpreter::start(command, orders, number) {
            Ok(interpreter) => self.interpreter = Some(interpreter),
            Err(error) => {
                let program = command.first().map_or("", String::as_str);
                self.out.report(&Report::NotStarted(format!("{program}: {error}")));
            }
        }
    }
}
