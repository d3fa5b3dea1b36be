//! The trait that every isolation provider implements.

use crate::{Job, Outcome, SandboxError};
use formicary_model::{Enforcement, Stream, Usage};
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A way to confine a process.
pub trait Provider: Send + Sync {
    /// The word by which callers choose it.
    fn name(&self) -> &'static str;

    /// What it can enforce on this host, at best, for this network policy. Probes; never starts a program of the user's.
    fn capabilities(&self) -> Enforcement;

    /// Lets whatever can stand ready for jobs like this one stand ready, and waits for it. Does nothing where nothing
    /// can.
    fn warm_up(&self, _job: &Job) -> Result<(), SandboxError> {
        Ok(())
    }

    /// Runs one job to its end. `Err` means that the sandbox failed, never that the program did.
    fn run(&self, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError>;
}

/// The caller's side of a running job.
pub struct RunIo<'a> {
    /// Standard input, read as the program takes it. Runs on a thread of its own when it may block.
    pub stdin: Stdin,
    /// Called with output as it comes, and with samples of what the program uses.
    pub watch: &'a mut dyn FnMut(Progress<'_>),
    /// Ends the run when set.
    pub cancel: Cancel,
}

/// Standard input of a job.
pub enum Stdin {
    /// These bytes, then end of file.
    Bytes(Vec<u8>),
    /// Whatever this reader gives until it ends; it may block.
    Reader(Box<dyn Read + Send>),
}

/// What a running job tells its caller.
#[derive(Debug)]
pub enum Progress<'a> {
    /// The program's process has started.
    Started,
    /// It wrote something (what exceeds the cap is still shown here).
    Output(Stream, &'a [u8]),
    /// What it uses so far.
    Sample(Duration, &'a Usage),
    /// The kernel has ended this many of its processes for memory so far.
    MemoryKills(u64),
}

/// A switch that ends a run from another thread or a signal handler, or asks its program to end.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Switches>);

#[derive(Debug, Default)]
struct Switches {
    cancelled: AtomicBool,
    interrupted: AtomicBool,
}

impl Cancel {
    /// Asks the run to end. It takes effect within a few hundredths of a second.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Release);
    }

    /// Asks the program itself to end, as Ctrl-C does. What it makes of that is its own affair: it may tidy up, or go on.
    pub fn interrupt(&self) {
        self.0.interrupted.store(true, Ordering::Release);
    }

    /// Whether someone asked the program to end since the last look.
    pub fn take_interrupt(&self) -> bool {
        self.0.interrupted.swap(false, Ordering::AcqRel)
    }

    /// Whether someone asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }
}
