//! What runs a job on a worker: the platform, or in tests something quicker.

use crate::class::Offer;
use crate::job::{Ended, Job};
use crate::sessions::{SessionAnswer, SessionCall};
use formicary_model::{Caller, Failure, FailureKind, JudgeResult};
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{Cases, Feed, Item, JudgeOptions};
use formicary_platform::{Availability, Cancel, Live, Platform, local_caller};

/// Runs jobs. Called from threads that may block.
pub trait Runner: Send + Sync + 'static {
    /// Runs one job to its end.
    fn run(&self, job: Job, cancel: Cancel) -> Result<Ended, Failure>;

    /// Answers for a session.
    fn session(&self, call: SessionCall) -> Result<SessionAnswer, Failure>;

    /// How many sessions it holds.
    fn sessions(&self) -> u64;
}

impl Runner for Platform {
    fn run(&self, job: Job, cancel: Cancel) -> Result<Ended, Failure> {
        let caller = job.caller.unwrap_or_else(local_caller);
        let live = Live { stdin: None, observer: &(), cancel };
        match job.judging {
            None => Ok(Ended::Result(Box::new(self.execute_as(&caller, job.request, live)?))),
            Some(judging) => {
                let (item, cases) = judging.into_item(job.request);
                Ok(Ended::Judged(Box::new(judge(self, &caller, item, cases, &live)?)))
            }
        }
    }

    fn session(&self, call: SessionCall) -> Result<SessionAnswer, Failure> {
        self.session_here(call)
    }

    fn sessions(&self) -> u64 {
        Self::sessions(self).map_or(0, |all| all.list().len() as u64)
    }
}

/// Judges one program. It has one of the worker's places, so its cases run one after the other.
fn judge(
    platform: &Platform,
    caller: &Caller,
    item: Item,
    cases: Cases,
    live: &Live<'_>,
) -> Result<JudgeResult, Failure> {
    let options = JudgeOptions { cases, jobs: Some(1), ..JudgeOptions::default() };
    let request = JudgeRequest { options, ..JudgeRequest::default() };
    let source = Box::new(std::iter::once(Feed::Item(Box::new(item))));
    let mut found = None;
    let judged = platform.judge(caller, source, request, live, &mut |result, _| {
        found = Some(result.clone());
        Ok(())
    })?;
    judged.ended?;
    found.ok_or_else(|| Failure::new(FailureKind::Internal, "a judging ended without a result"))
}

/// What this host can offer: languages whose tools are there, providers that work, all of its memory.
pub fn offer_of(platform: &Platform) -> Offer {
    let report = platform.doctor();
    let available = |availability: &Availability| matches!(availability, Availability::Available { .. });
    let languages = report.languages.iter().filter(|language| available(&language.availability));
    let providers = report.providers.iter().filter(|provider| provider.unavailable.is_none());
    Offer {
        languages: languages.map(|language| language.id.clone()).collect(),
        providers: providers.map(|provider| provider.name.clone()).collect(),
        memory: total_memory(&std::fs::read_to_string("/proc/meminfo").unwrap_or_default())
            .unwrap_or(1 << 30),
        detects: true,
    }
}

/// `MemTotal` in bytes.
fn total_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn memory_is_read() {
        assert_eq!(super::total_memory("MemTotal:  2048 kB\nMemFree: 1 kB\n"), Some(2048 * 1024));
        assert_eq!(super::total_memory(""), None);
    }
}
