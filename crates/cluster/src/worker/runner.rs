//! What runs a job on a worker: the platform, or in tests something quicker.

use crate::class::Offer;
use crate::sessions::{SessionAnswer, SessionCall};
use formicary_model::{ExecutionRequest, ExecutionResult, Failure};
use formicary_platform::{Availability, Cancel, Live, Platform};

/// Runs jobs. Called from threads that may block.
pub trait Runner: Send + Sync + 'static {
    /// Runs one request to its end.
    fn execute(&self, request: ExecutionRequest, cancel: Cancel) -> Result<ExecutionResult, Failure>;

    /// Answers for a session.
    fn session(&self, call: SessionCall) -> Result<SessionAnswer, Failure>;

    /// How many sessions it holds.
    fn sessions(&self) -> u64;
}

impl Runner for Platform {
    fn execute(&self, request: ExecutionRequest, cancel: Cancel) -> Result<ExecutionResult, Failure> {
        Self::execute(self, request, Live { stdin: None, observer: &(), cancel })
    }

    fn session(&self, call: SessionCall) -> Result<SessionAnswer, Failure> {
        let all = Self::sessions(self)?;
        Ok(match call {
            SessionCall::Create(request) => SessionAnswer::Info(all.create(*request)?),
            SessionCall::Run(id, cell) => {
                SessionAnswer::Cell(Box::new(self.run_cell(&id, &cell, &mut |_, _| {})?))
            }
            SessionCall::Interrupt(id) => SessionAnswer::Interrupted(all.find(&id)?.interrupt()),
            SessionCall::Reset(id) => {
                all.find(&id)?.reset()?;
                SessionAnswer::Done
            }
            SessionCall::Files(id) => SessionAnswer::Files(all.find(&id)?.files()?),
            SessionCall::Put(id, files) => {
                all.find(&id)?.put(&files)?;
                SessionAnswer::Done
            }
            SessionCall::Get(id, path) => SessionAnswer::File(all.find(&id)?.get(&path)?),
            SessionCall::Info(id) => SessionAnswer::Info(all.find(&id)?.info()),
            SessionCall::Close(id) => {
                all.close(&id)?;
                SessionAnswer::Done
            }
        })
    }

    fn sessions(&self) -> u64 {
        Self::sessions(self).map_or(0, |all| all.list().len() as u64)
    }
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
