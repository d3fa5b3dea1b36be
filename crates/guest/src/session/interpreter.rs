//! The interpreter: its pipes, its start and its end.

use crate::program::{Program, own_environment};
use crate::sys;
use formicary_guest::frame::{Assembler, Malformed};
use formicary_guest::message::session::{LARGEST, ORDERS_VARIABLE, OrdersOn, REPLY_VARIABLE, Report};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process_group, waitpid};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};

/// What is taken from one pipe before an answer is reported: more than a pipe holds, unless its owner made it larger.
const DRAINED: usize = 1024 * 1024;

/// A running interpreter.
pub struct Interpreter {
    number: u64,
    /// Its process number, which is that of its process group, too.
    process: Pid,
    /// How it ended, once that was seen.
    ended: Option<WaitStatus>,
    /// Where its driver takes orders.
    pub input: File,
    waiting: Vec<u8>,
    /// Its standard output.
    pub output: File,
    /// Its standard error.
    pub error: File,
    /// Where its driver answers.
    pub reply: File,
    replies: Assembler,
}

impl Interpreter {
    /// Starts it in a process group of its own: an interrupt reaches it and what it waits for.
    pub fn start(command: &[String], orders: OrdersOn, number: u64) -> io::Result<Self> {
        let (their_input, input) = pipe_with(PipeFlags::CLOEXEC)?;
        let (output, their_output) = pipe_with(PipeFlags::CLOEXEC)?;
        let (error, their_error) = pipe_with(PipeFlags::CLOEXEC)?;
        let (reply, their_reply) = pipe_with(PipeFlags::CLOEXEC)?;
        for ours in [&input, &output, &error, &reply] {
            fcntl_setfl(ours, fcntl_getfl(ours)? | OFlags::NONBLOCK)?;
        }
        let mut environment = own_environment();
        let mut name = |variable: &str, descriptor: &OwnedFd| {
            environment.push((variable.into(), descriptor.as_raw_fd().to_string().into()));
        };
        // Besides the standard ones, the interpreter inherits the answers' descriptor and, where it asks, the orders'.
        name(REPLY_VARIABLE, &their_reply);
        let (their_stdin, their_orders) = match orders {
            OrdersOn::StandardInput => (their_input, None),
            OrdersOn::Descriptor => {
                name(ORDERS_VARIABLE, &their_input);
                (File::open("/dev/null")?.into(), Some(their_input))
            }
        };
        let pairs = environment.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()));
        let program = Program::new(command, pairs)?;
        let inherit = || {
            rustix::stdio::dup2_stdin(&their_stdin)?;
            rustix::stdio::dup2_stdout(&their_output)?;
            rustix::stdio::dup2_stderr(&their_error)?;
            // The table of descriptors is the child's own.
            for inherited in [Some(&their_reply), their_orders.as_ref()].into_iter().flatten() {
                fcntl_setfd(inherited, FdFlags::empty())?;
            }
            rustix::process::setpgid(None, None)
        };
        let process = sys::start(&mut || match inherit() {
            Ok(()) => program.become_it(),
            Err(error) => error.into(),
        })?;
        Ok(Self {
            number,
            process: Pid::from_raw(process as i32).ok_or_else(|| io::Error::other("no process"))?,
            ended: None,
            input: input.into(),
            waiting: Vec::new(),
            output: output.into(),
            error: error.into(),
            reply: reply.into(),
            replies: Assembler::new(LARGEST),
        })
    }

    /// Bytes for its driver, as it takes them.
    pub fn give(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        self.feed();
    }

    /// Whether it has yet to take something.
    pub fn is_hungry(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Gives it what it has room for.
    pub fn feed(&mut self) {
        while !self.waiting.is_empty() {
            match self.input.write(&self.waiting) {
                Ok(count) => drop(self.waiting.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // It closed its end: its own end, or an answer that never comes, will tell.
                Err(_) => self.waiting.clear(),
            }
        }
    }

    /// Interrupts it and what it runs in the foreground.
    pub fn interrupt(&self) {
        // It may have ended meanwhile; then there is nothing to interrupt.
        let _ = kill_process_group(self.process, Signal::INT);
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.look(WaitOptions::NOHANG);
        self.ended.is_some()
    }

    fn look(&mut self, options: WaitOptions) {
        while self.ended.is_none() {
            match waitpid(Some(self.process), options) {
                Ok(seen) => return self.ended = seen.map(|(_, status)| status),
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
            }
        }
    }

    /// Reports what it wrote.
    pub fn report_output(&mut self, report: &mut dyn FnMut(&Report)) {
        drain(&mut self.output, &mut |bytes| report(&Report::Output(bytes)));
        drain(&mut self.error, &mut |bytes| report(&Report::Error(bytes)));
    }

    /// Reports what its driver answered, after all that was written before the answer.
    pub fn report_replies(&mut self, report: &mut dyn FnMut(&Report)) -> Result<(), Malformed> {
        let replies = &mut self.replies;
        drain(&mut self.reply, &mut |bytes| replies.push(&bytes));
        while let Some(reply) = self.replies.content()? {
            let reply = Report::Reply { number: self.number, bytes: reply.to_vec() };
            self.report_output(report);
            report(&reply);
        }
        Ok(())
    }

    /// How it ended, waiting for it.
    pub fn end(mut self) -> Report {
        self.look(WaitOptions::empty());
        let (code, signal) = (
            self.ended.and_then(WaitStatus::exit_status),
            self.ended.and_then(WaitStatus::terminating_signal),
        );
        Report::Ended { number: self.number, code, signal }
    }
}

fn drain(pipe: &mut File, take: &mut dyn FnMut(Vec<u8>)) {
    let mut buffer = vec![0; 64 * 1024];
    let mut taken = 0;
    while taken < DRAINED {
        match pipe.read(&mut buffer) {
            Ok(got @ 1..) => {
                taken += got;
                take(buffer[..got].to_vec());
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => return,
        }
    }
}

/// Whether this process stands in a sandbox's own process table, right below its first process. To be asked at the start:
/// whose parent dies is the first process's child anywhere.
pub fn is_among_its_own() -> bool {
    /// The number by which every kernel knows the host's own process table.
    const HOST: &str = "[4026531836]";
    let host =
        std::fs::read_link("/proc/self/ns/pid").is_ok_and(|name| name.to_string_lossy().contains(HOST));
    !host && rustix::process::getppid() == Some(Pid::INIT)
}

/// Ends every process of the sandbox but this one and the first. On a host it would end the host: see [`is_among_its_own`].
pub fn kill_all_others() {
    // The group of the number 1 is the kernel's word for everybody.
    let _ = kill_process_group(Pid::INIT, Signal::KILL);
}
