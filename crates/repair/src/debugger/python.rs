//! The warm way for Python: record each test once, localise, search in one interpreter, compare what passes.

use super::{Checks, Debugger, FixRequest, Searched, Step, mixed, report, unchanged};
use crate::Candidate;
use crate::judges::python::{Check, Judge, Recording};
use crate::judges::{JudgeOf as _, Warm};
use crate::search::rank::{FailsBy, ranked};
use crate::search::templates::{Facts, Templates};
use crate::search::{Budget, search};
use formicary_diagnose::localise::{Line, Observation, spectrum};
use formicary_model::Failure;
use std::collections::{HashMap, HashSet};
use std::time::Instant;

impl Debugger<'_> {
    /// Nothing where the tests cannot be run this way.
    pub(super) fn searched_warm(
        &self,
        request: &FixRequest,
        first: Vec<Candidate>,
        budget: Budget,
    ) -> Result<Option<Searched>, Failure> {
        let case = &request.case;
        let judge = Judge {
            case,
            meaning: &request.command.meaning,
            cases: &request.cases,
            run: self.run,
            base: self.base,
            workers: self.workers,
        };
        (self.watch)(Step::Localising);
        let left = budget.until.saturating_duration_since(Instant::now()).as_secs_f64();
        let recording = judge.record((left / 4.0).clamp(2.0, 12.0))?;
        let fails = recording.tests.iter().any(|test| !test.passed) || recording.broken_import.is_some();
        if !fails || wants_processes(&recording) {
            return Ok(None);
        }
        let facts = facts(&recording, mixed(request));
        let suspects = report::suspects(case, &observations(&recording), &facts.traced);
        let templates = Templates { facts, most: 0 };
        let mut order: Vec<usize> = (0..recording.tests.len()).collect();
        order.sort_by(|a, b| {
            let key = |index: &usize| (recording.tests[*index].passed, recording.tests[*index].seconds);
            key(a).0.cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1))
        });
        let slowest =
            recording.tests.iter().filter(|test| test.passed).map(|test| test.seconds).fold(0.0, f64::max);
        let limits: Vec<f64> = recording
            .tests
            .iter()
            .map(|test| {
                let basis = if test.passed { test.seconds } else { slowest.max(0.01) };
                // Under the tracer everything is several times slower: the same seconds again are generous.
                (basis * 3.0).clamp(0.03, 2.0)
            })
            .collect();
        let mut warm = Warm { judge: &judge, order, limits, baseline: 0 };
        let nothing = unchanged();
        if recording.broken_import.is_none() {
            let alone = warm.judge(&[(0, &nothing)], 5.0)?;
            warm.baseline = alone.judged.first().map_or(0, |(_, _, passed)| *passed);
        }
        let progress = |judged: usize, passed: usize| (self.watch)(Step::Searching(judged, passed));
        let found = search(case, &templates, first, &warm, budget, &progress)?;
        let calls = calls(&recording, &judge.editable());
        let mut said = HashMap::new();
        let count = found.survivors.len();
        if count > 1 && !calls.is_empty() {
            let mut versions: Vec<(usize, &Candidate)> = found.survivors.iter().enumerate().collect();
            versions.push((count, &nothing));
            said = judge.compare(&versions, &calls, 6.0)?;
        }
        let order = ranked(case, found.survivors.clone(), &said, count, fails_by(&recording));
        let checks = Checks { failing: failing(&recording), passed: found.checks };
        Ok(Some(Searched { checks, found, order, suspects, notes: Vec::new() }))
    }
}

/// Checks that failed, a test without any counted as one.
fn failing(recording: &Recording) -> usize {
    let of = |checks: &[Check]| checks.iter().filter(|check| !check.1).count();
    recording.tests.iter().filter(|test| !test.passed).map(|test| of(&test.checks).max(1)).sum()
}

fn fails_by(recording: &Recording) -> FailsBy {
    let errors = recording
        .tests
        .iter()
        .flat_map(|test| test.error.iter().chain(test.checks.iter().filter_map(|check| check.3.as_ref())));
    let asserted = |kind: &str| matches!(kind, "AssertionError" | "Failed" | "");
    if errors.into_iter().any(|error| asserted(&error.kind)) { FailsBy::Answers } else { FailsBy::Crashes }
}

/// Whether tests start processes or threads, which candidates in the warm judge may not.
fn wants_processes(recording: &Recording) -> bool {
    let errors = recording
        .tests
        .iter()
        .flat_map(|test| test.error.iter().chain(test.checks.iter().filter_map(|check| check.3.as_ref())));
    errors
        .into_iter()
        .any(|error| error.kind == "BlockingIOError" || error.message.contains("can't start new thread"))
}

/// Checks as the localisation wants them. A test that ends before its first check is one of its own.
fn observations(recording: &Recording) -> Vec<Observation> {
    let mut all = Vec::new();
    for test in &recording.tests {
        let mut so_far = HashSet::new();
        for (_, passed, lines, _) in &test.checks {
            so_far.extend(lines.iter().copied());
            let own: HashSet<Line> = lines.iter().copied().collect();
            // A failed check that runs nothing itself looks at what was done before.
            let lines = if own.is_empty() && !passed { so_far.clone() } else { own };
            all.push(Observation { passed: *passed, lines });
        }
        if test.checks.is_empty() || test.error.is_some() {
            all.push(Observation {
                passed: test.error.is_none(),
                lines: test.lines.iter().copied().collect(),
            });
        }
    }
    all
}

fn facts(recording: &Recording, mixed: HashSet<usize>) -> Facts {
    let mut facts = Facts { mixed, ..Facts::default() };
    for test in &recording.tests {
        for (function, variables) in &test.types {
            for (variable, types) in variables {
                let known = facts.types.entry((function.clone(), variable.clone())).or_default();
                for kind in types {
                    if !known.contains(kind) {
                        known.push(kind.clone());
                    }
                }
            }
        }
        for (class, names) in &test.attributes {
            let known = facts.attributes.entry(class.clone()).or_default();
            known.extend(names.iter().filter(|name| !known.contains(name)).cloned().collect::<Vec<_>>());
        }
        let errors = test.error.iter().chain(test.checks.iter().filter_map(|check| check.3.as_ref()));
        for error in errors {
            facts.traced.extend(error.trace.iter().rev().take(2).copied());
        }
    }
    let scores = spectrum(&observations(recording));
    let most = scores.values().map(|score| score.ochiai).fold(0.0, f64::max);
    if most > 0.0 {
        facts.scores = scores.into_iter().map(|(line, score)| (line, score.ochiai / most)).collect();
        // State may have been spoilt before the check that notices it.
        for test in recording.tests.iter().filter(|test| !test.passed) {
            let before = test.checks.iter().rposition(|check| !check.1).map_or(0, |at| at + 1);
            for line in test.checks[..before].iter().flat_map(|check| &check.2).chain(&test.lines) {
                facts.scores.entry(*line).or_insert(0.12);
            }
        }
    }
    facts
}

/// Recorded calls, each once; the judge counts editable files alone.
fn calls(recording: &Recording, editable: &[usize]) -> Vec<(usize, String, String)> {
    let mut all: Vec<(usize, String, String)> = Vec::new();
    for call in recording.tests.iter().flat_map(|test| &test.calls) {
        if call.0 < editable.len() && !all.contains(call) && all.len() < 40 {
            all.push(call.clone());
        }
    }
    all
}
