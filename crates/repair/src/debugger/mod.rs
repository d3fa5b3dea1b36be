//! The loop: run, localise, propose, judge, verify, until something passes or the budget is spent.

mod advice;
mod dependencies;
mod help;
mod installing;
mod linters;
mod own;
mod proof;
mod python;
mod report;

use dependencies::{installed_alone, name_requirements};
pub use help::{Advice, Adviser, Help, Packages, Question};
pub use installing::Installing;

use crate::Cases;
use crate::judges::java::JavaJudge;
use crate::judges::javascript::JavaScriptJudge;
use crate::judges::native::NativeJudge;
use crate::judges::python::Verdict;
use crate::judges::{Cold, JudgeOf as _};
use crate::search::rank::{FailsBy, ranked};
use crate::search::templates::{Facts, Templates};
use crate::search::{Budget, Found, search};
use crate::verify::{FixVerifier, Run};
use crate::{Candidate, Case, Strategy};
use formicary_diagnose::command::{Meaning, TestCommand};
use formicary_diagnose::failures::{self, SourceText};
use formicary_diagnose::localise::{Observation, hits};
use formicary_model::{
    Diagnosis, ExecutionRequest, Failure, FixReport, FixStatus, Language, PatchEvidence, RankedPatch,
    SuspiciousLine, TestRun,
};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// What the command of a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The caller or the project names it as its test.
    Tests,
    /// It runs the program, since nobody said how to test it.
    Run,
}

/// What is to be mended, and how one sees that it is.
pub struct FixRequest {
    /// The program and its tests.
    pub case: Case,
    /// How the tests are run.
    pub command: TestCommand,
    /// What that command is for.
    pub purpose: Purpose,
    /// Inputs and expected outputs.
    pub cases: Cases,
    /// Seconds in all.
    pub seconds: f64,
    /// Candidates at the most.
    pub most_candidates: usize,
    /// Patches to verify and show.
    pub most_patches: usize,
}

impl FixRequest {
    /// Whether a run that passes shows more than that nothing was raised; `diagnosis` is of the run that failed.
    pub fn is_tested(&self, diagnosis: Option<&Diagnosis>) -> bool {
        proof::is_tested(self, diagnosis)
    }
}

/// What happens, as it happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The tests are run on the program as it is.
    Testing,
    /// The failing lines are looked for.
    Localising,
    /// Candidates are judged: how many so far, and how many passed.
    Searching(usize, usize),
    /// A patch is verified in a sandbox of its own.
    Verifying(String),
    /// A language model is asked: its name, and which time.
    Asking(String, u32),
    /// A package is installed.
    Installing(String),
}

/// The loop with all that it needs.
pub struct Debugger<'a> {
    /// How requests are run.
    pub run: &'a Run<'a>,
    /// A request as the configuration would have it.
    pub base: &'a ExecutionRequest,
    /// Further sources of candidates, the surest first.
    pub strategies: Vec<Box<dyn Strategy>>,
    /// Processors to use.
    pub workers: usize,
    /// Hears of each step.
    pub watch: &'a (dyn Fn(Step) + 'a),
}

/// The checks that stood behind a search, as far as they were counted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Checks {
    /// Checks or tests that failed before.
    pub(crate) failing: usize,
    /// Checks or tests that a survivor passed.
    pub(crate) passed: Option<usize>,
}

/// What the search left behind.
pub(crate) struct Searched {
    pub(crate) checks: Checks,
    pub(crate) found: Found,
    pub(crate) order: Vec<(f64, Candidate)>,
    pub(crate) suspects: Vec<SuspiciousLine>,
    pub(crate) notes: Vec<String>,
}

/// Candidates of a rule beyond this cost are guesses.
const FAR_FETCHED: f64 = 2.0;
/// Candidates that are run where no test says which is right.
const MOST_SUGGESTED: usize = 24;

impl Debugger<'_> {
    /// Mends a program. The tree is not touched: the report holds the patches.
    pub fn fix(&self, request: &mut FixRequest) -> Result<FixReport, Failure> {
        self.fix_with(request, &Help::default())
    }

    /// The same with help from outside: packages that may be installed, a model that may be asked.
    pub fn fix_with(&self, request: &mut FixRequest, help: &Help<'_>) -> Result<FixReport, Failure> {
        let started = Instant::now();
        let until = started + Duration::from_secs_f64(request.seconds.max(1.0));
        (self.watch)(Step::Testing);
        let mut own_runner = false;
        let mut notes = Vec::new();
        let first_limit = (request.seconds / 4.0).clamp(2.0, 60.0);
        let (mut baseline, mut evidence) =
            self.verifier(request, first_limit, false).test(&request.case, None)?;
        if !baseline.passed && baseline.output.contains("No module named pytest") {
            own_runner = true;
            notes.push(
                "pytest is not in the sandbox: the tests were run by Formicary's own runner".to_owned(),
            );
            (baseline, evidence) = self.verifier(request, first_limit, true).test(&request.case, None)?;
        }
        let mut report = FixReport {
            status: FixStatus::NothingWrong,
            language: request.case.language.id().to_owned(),
            command: vec!["sh".into(), "-c".into(), request.command.shell.clone()],
            baseline: baseline.clone(),
            patches: Vec::new(),
            candidates: 0,
            candidates_per_second: 0.0,
            seconds: started.elapsed().as_secs_f64(),
            suspects: Vec::new(),
            diagnosis: None,
            missing: Vec::new(),
            model: None,
            written: Vec::new(),
            undo: None,
            notes,
        };
        if baseline.passed {
            if !proof::is_tested(request, None) {
                report
                    .notes
                    .push("no test was run: the program runs to its end, and nothing more is known".into());
            }
            return Ok(report);
        }
        report.status = FixStatus::NotFixed;
        if baseline.exit_code == Some(127) {
            report.notes.push("the test command was not found in the sandbox (exit code 127)".into());
            return Ok(report);
        }
        if let Some(file) = missing_file(request, &baseline.output) {
            report.notes.push(format!(
                "the test command asks for {file}, which is not there; it runs in the folder where you stand, or in the one that is mended"
            ));
            return Ok(report);
        }
        report.diagnosis = Some(failures::of_result(&evidence, &sources(&request.case)));
        report.missing = dependencies::missing(&request.case, report.diagnosis.as_ref());
        if dependencies::ends_here(&mut report, help) {
            report.seconds = started.elapsed().as_secs_f64();
            return Ok(report);
        }
        let limit = (baseline.duration * 6.0 + 1.0).clamp(2.0, first_limit);
        let limit = if baseline.exit_code.is_none() { first_limit.min(6.0) } else { limit };
        request.case.evidence = Some(evidence);
        if !proof::is_tested(request, report.diagnosis.as_ref()) {
            self.suggested(
                request,
                &self.verifier(request, limit.max(5.0), own_runner),
                help,
                &mut report,
                until,
            )?;
            report.seconds = started.elapsed().as_secs_f64();
            return Ok(report);
        }
        let verifier = self.verifier(request, limit, own_runner);
        // The first patch is run twice by the real tests, and that must be over in time, too.
        let kept = (baseline.duration * 3.0 + 0.5).max((request.seconds * 0.12).min(limit * 2.0));
        let search_until = until - Duration::from_secs_f64(kept.min(request.seconds * 0.4));
        let search_until = help.leaving_time(Instant::now(), search_until);
        let budget = Budget { until: search_until.max(Instant::now()), candidates: request.most_candidates };
        let searched = self.searched(request, &verifier, budget)?;
        report.candidates = searched.found.judged as u64;
        report.candidates_per_second = searched.found.judged as f64 / searched.found.seconds.max(0.001);
        report.suspects = searched.suspects;
        report.notes.extend(searched.found.notes);
        report.notes.extend(searched.notes);
        let verifier = self.verifier(request, limit.max(5.0), own_runner);
        report.patches = self.verified(request, &verifier, searched.order, &baseline, until)?;
        if report.patches.is_empty() {
            self.advised(request, &verifier, help, &mut report, until)?;
        }
        proof::weigh(request, searched.checks, &mut report.patches);
        if !report.patches.is_empty() {
            report.status = FixStatus::Fixed;
        }
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }

    /// Patches where no test says what is right: those of rules and tools for the error that was diagnosed, and what a model
    /// proposes. A search would find the change that skips the failing statement, and could not tell it from a remedy.
    fn suggested(
        &self,
        request: &FixRequest,
        verifier: &FixVerifier<'_>,
        help: &Help<'_>,
        report: &mut FixReport,
        until: Instant,
    ) -> Result<(), Failure> {
        let mut first = self.by_rule(request);
        first.retain(|candidate| candidate.cost <= FAR_FETCHED);
        first.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        first.truncate(MOST_SUGGESTED);
        report.candidates = first.len() as u64;
        let order: Vec<(f64, Candidate)> =
            first.into_iter().map(|candidate| (candidate.cost, candidate)).collect();
        let rules_until = help.leaving_time(Instant::now(), until);
        report.patches = self.verified(request, verifier, order, &report.baseline.clone(), rules_until)?;
        if report.patches.is_empty() {
            self.advised(request, verifier, help, report, until)?;
        }
        proof::suggest(&mut report.patches);
        if !report.patches.is_empty() {
            report.status = FixStatus::Suggested;
        }
        report.notes.push(
            "no test says what the program should do, so nothing can be verified: give a test command, a file of tests or an expected output".into(),
        );
        Ok(())
    }

    /// What rules and tools propose for the failure.
    fn by_rule(&self, request: &FixRequest) -> Vec<Candidate> {
        let found = self.strategies.iter().flat_map(|strategy| strategy.candidates(&request.case));
        found.chain(self.linted(request)).collect()
    }

    fn verifier<'b>(&'b self, request: &'b FixRequest, seconds: f64, own_runner: bool) -> FixVerifier<'b> {
        FixVerifier {
            run: self.run,
            base: self.base,
            command: &request.command,
            cases: &request.cases,
            seconds,
            own_runner,
        }
    }

    fn searched(
        &self,
        request: &FixRequest,
        verifier: &FixVerifier<'_>,
        budget: Budget,
    ) -> Result<Searched, Failure> {
        let first = own::only_the_program(request, self.by_rule(request));
        let warm = request.case.language == Language::Python && request.command.meaning != Meaning::Opaque;
        if warm && let Some(searched) = self.searched_warm(request, first.clone(), budget)? {
            return Ok(searched);
        }
        let case = &request.case;
        let said =
            case.evidence.as_ref().map(|run| format!("{}\n{}", run.stdout, run.stderr)).unwrap_or_default();
        let mut facts = Facts { mixed: mixed(request), ..Facts::default() };
        facts.traced = case.suspects.iter().map(|suspect| (suspect.file, suspect.line)).collect();
        facts.traced.extend(report::named_lines(case, &said));
        (self.watch)(Step::Localising);
        let observations = self.observed(request, verifier, &mut facts)?;
        let suspects = report::suspects(case, &observations, &facts.traced);
        let templates = Templates { facts, most: 0 };
        let progress = |judged: usize, passed: usize| (self.watch)(Step::Searching(judged, passed));
        let found = match &request.command.meaning {
            Meaning::JavaMain { class, arguments, archives, sources, folders }
                if case.language == Language::Java =>
            {
                let (run, base, workers) = (self.run, self.base, self.workers);
                let limit = warm_limit(case, 0.4);
                let judge = JavaJudge {
                    case,
                    class,
                    arguments,
                    archives,
                    sources,
                    folders,
                    run,
                    base,
                    workers,
                    limit,
                };
                search(case, &templates, first, &judge, budget, &progress)?
            }
            Meaning::NodeScript { path } if self.fails_in_node(request, path)? => {
                let judge = self.node(request, path);
                search(case, &templates, first, &judge, budget, &progress)?
            }
            _ => match NativeJudge::new(case, verifier, self.run, self.workers)? {
                Some(judge) => search(case, &templates, first, &judge, budget, &progress)?,
                None => {
                    let judge = Cold { case, verifier, workers: self.workers };
                    search(case, &templates, first, &judge, budget, &progress)?
                }
            },
        };
        let order = ranked(case, found.survivors.clone(), &HashMap::new(), usize::MAX, FailsBy::Answers);
        Ok(Searched { checks: Checks::default(), found, order, suspects, notes: Vec::new() })
    }

    /// One run of a program that tells which lines its checks come by. Where it cannot be made to, nothing is known.
    fn observed(
        &self,
        request: &FixRequest,
        verifier: &FixVerifier<'_>,
        facts: &mut Facts,
    ) -> Result<Vec<Observation>, Failure> {
        let case = &request.case;
        if !hits::speaks(case.language) || !request.cases.pairs.is_empty() {
            return Ok(Vec::new());
        }
        let shell = &request.command.shell;
        let Some(telling) = hits::telling(case, hits::stops_at_failure(shell)) else { return Ok(Vec::new()) };
        // What an endless loop ran is told, too.
        let shell = format!(
            "timeout -s KILL {:.1} sh -c '{}' >/dev/null 2>&1\nhead -c 4000000 {} 2>/dev/null",
            (verifier.seconds - 1.0).max(1.0),
            shell.replace('\'', "'\\''"),
            hits::WRITTEN
        );
        let mut asked = verifier.request_of(case, &telling.texts, &shell);
        asked.limits.output_bytes = Some(8 << 20);
        let result = (self.run)(asked)?;
        let observations = telling.observations(&result.stdout);
        facts.scores = telling.scores(case, &observations);
        Ok(if facts.scores.is_empty() { Vec::new() } else { observations })
    }

    fn node<'b>(&'b self, request: &'b FixRequest, script: &'b str) -> JavaScriptJudge<'b> {
        let (run, base, workers) = (self.run, self.base, self.workers);
        JavaScriptJudge {
            case: &request.case,
            script,
            run,
            base,
            workers,
            limit: warm_limit(&request.case, 0.2),
        }
    }

    /// Whether the warm judge sees the failure too.
    fn fails_in_node(&self, request: &FixRequest, script: &str) -> Result<bool, Failure> {
        let batch = self.node(request, script).judge(&[(0, &unchanged())], 5.0)?;
        Ok(batch.ended && batch.judged.first().is_some_and(|(_, verdict, _)| *verdict != Verdict::Pass))
    }

    /// The real tests on the best, each in a fresh sandbox, until enough hold.
    fn verified(
        &self,
        request: &FixRequest,
        verifier: &FixVerifier<'_>,
        order: Vec<(f64, Candidate)>,
        before: &TestRun,
        until: Instant,
    ) -> Result<Vec<RankedPatch>, Failure> {
        let mut patches: Vec<RankedPatch> = Vec::new();
        let best = order.first().map_or(0.0, |(score, _)| *score);
        for (score, candidate) in order {
            if patches.len() >= request.most_patches || Instant::now() >= until {
                break;
            }
            (self.watch)(Step::Verifying(candidate.explanation.clone()));
            let times = if patches.is_empty() { 2 } else { 1 };
            let verification = verifier.verify(&request.case, &candidate, before, times)?;
            if !verification.verified {
                continue;
            }
            let files = report::patched_files(&request.case, &candidate);
            patches.push(RankedPatch {
                rank: patches.len() as u32 + 1,
                diff: report::diff(&request.case, &files),
                origin: candidate.origin.clone(),
                explanation: candidate.explanation.clone(),
                confidence: (candidate.confidence - 0.1 * (score - best)).clamp(0.02, 0.98),
                evidence: PatchEvidence::default(),
                caveats: Vec::new(),
                files,
                verification: Some(verification),
            });
        }
        Ok(patches)
    }
}

/// The files of a case, for diagnoses.
fn sources(case: &Case) -> Vec<SourceText> {
    let text = |file: &crate::CaseFile| SourceText { path: file.path.clone(), text: file.text.clone() };
    case.files.iter().map(text).collect()
}

/// A file that the test command names and that neither the project nor the command's own words know.
fn missing_file(request: &FixRequest, said: &str) -> Option<String> {
    let is_there = |word: &str| {
        let path = word.trim_start_matches("./");
        request.case.files.iter().any(|file| file.path == path || file.path.starts_with(&format!("{path}/")))
    };
    let complains = ["No such file", "can't open", "Cannot find module", "not found"];
    request
        .command
        .shell
        .split_whitespace()
        .map(|word| word.trim_matches(['\'', '"', ';']))
        .filter(|word| !word.starts_with(['-', '/']) && std::path::Path::new(word).extension().is_some())
        .find(|word| {
            let told =
                |line: &str| line.contains(word) && complains.iter().any(|phrase| line.contains(phrase));
            !is_there(word) && said.lines().any(told)
        })
        .map(str::to_owned)
}

/// Seconds for one candidate in a process that is warm: at most what the whole command took before.
fn warm_limit(case: &Case, least: f64) -> f64 {
    match &case.evidence {
        Some(run) if run.exit_code.is_some() => run.duration.clamp(least, 2.0),
        _ => least * 1.5,
    }
}

/// The program as it is, as a candidate.
pub(crate) fn unchanged() -> Candidate {
    Candidate {
        edits: Vec::new(),
        origin: "original".into(),
        cost: 0.0,
        confidence: 0.0,
        explanation: String::new(),
    }
}

/// Files that hold program and tests at once.
pub(crate) fn mixed(request: &FixRequest) -> std::collections::HashSet<usize> {
    let (case, command) = (&request.case, &request.command);
    // Where the output is the test, the program that is run holds none.
    if !request.cases.pairs.is_empty() {
        return std::collections::HashSet::new();
    }
    let is_run = |path: &str| match &command.meaning {
        Meaning::PythonTests { files, .. } => files.iter().any(|file| file == path),
        Meaning::PythonScript { path: script, .. } => script == path,
        _ => command.shell.contains(path),
    };
    let editable = case.files.iter().enumerate().filter(|(_, file)| file.editable);
    // A program that is only run, and checks nothing, holds no tests that could be changed.
    let checks = |file: &crate::CaseFile| own::may_check(&file.text);
    editable.filter(|(_, file)| is_run(&file.path) && checks(file)).map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CaseFile;
    use crate::Cases;
    use formicary_diagnose::command::TestCommand;
    use formicary_model::{ExecutionRequest, FailureKind, Status};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// What passes while candidates are judged may fail in the real tests, one after the other.
    #[test]
    fn nothing_is_verified_when_the_time_is_over() {
        let file = CaseFile { path: "app.py".into(), text: "x = 1\n".into(), editable: true };
        let request = FixRequest {
            case: Case {
                language: Language::Python,
                files: vec![file],
                evidence: None,
                suspects: Vec::new(),
            },
            command: TestCommand::read("sh check.sh", &["app.py".into()]),
            purpose: Purpose::Tests,
            cases: Cases::default(),
            seconds: 1.0,
            most_candidates: 9,
            most_patches: 5,
        };
        let runs = AtomicUsize::new(0);
        let run = |_: ExecutionRequest| {
            runs.fetch_add(1, Ordering::Relaxed);
            Err(Failure::new(FailureKind::Internal, "no run was expected"))
        };
        let base = ExecutionRequest::default();
        let debugger =
            Debugger { run: &run, base: &base, strategies: Vec::new(), workers: 1, watch: &|_| {} };
        let verifier = debugger.verifier(&request, 1.0, false);
        let before = TestRun {
            run_id: String::new(),
            passed: false,
            status: Status::NonzeroExit,
            exit_code: Some(1),
            duration: 0.1,
            memory_peak: None,
            output: String::new(),
        };
        let order = vec![(0.0, unchanged()), (1.0, unchanged())];
        let patches = debugger.verified(&request, &verifier, order, &before, Instant::now()).unwrap();
        assert_eq!((patches.len(), runs.load(Ordering::Relaxed)), (0, 0));
    }
}
