//! The keeper's loop: orders from outside, output and answers from the interpreter.

use crate::files;
use crate::interpreter::{Interpreter, is_among_its_own, kill_all_others};
use formicary_keeper::frame::{Unframe, frame};
use formicary_keeper::message::{Order, OrdersOn, Report};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Serves until nobody orders any more.
pub fn run() -> ExitCode {
    // The code beside us has our user: it must not look into our memory or take our descriptors.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    if !is_among_its_own() {
        tell(&Report::NotStarted("a session needs a sandbox with processes of its own".into()));
        return ExitCode::FAILURE;
    }
    leave_no_trace();
    let mut keeper = Keeper { orders: Unframe::default(), interpreter: None };
    match keeper.serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The working folder is the user's: the program that was put there to be started is not.
fn leave_no_trace() {
    let Some(program) = std::env::args_os().next().map(PathBuf::from) else { return };
    let _ = std::fs::remove_file(&program);
    if let Some(folder) = program.parent().filter(|folder| *folder != files::work()) {
        let _ = std::fs::remove_dir(folder);
    }
}

struct Keeper {
    orders: Unframe,
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

impl Keeper {
    fn serve(&mut self) -> io::Result<()> {
        let mut buffer = vec![0; 256 * 1024];
        loop {
            let ready = self.wait()?;
            if let Some(interpreter) = &mut self.interpreter {
                if ready.output {
                    interpreter.tell_output(&mut tell);
                }
                if ready.room {
                    interpreter.feed();
                }
                if (ready.reply || ready.ended) && interpreter.tell_replies(&mut tell).is_err() {
                    kill_all_others();
                }
            }
            if ready.ended
                && let Some(mut interpreter) = self.interpreter.take()
            {
                interpreter.tell_output(&mut tell);
                tell(&interpreter.end());
            }
            if ready.orders {
                let got = io::stdin().lock().read(&mut buffer)?;
                if got == 0 {
                    return Ok(());
                }
                self.orders.push(&buffer[..got]);
                while let Some(order) =
                    self.orders.next_message().map_err(|_| io::Error::other("an order is garbled"))?
                {
                    self.follow(order);
                }
            }
        }
    }

    fn wait(&self) -> io::Result<Ready> {
        let stdin = io::stdin();
        let mut watched = vec![PollFd::new(&stdin, PollFlags::IN)];
        if let Some(interpreter) = &self.interpreter {
            let room = if interpreter.is_hungry() { PollFlags::OUT } else { PollFlags::empty() };
            watched.push(PollFd::new(&interpreter.ended, PollFlags::IN));
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
            Order::Put { path, executable, content } => tell(&files::put(&path, executable, &content)),
            Order::Get { path, most } => tell(&files::get(&path, most)),
            Order::Remove { path } => tell(&files::remove(&path)),
            Order::List { most } => tell(&files::list(most)),
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
                tell(&Report::NotStarted(format!("{}: {error}", command.first().map_or("", String::as_str))))
            }
        }
    }
}

/// Tells the engine. Without anybody to hear, there is nothing left to do here.
fn tell(report: &Report) {
    let mut out = io::stdout().lock();
    if out.write_all(&frame(report)).and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}
