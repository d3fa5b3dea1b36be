//! Who judges candidates: a warm interpreter for many at once, or a sandbox for each.

pub mod java;
pub mod javascript;
pub mod native;
pub mod python;

use crate::verify::FixVerifier;
use crate::{Candidate, Case};
use formicary_model::Failure;
use python::{Batch, Judge, Verdict};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Hears how many were judged and how many of them passed.
pub type Progress<'a> = dyn Fn(usize, usize) + 'a;

/// Judges candidates by the tests.
pub trait JudgeOf {
    /// Judges as many as it can in this time, in order.
    fn judge(&self, candidates: &[(usize, &Candidate)], seconds: f64) -> Result<Batch, Failure>;

    /// How many tests or checks the program passes as it is, before the first that fails.
    fn baseline(&self) -> usize {
        0
    }

    /// Whether the number of checks that a survivor passed is the number of all checks.
    fn counts_checks(&self) -> bool {
        false
    }

    /// Seconds that one batch should take.
    fn slice(&self) -> f64 {
        4.0
    }

    /// Candidates of the first batch.
    fn first_batch(&self) -> usize {
        400
    }

    /// Candidates of the largest batch.
    fn largest_batch(&self) -> usize {
        6_000
    }
}

/// Bytes of candidates that one sandbox is given: requests have an upper bound.
const MOST_BYTES: usize = 600_000;

/// The first candidates whose texts fit into one request, by what each takes.
pub(super) fn that_fit<'c>(
    candidates: &'c [(usize, &'c Candidate)],
    bytes: impl Fn(&Candidate) -> usize,
) -> &'c [(usize, &'c Candidate)] {
    let mut sum = 0;
    let count = candidates.iter().take_while(|(_, candidate)| {
        sum += bytes(candidate);
        sum <= MOST_BYTES
    });
    &candidates[..count.count().max(1).min(candidates.len())]
}

/// Bytes of the changed files of a candidate.
pub(super) fn changed_bytes(case: &Case, candidate: &Candidate) -> usize {
    let edits = candidate.edits.iter();
    edits
        .map(|edit| case.files.get(edit.file).map_or(0, |file| file.text.len()) + edit.replacement.len() + 64)
        .sum()
}

/// Python, warm.
pub struct Warm<'a> {
    /// The judge.
    pub judge: &'a Judge<'a>,
    /// The order of the tests: the failing ones first.
    pub order: Vec<usize>,
    /// CPU seconds for each test.
    pub limits: Vec<f64>,
    /// What the program passes as it is.
    pub baseline: usize,
}

impl JudgeOf for Warm<'_> {
    fn counts_checks(&self) -> bool {
        true
    }

    fn judge(&self, candidates: &[(usize, &Candidate)], seconds: f64) -> Result<Batch, Failure> {
        self.judge.judge(candidates, &self.order, &self.limits, seconds)
    }

    fn baseline(&self) -> usize {
        self.baseline
    }
}

/// Any language: the real tests, a sandbox for each candidate.
pub struct Cold<'a> {
    /// The case.
    pub case: &'a Case,
    /// Runs the tests.
    pub verifier: &'a FixVerifier<'a>,
    /// Sandboxes at a time.
    pub workers: usize,
}

impl JudgeOf for Cold<'_> {
    fn judge(&self, candidates: &[(usize, &Candidate)], seconds: f64) -> Result<Batch, Failure> {
        let until = Instant::now() + Duration::from_secs_f64(seconds);
        let next = AtomicUsize::new(0);
        let judged = Mutex::new(Vec::new());
        let failed: Mutex<Option<Failure>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                scope.spawn(|| {
                    while Instant::now() < until {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some((number, candidate)) = candidates.get(at) else { return };
                        let verdict = match self.verifier.test(self.case, Some(candidate)) {
                            Ok((run, _)) if run.passed => Verdict::Pass,
                            Ok(_) => Verdict::Fail,
                            Err(failure) => {
                                if let Ok(mut failed) = failed.lock() {
                                    *failed = Some(failure);
                                }
                                return;
                            }
                        };
                        if let Ok(mut judged) = judged.lock() {
                            judged.push((*number, verdict, 0));
                        }
                    }
                });
            }
        });
        match failed.into_inner() {
            Ok(Some(failure)) => Err(failure),
            _ => Ok(Batch { judged: judged.into_inner().unwrap_or_default(), ended: true }),
        }
    }

    fn slice(&self) -> f64 {
        3.0
    }

    fn first_batch(&self) -> usize {
        64
    }

    fn largest_batch(&self) -> usize {
        256
    }
}
