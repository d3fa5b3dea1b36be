//! Taking sandboxes apart while their callers already have what they wanted.
//!
//! When a sandbox has given its account, nothing of the program's is left that could run. What is left is the kernel's
//! own: namespaces, mounts, a cgroup. Nobody need wait for those.

use crate::cgroups::Group;
use crate::sys::process;
use std::os::fd::OwnedFd;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

/// How much may wait. Beyond, callers wait themselves: what is made must not outrun what is taken apart.
const BACKLOG: usize = 64;

/// Drops what it is given, on a thread of its own; when it is dropped itself, everything is gone.
#[derive(Debug)]
pub struct Janitor {
    sender: Option<SyncSender<Box<dyn Send>>>,
    thread: Option<JoinHandle<()>>,
}

impl Janitor {
    /// A janitor with nothing to do.
    pub fn new() -> Self {
        let (sender, receiver) = sync_channel::<Box<dyn Send>>(BACKLOG);
        let sweep = move || receiver.iter().for_each(drop);
        let thread = std::thread::Builder::new().name("formicary-janitor".into()).spawn(sweep).ok();
        Self { sender: thread.is_some().then_some(sender), thread }
    }

    /// Drops this soon.
    pub fn take(&self, waste: impl Send + 'static) {
        let Some(sender) = &self.sender else { return };
        if let Err(TrySendError::Full(waste) | TrySendError::Disconnected(waste)) =
            sender.try_send(Box::new(waste))
        {
            drop(waste);
        }
    }
}

impl Drop for Janitor {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A jail that has given its account, and is about to end; its cgroup goes after it.
#[derive(Debug)]
pub struct Finished {
    /// The supervisor, which ends by itself, or the first process, which waits for its end.
    pub child: process::Child,
    /// The cgroup.
    pub _group: Option<Group>,
    /// The control socket: as long as it is open, the supervisor knows that somebody else removes the cgroup.
    pub _control: Option<OwnedFd>,
}

impl Drop for Finished {
    fn drop(&mut self) {
        if self.child.began_beside() {
            self.child.kill();
        }
        self.child.wait();
    }
}
