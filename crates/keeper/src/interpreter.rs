//! The interpreter: its pipes, its start and its end.

use crate::files::work;
use formicary_keeper::frame::{Garbled, Unframe};
use formicary_keeper::message::{ORDERS_VARIABLE, OrdersOn, REPLY_VARIABLE, Report};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open, waitid,
};
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};

#[expect(clippy::disallowed_types, reason = "this runs inside the sandbox: what it starts is confined")]
use std::process::{Child, Command, Stdio};

/// What is taken from one pipe before an answer is told: more than a pipe holds, unless its owner made it larger.
const DRAINED: usize = 1024 * 1024;

/// A running interpreter.
pub struct Interpreter {
    number: u64,
    child: Child,
    group: Option<Pid>,
    /// Readable once the interpreter has ended.
    pub ended: OwnedFd,
    /// Where its driver takes orders.
    pub input: std::fs::File,
    waiting: Vec<u8>,
    /// Its standard output.
    pub output: std::fs::File,
    /// Its standard error.
    pub error: std::fs::File,
    /// Where its driver answers.
    pub reply: std::fs::File,
    replies: Unframe,
}

impl Interpreter {
    /// Starts it in a process group of its own: an interrupt reaches it and what it waits for.
    #[expect(clippy::disallowed_types, reason = "this runs inside the sandbox: what it starts is confined")]
    pub fn start(command: &[String], orders: OrdersOn, number: u64) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or_else(|| io::Error::other("no program"))?;
        let (their_input, input) = pipe_with(PipeFlags::CLOEXEC)?;
        let (output, their_output) = pipe_with(PipeFlags::CLOEXEC)?;
        let (error, their_error) = pipe_with(PipeFlags::CLOEXEC)?;
        let (reply, their_reply) = pipe_with(PipeFlags::CLOEXEC)?;
        for ours in [&input, &output, &error, &reply] {
            fcntl_setfl(ours, fcntl_getfl(ours)? | OFlags::NONBLOCK)?;
        }
        // Besides the standard ones, the interpreter inherits the answers' descriptor and, where it asks, the orders'.
        let inherited = rustix::io::dup(&their_reply)?;
        let mut starting = Command::new(program);
        starting.args(arguments).current_dir(work()).env(REPLY_VARIABLE, inherited.as_raw_fd().to_string());
        let _inherited_orders = match orders {
            OrdersOn::StandardInput => {
                starting.stdin(Stdio::from(their_input));
                None
            }
            OrdersOn::Descriptor => {
                let inherited = rustix::io::dup(&their_input)?;
                starting.stdin(Stdio::null()).env(ORDERS_VARIABLE, inherited.as_raw_fd().to_string());
                Some(inherited)
            }
        };
        let child = starting
            .stdout(Stdio::from(their_output))
            .stderr(Stdio::from(their_error))
            .process_group(0)
            .spawn()?;
        let group = Pid::from_raw(child.id() as i32);
        let ended = end_of(group.ok_or_else(|| io::Error::other("no process"))?)?;
        Ok(Self {
            number,
            child,
            group,
            ended,
            input: input.into(),
            waiting: Vec::new(),
            output: output.into(),
            error: error.into(),
            reply: reply.into(),
            replies: Unframe::default(),
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
        if let Some(group) = self.group {
            // It may have ended meanwhile; then there is nothing to interrupt.
            let _ = kill_process_group(group, Signal::INT);
        }
    }

    /// Tells what it wrote.
    pub fn tell_output(&mut self, tell: &mut dyn FnMut(&Report)) {
        drain(&mut self.output, &mut |bytes| tell(&Report::Output(bytes)));
        drain(&mut self.error, &mut |bytes| tell(&Report::Error(bytes)));
    }

    /// Tells what its driver answered, after all that was written before the answer.
    pub fn tell_replies(&mut self, tell: &mut dyn FnMut(&Report)) -> Result<(), Garbled> {
        let replies = &mut self.replies;
        drain(&mut self.reply, &mut |bytes| replies.push(&bytes));
        while let Some(reply) = self.replies.next_raw()? {
            let reply = Report::Reply { number: self.number, bytes: reply.to_vec() };
            self.tell_output(tell);
            tell(&reply);
        }
        Ok(())
    }

    /// How it ended; it has.
    pub fn end(mut self) -> Report {
        match self.child.wait() {
            Ok(status) => Report::Ended { number: self.number, code: status.code(), signal: status.signal() },
            Err(_) => Report::Ended { number: self.number, code: None, signal: None },
        }
    }
}

/// What is readable, or hung up, once the process has ended. A kernel of its own may have no descriptors of processes: there
/// a thread waits for the end and lets go of a pipe.
fn end_of(process: Pid) -> io::Result<OwnedFd> {
    match pidfd_open(process, PidfdFlags::empty()) {
        Err(rustix::io::Errno::NOSYS) => {}
        opened => return Ok(opened?),
    }
    let (ended, held) = pipe_with(PipeFlags::CLOEXEC)?;
    std::thread::Builder::new().spawn(move || {
        // Left as it is, for whoever asks how it ended.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(process), options) {}
        drop(held);
    })?;
    Ok(ended)
}

fn drain(pipe: &mut std::fs::File, take: &mut dyn FnMut(Vec<u8>)) {
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
