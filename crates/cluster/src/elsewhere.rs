//! The cluster as what runs a platform's programs: `serve --cluster` and `judge --cluster` change nothing but this.

use crate::blocking::Cluster;
use crate::job::Job;
use crate::judging::Judging;
use formicary_model::{Caller, ExecutionRequest, ExecutionResult, Failure, JudgeResult, SessionInfo};
use formicary_platform::judging::{Cases, Item};
use formicary_platform::sessions::{SessionAnswer, SessionCall};
use formicary_platform::{Cancel, Elsewhere};

/// Programs under way for each that can run: while one result travels, the next program is there already.
const FOR_EACH: usize = 2;

impl Elsewhere for Cluster {
    fn execute(
        &self,
        name: &str,
        caller: &Caller,
        request: ExecutionRequest,
        cancel: &Cancel,
    ) -> Result<ExecutionResult, Failure> {
        let job = Job { caller: Some(caller.clone()), ..Job::named(name, request) };
        self.run_job(&job, cancel)?.into_result()
    }

    fn judge(
        &self,
        caller: &Caller,
        item: &Item,
        cases: Cases,
        cancel: &Cancel,
    ) -> Result<JudgeResult, Failure> {
        let judging = Some(Box::new(Judging::of(item, cases)?));
        let job = Job { judging, caller: Some(caller.clone()), ..Job::new(item.request.clone())? };
        self.run_job(&job, cancel)?.into_judged()
    }

    fn session(&self, call: SessionCall) -> Result<SessionAnswer, Failure> {
        Ok(match call {
            SessionCall::Create(request) => SessionAnswer::Info(self.create_session(*request)?),
            call => Self::session(self, &call)?,
        })
    }

    fn sessions(&self, prefix: &str) -> Result<Vec<SessionInfo>, Failure> {
        Ok(self.wait_for(self.client().sessions(prefix))?)
    }

    fn at_once(&self) -> usize {
        let workers = self.wait_for(self.client().workers()).unwrap_or_default();
        let places: u64 =
            workers.iter().filter(|worker| !worker.draining).map(|worker| worker.capacity).sum();
        // More may come while it goes on.
        usize::try_from(places).unwrap_or(usize::MAX).saturating_mul(FOR_EACH).max(8)
    }
}
