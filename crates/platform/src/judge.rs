//! Judging through the façade: monitored, admitted by what this host has, counted.

use crate::audit::keeping;
use crate::elsewhere;
use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, Effect, UseCase};
use formicary_execution::Live;
use formicary_execution::judging::{
    self, Admission, Cases, Earlier, Feed, JudgeOptions, Source, Tally, Template, lines,
};
use formicary_model::{
    Caller, ExecutionRequest, Failure, FailureKind, JudgeInput, JudgeReport, JudgeResult, JudgeSummary,
};
use formicary_monitoring::audit::Ends;
use std::io::Cursor;
use std::time::Instant;

/// Judges programs that come with the request.
pub struct Judge;

impl UseCase for Judge {
    const NAME: &'static str = "judge";
    const PATH: &'static str = "/v1/judge";
    const ABOUT: &'static str = "Judge programs against test cases";
    const SCOPE: Option<Scope> = Some(Scope::Execute);
    const EFFECT: Effect = Effect::Fetches;
    type Input = JudgeInput;
    type Output = JudgeReport;

    fn run(platform: &Platform, context: &Context<'_>, input: JudgeInput) -> Result<JudgeReport, Failure> {
        let total = input.items.len();
        let packages = &input.environment.packages;
        if !packages.is_empty() && !platform.is_front() {
            // Once, where the caller hears of it; each program then finds them installed.
            platform.install(packages, input.environment.assurance, &context.live())?;
        }
        let mut text = Vec::new();
        for item in &input.items {
            serde_json::to_writer(&mut text, item)
                .map_err(|error| Failure::new(FailureKind::Internal, format!("an item: {error}")))?;
            text.push(b'\n');
        }
        let request = ExecutionRequest {
            language: input.language,
            compile_limits: input.compile_limits,
            compiler_flags: input.compiler_flags,
            ..platform.base(input.environment)
        };
        let template = Template { request, comparison: input.compare, ..Template::default() };
        let options = JudgeOptions {
            cases: if input.fail_fast { Cases::UntilFailure } else { Cases::All },
            jobs: input.jobs,
            ..JudgeOptions::default()
        };
        let wanted = JudgeRequest { options, pass_at: input.pass_at, ..JudgeRequest::default() };
        let observer = context.aside();
        let live = Live { observer: &observer, cancel: context.cancel.clone(), ..Live::default() };
        let source = lines::read(Cursor::new(text), template);
        let mut results = Vec::with_capacity(total);
        let judged = platform.judge(&context.caller, source, wanted, &live, &mut |result, _| {
            context.part("judged", result);
            results.push(result.clone());
            context.count("judged", results.len(), total);
            Ok(())
        })?;
        judged.ended?;
        Ok(JudgeReport { results, summary: judged.summary })
    }
}

/// How to judge, and what an earlier run had judged already.
#[derive(Debug, Clone, Default)]
pub struct JudgeRequest {
    /// Which cases, in which order, how many at a time.
    pub options: JudgeOptions,
    /// What is not to be judged again.
    pub earlier: Earlier,
    /// The k for which pass@k is wanted.
    pub pass_at: Vec<u64>,
}

/// How a judging ended.
#[derive(Debug)]
pub struct Judged {
    /// The figures, as far as it came.
    pub summary: JudgeSummary,
    /// Why it ended early, if it did.
    pub ended: Result<(), Failure>,
}

impl Platform {
    /// Judges everything that the source gives and that has no result yet, here or on the machines that run this one's
    /// programs. `sink` is called with each result and with what was counted so far; results that it has taken stay valid
    /// however the judging ends.
    pub fn judge(
        &self,
        caller: &Caller,
        source: Source,
        request: JudgeRequest,
        live: &Live<'_>,
        sink: &mut dyn FnMut(&JudgeResult, &Tally) -> Result<(), Failure>,
    ) -> Result<Judged, Failure> {
        let audit = self.audit_log()?;
        let writing = keeping::writing(audit.as_ref(), Ends::Gathered, &live.cancel);
        let observer = self.fanout(caller, live.observer, writing.as_ref());
        let JudgeRequest { options, earlier, pass_at } = request;
        let before = earlier.tally.clone();
        let mut tally = before.clone();
        let codes = audit.clone();
        let source = Box::new(source.filter(move |feed| {
            let (line, id) = feed.name();
            let wanted = !earlier.has(line, id);
            if let (true, Feed::Item(item)) = (wanted, feed) {
                keeping::offer(codes.as_ref(), &item.request.source);
            }
            wanted
        }));
        let started = Instant::now();
        let mut count = |result: JudgeResult| {
            keeping::settled(writing.as_ref())?;
            tally.add(&result);
            sink(&result, &tally)
        };
        let live = Live { stdin: None, observer: &observer, cancel: live.cancel.clone() };
        let ended = match self.elsewhere.get() {
            Some(far) => {
                let usual = &self.execution.default_limits;
                elsewhere::judge(far.as_ref(), caller, usual, source, options, &live, &mut count)
            }
            None => judging::judge(&self.executor, &self.admission, source, options, &live, &mut count),
        };
        let ended = keeping::objection(writing.as_ref()).map_or(ended, Err);
        Ok(Judged { summary: tally.summary(&before, started.elapsed(), &pass_at), ended })
    }
}

/// The gate of this process: as many runs as there are cores, in most of the memory that is free now.
pub(crate) fn admission_by_cores() -> Admission {
    admission(std::thread::available_parallelism().map_or(1, usize::from))
}

/// A gate for so many runs in most of the memory that is free now.
pub(crate) fn admission(slots: usize) -> Admission {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    Admission::new(slots, available_memory(&meminfo).unwrap_or(u64::MAX) / 5 * 4)
}

/// `MemAvailable` in bytes.
fn available_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::available_memory;

    #[test]
    fn memory_is_read() {
        let text = "MemTotal:       16 kB\nMemFree: 1 kB\nMemAvailable:    2048 kB\n";
        assert_eq!(available_memory(text), Some(2048 * 1024));
        assert_eq!(available_memory("MemTotal: 16 kB\n"), None);
    }
}
