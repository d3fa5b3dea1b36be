//! Formicary as a program links it: one call, timed in this very process.

use super::{Options, Peer, Workload};
use formicary_model::Status;
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::registry::{self, SandboxSettings};
use formicary_sandbox::{Cancel, Job, Provider, RunIo};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Its name in the table.
pub const NAME: &str = "formicary library, cold";

/// Takes part where the native sandbox works.
pub fn make(_: &Options) -> Result<Box<dyn Peer>, String> {
    let provider = registry::all(&SandboxSettings::default()).into_iter().next().ok_or("no provider")?;
    let mut peer = Library { provider };
    peer.run(&super::WORKLOADS[0])?;
    Ok(Box::new(peer))
}

struct Library {
    provider: Arc<dyn Provider>,
}

impl Peer for Library {
    fn name(&self) -> &'static str {
        NAME
    }

    fn note(&self) -> &'static str {
        "one sandbox per run, made for it: namespaces, mounts, cgroup, landlock, seccomp; removed after the answer"
    }

    fn run(&mut self, workload: &Workload) -> Result<Duration, String> {
        let job = Job::new(workload.command.iter().copied());
        let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel: Cancel::default() };
        let start = Instant::now();
        let outcome = self.provider.run(&job, io).map_err(|error| error.to_string())?;
        let time = start.elapsed();
        if outcome.status == Status::Success {
            Ok(time)
        } else {
            Err(format!("it ended as {}", outcome.status))
        }
    }
}
