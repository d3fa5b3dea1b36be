//! Other machines that run what this one is asked for. The platform hands programs over and stays the place where they are
//! monitored and logged: for a door nothing changes but where a program runs.

use crate::audit::keeping;
use crate::facade::Platform;
use crate::sessions::{SessionAnswer, SessionCall};
use formicary_execution::judging::{Cases, Feed, Item, JudgeOptions, Order, Source as Items};
use formicary_execution::{Live, code_bytes, code_hash, new_run_id, now_ms};
use formicary_model::{
    Assurance, Caller, Enforcement, Event, EventKind, ExecutionRequest, ExecutionResult, Failure,
    FailureKind, JudgeResult, Level, Limits, Observer, Phase, SessionInfo, Source, Status, Stream, Terms,
    Usage, Verdict,
};
use formicary_monitoring::audit::Ends;
use formicary_sandbox::Cancel;
use formicary_sandbox::provider::Stdin;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Instant;

/// The provider that monitors and the audit log name for a run on another machine; the result says which one it had.
const PROVIDER: &str = "cluster";

/// Machines that run programs for this one.
pub trait Elsewhere: Send + Sync {
    /// Runs one request to its end. The name is one that nobody else uses.
    fn execute(
        &self,
        name: &str,
        caller: &Caller,
        request: ExecutionRequest,
        cancel: &Cancel,
    ) -> Result<ExecutionResult, Failure>;

    /// Judges one program on all its cases.
    fn judge(
        &self,
        caller: &Caller,
        item: &Item,
        cases: Cases,
        cancel: &Cancel,
    ) -> Result<JudgeResult, Failure>;

    /// Asks a session there.
    fn session(&self, call: SessionCall) -> Result<SessionAnswer, Failure>;

    /// The sessions there whose names begin so.
    fn sessions(&self, prefix: &str) -> Result<Vec<SessionInfo>, Failure>;

    /// Programs that are worth having under way at one time.
    fn at_once(&self) -> usize;
}

impl Platform {
    /// From now on programs and judgings are run there, and sessions are there. Everything else stays on this machine.
    pub fn send_to(&self, elsewhere: Arc<dyn Elsewhere>) {
        // The first holds: there is one cluster.
        let _ = self.elsewhere.set(elsewhere);
    }

    /// Whether programs are run on other machines.
    pub fn is_front(&self) -> bool {
        self.elsewhere.get().is_some()
    }

    /// Runs one program on another machine. What is more than one (repairing, inspecting, tests) stays on this one.
    pub(crate) fn execute_elsewhere(
        &self,
        elsewhere: &dyn Elsewhere,
        caller: &Caller,
        mut request: ExecutionRequest,
        live: Live<'_>,
    ) -> Result<ExecutionResult, Failure> {
        let audit = self.audit_log()?;
        keeping::offer(audit.as_ref(), &request.source);
        let writing = keeping::writing(audit.as_ref(), Ends::Settled, &live.cancel);
        let observer = self.fanout(caller, live.observer, writing.as_ref());
        if let (None, Source::Code { code, file_name }) = (&request.language, &request.source) {
            request.language = self.detect(file_name.as_deref(), code).map(|found| found.language);
        }
        let told = Told::begin(&self.execution.default_limits, &observer, &request)?;
        let run_id = told.run_id.clone();
        let result = match keeping::objection(writing.as_ref()) {
            Some(failure) => Err(failure),
            None => given(&mut request, live.stdin)
                .and_then(|()| elsewhere.execute(&run_id, caller, request, &live.cancel)),
        };
        let ended = result.as_ref().map_err(Clone::clone).map(|result| {
            // It comes at the end, but to those who listen it is the same.
            let compiled = result.compile.iter().flat_map(|compile| {
                [(Stream::Stdout, &compile.stdout), (Stream::Stderr, &compile.stderr)]
                    .map(|(stream, text)| (Phase::Compile, stream, text))
            });
            let ran = [(Stream::Stdout, &result.stdout), (Stream::Stderr, &result.stderr)]
                .map(|(stream, text)| (Phase::Run, stream, text));
            for (phase, stream, text) in compiled.chain(ran).filter(|(_, _, text)| !text.is_empty()) {
                told.tell(EventKind::Output { phase, stream, data: text.clone().into_bytes() });
            }
            EventKind::finished(result, told.started.elapsed().as_secs_f64())
        });
        told.end(ended);
        let result = keeping::objection(writing.as_ref()).map_or(result, Err);
        result.map(|result| ExecutionResult { run_id, ..result })
    }
}

/// A run on another machine, as those hear of it who listen on this one.
struct Told<'a> {
    observer: &'a dyn Observer,
    run_id: String,
    started: Instant,
}

impl<'a> Told<'a> {
    fn begin(
        usual: &Limits,
        observer: &'a dyn Observer,
        request: &ExecutionRequest,
    ) -> Result<Self, Failure> {
        let told = Self { observer, run_id: new_run_id()?, started: Instant::now() };
        let (code_hash, code_bytes) = (code_hash(&request.source), code_bytes(&request.source));
        told.tell(EventKind::Received { language: request.language.clone(), code_hash, code_bytes });
        let terms = Box::new(Terms::new(request, &usual.clone().with(&request.limits)));
        let language = request.language.clone().unwrap_or_default();
        told.tell(EventKind::Accepted { language, provider: PROVIDER.into(), code_bytes, terms });
        Ok(told)
    }

    fn tell(&self, kind: EventKind) {
        self.observer.event(&Event { run_id: self.run_id.clone(), at_ms: now_ms(), kind });
    }

    fn end(&self, ended: Result<EventKind, Failure>) {
        self.tell(
            ended
                .unwrap_or_else(|failure| EventKind::Failed { kind: failure.kind, message: failure.message }),
        );
    }
}

/// The end of a judging as the end of a run: what its cases used together, and how the last of them ended.
fn judged_event(item: &Item, result: &JudgeResult, seconds: f64) -> Result<EventKind, Failure> {
    if let Some(failure) = &result.error {
        return Err(failure.clone());
    }
    let mut usage = Usage::default();
    for case in &result.cases {
        usage.cpu_user += case.usage.cpu_user;
        usage.cpu_system += case.usage.cpu_system;
        usage.memory_peak = usage.memory_peak.max(case.usage.memory_peak);
        usage.processes_peak = usage.processes_peak.max(case.usage.processes_peak);
    }
    let last = result.cases.last();
    let status = match result.verdict {
        Some(Verdict::CompileError) => Status::CompileError,
        Some(Verdict::TimeLimit) => Status::Timeout,
        Some(Verdict::MemoryLimit) => Status::MemoryLimit,
        Some(Verdict::OutputLimit) => Status::OutputLimit,
        Some(Verdict::RuntimeError) if last.is_some_and(|case| case.signal.is_some()) => Status::Signaled,
        Some(Verdict::RuntimeError) => Status::NonzeroExit,
        Some(Verdict::Accepted | Verdict::WrongAnswer | Verdict::PresentationError) | None => Status::Success,
    };
    Ok(EventKind::Finished {
        status,
        exit_code: last.and_then(|case| case.exit_code),
        duration: seconds,
        usage,
        // The machine that judged it refuses what it cannot protect so.
        level: match item.request.assurance {
            Assurance::Require(level) => level,
            Assurance::BestEffort => Level::None,
        },
        enforcement: Enforcement::new(PROVIDER),
        violations: Vec::new(),
        files: Vec::new(),
    })
}

/// Input travels with the request: what comes while a program runs cannot reach it there.
fn given(request: &mut ExecutionRequest, stdin: Option<Stdin>) -> Result<(), Failure> {
    match stdin {
        None => Ok(()),
        Some(Stdin::Bytes(bytes)) => {
            request.stdin = bytes;
            Ok(())
        }
        Some(Stdin::Reader(mut reader)) => {
            reader.read_to_end(&mut request.stdin).map(drop).map_err(|error| {
                Failure::new(FailureKind::InvalidInput, format!("stdin cannot be read: {error}"))
                    .hint("send it with the request")
            })
        }
    }
}

/// Judges everything that the source gives, each program on some machine. A few more than fit are under way, so that no
/// machine waits for the next one; results come in the order that was asked for.
pub(crate) fn judge(
    elsewhere: &dyn Elsewhere,
    caller: &Caller,
    usual: &Limits,
    source: Items,
    options: JudgeOptions,
    live: &Live<'_>,
    sink: &mut dyn FnMut(JudgeResult) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (observer, cancel) = (live.observer, &live.cancel);
    let at_once = options.jobs.unwrap_or_else(|| elsewhere.at_once()).clamp(1, 1_024);
    let source = Mutex::new(source.enumerate());
    let (tell, told) = mpsc::sync_channel(at_once);
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            let (tell, source) = (tell.clone(), &source);
            scope.spawn(move || {
                loop {
                    // Taken in turn: whoever reads the source keeps the others from it.
                    let next = source.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((number, feed)) = next else { return };
                    let judged = match feed {
                        Feed::Broken { line, failure } => {
                            Ok(not_judged(String::new(), line, None, 0, failure))
                        }
                        Feed::Item(item) => Told::begin(usual, observer, &item.request).and_then(|told| {
                            let judged = one(elsewhere, caller, &item, options.cases, cancel);
                            let seconds = told.started.elapsed().as_secs_f64();
                            let ended =
                                judged.clone().and_then(|result| judged_event(&item, &result, seconds));
                            told.end(ended);
                            judged
                        }),
                    };
                    let last = judged.is_err();
                    // Nobody listens any more: the judging has ended.
                    if tell.send((number, judged)).is_err() || last {
                        return;
                    }
                }
            });
        }
        drop(tell);
        let ended = in_order(&told, options.order, sink);
        if ended.is_err() {
            // Those that are under way end early, and nobody takes another.
            cancel.cancel();
        }
        drop(told);
        ended
    })
}

/// One program. What concerns it alone is its result; what would befall every other one too ends the judging.
fn one(
    elsewhere: &dyn Elsewhere,
    caller: &Caller,
    item: &Item,
    cases: Cases,
    cancel: &Cancel,
) -> Result<JudgeResult, Failure> {
    if cancel.is_cancelled() {
        return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
    }
    match elsewhere.judge(caller, item, cases, cancel) {
        // The machine that judged it knew it as the only one.
        Ok(result) => {
            Ok(JudgeResult { id: item.id.clone(), line: item.line, group: item.group.clone(), ..result })
        }
        Err(failure) => match failure.kind {
            FailureKind::InvalidInput | FailureKind::ToolchainMissing | FailureKind::SandboxFailed => {
                let total = item.cases.len() as u64;
                Ok(not_judged(item.id.clone(), item.line, item.group.clone(), total, failure))
            }
            _ => Err(failure),
        },
    }
}

fn not_judged(id: String, line: u64, group: Option<String>, total: u64, failure: Failure) -> JudgeResult {
    JudgeResult {
        id,
        line,
        group,
        language: None,
        verdict: None,
        passed: 0,
        total,
        cases: Vec::new(),
        compile: None,
        error: Some(failure),
    }
}

fn in_order(
    told: &mpsc::Receiver<(usize, Result<JudgeResult, Failure>)>,
    order: Order,
    sink: &mut dyn FnMut(JudgeResult) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (mut early, mut wanted) = (BTreeMap::new(), 0);
    for (number, judged) in told {
        let result = judged?;
        if order == Order::Completion {
            sink(result)?;
            continue;
        }
        early.insert(number, result);
        while let Some(result) = early.remove(&wanted) {
            wanted += 1;
            sink(result)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_execution::judging::{Case, Text};
    use formicary_model::{Comparison, Verdict};
    use std::time::Duration;

    /// Judges by the item's name, the first ones last.
    struct Far;

    impl Elsewhere for Far {
        fn execute(
            &self,
            _: &str,
            _: &Caller,
            _: ExecutionRequest,
            _: &Cancel,
        ) -> Result<ExecutionResult, Failure> {
            Err(Failure::new(FailureKind::Internal, "nothing is run here"))
        }

        fn judge(&self, _: &Caller, item: &Item, _: Cases, _: &Cancel) -> Result<JudgeResult, Failure> {
            std::thread::sleep(Duration::from_millis(10 - item.line.min(10)));
            match item.id.as_str() {
                "wrong" => Err(Failure::new(FailureKind::InvalidInput, "no such language")),
                "broken" => Err(Failure::new(FailureKind::Internal, "the queue is gone")),
                _ => {
                    let failure = Failure::new(FailureKind::Internal, "");
                    let blank = not_judged("other".into(), 99, None, 1, failure);
                    Ok(JudgeResult { verdict: Some(Verdict::Accepted), error: None, passed: 1, ..blank })
                }
            }
        }

        fn session(&self, _: SessionCall) -> Result<SessionAnswer, Failure> {
            Err(Failure::new(FailureKind::Internal, "nothing is held here"))
        }

        fn sessions(&self, _: &str) -> Result<Vec<SessionInfo>, Failure> {
            Ok(Vec::new())
        }

        fn at_once(&self) -> usize {
            4
        }
    }

    fn items(names: &[&str]) -> Items {
        let item = |(line, name): (usize, &&str)| {
            let case = Case { name: "1".into(), stdin: Text::Given(Vec::new()), expected: None, proof: None };
            Feed::Item(Box::new(Item {
                id: (*name).to_owned(),
                line: line as u64,
                group: None,
                request: ExecutionRequest::default(),
                cases: Arc::new([case]),
                comparison: Comparison::default(),
                checker: None,
            }))
        };
        Box::new(names.iter().enumerate().map(item).collect::<Vec<_>>().into_iter())
    }

    fn judged(names: &[&str], order: Order) -> (Vec<String>, Result<(), Failure>) {
        judged_before(names, order, &())
    }

    fn judged_before(
        names: &[&str],
        order: Order,
        observer: &dyn Observer,
    ) -> (Vec<String>, Result<(), Failure>) {
        let mut seen = Vec::new();
        let options = JudgeOptions { order, ..JudgeOptions::default() };
        let (live, usual) = (Live { observer, ..Live::default() }, Limits::default());
        let ended = judge(&Far, &Caller::new("a"), &usual, items(names), options, &live, &mut |result| {
            seen.push(format!("{} {}", result.id, result.error.map_or("fine".into(), |error| error.message)));
            Ok(())
        });
        (seen, ended)
    }

    #[test]
    fn results_come_in_the_order_of_the_input_with_their_own_names() {
        let (seen, ended) = judged(&["a", "b", "wrong", "c", "d", "e"], Order::Input);
        ended.unwrap();
        assert_eq!(seen, ["a fine", "b fine", "wrong no such language", "c fine", "d fine", "e fine"]);
        let (mut seen, ended) = judged(&["a", "b", "c"], Order::Completion);
        ended.unwrap();
        seen.sort();
        assert_eq!(seen, ["a fine", "b fine", "c fine"]);
    }

    #[test]
    fn what_befalls_all_ends_the_judging() {
        let names: Vec<&str> = ["a", "b", "broken"].into_iter().chain(["c"; 500]).collect();
        let (seen, ended) = judged(&names, Order::Input);
        assert_eq!(ended.unwrap_err().message, "the queue is gone");
        assert!(seen.len() <= 2, "{seen:?}");
    }

    #[test]
    fn programs_that_others_judge_are_heard_of_here() {
        let heard = Mutex::new(Vec::new());
        let observer = |event: &Event| {
            let word = match &event.kind {
                EventKind::Received { .. } => "received",
                EventKind::Accepted { provider, .. } => {
                    assert_eq!(provider, PROVIDER);
                    "accepted"
                }
                EventKind::Finished { status: Status::Success, .. } => "finished",
                EventKind::Failed { .. } => "failed",
                other => panic!("{other:?}"),
            };
            heard.lock().unwrap().push((event.run_id.clone(), word));
        };
        judged_before(&["a", "wrong"], Order::Input, &observer).1.unwrap();
        let mut heard = heard.into_inner().unwrap();
        let first = heard[0].0.clone();
        heard.sort_by_key(|(run, _)| *run != first);
        let words: Vec<&str> = heard.iter().map(|(_, word)| *word).collect();
        assert_eq!(
            (&words[..2], &words[3..5]),
            (&["received", "accepted"][..], &["received", "accepted"][..])
        );
        let mut ends = [words[2], words[5]];
        ends.sort_unstable();
        assert_eq!(ends, ["failed", "finished"]);
    }
}
