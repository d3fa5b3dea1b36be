//! The search: candidates in order, judged in batches, until some pass or the budget is spent; then pairs.

pub mod rank;
pub mod templates;

use crate::judges::python::Verdict;
use crate::judges::{JudgeOf, Progress};
use crate::{Candidate, Case, Strategy, TextEdit};
use formicary_model::Failure;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use templates::Templates;

/// How much may be spent.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// When everything must be over.
    pub until: Instant,
    /// Candidates at the most.
    pub candidates: usize,
}

/// What a search came to.
#[derive(Debug, Default)]
pub struct Found {
    /// Candidates that passed, in the order in which they were tried.
    pub survivors: Vec<Candidate>,
    /// How many were judged.
    pub judged: usize,
    /// Checks that a survivor passed, where the judge counts all of them.
    pub checks: Option<usize>,
    /// Seconds of judging.
    pub seconds: f64,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// Survivors after which nobody looks for more.
const ENOUGH: usize = 24;
/// How much further than the first survivor others may be fetched.
const FURTHER: f64 = 1.9;

/// Tries candidates until enough pass.
pub fn search(
    case: &Case,
    templates: &Templates,
    first: Vec<Candidate>,
    judge: &dyn JudgeOf,
    budget: Budget,
    progress: &Progress<'_>,
) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut seen = HashSet::new();
    let mut all = first;
    all.extend(templates.candidates(case));
    all.retain(|candidate| seen.insert(candidate.edits.clone()));
    let mut promising = Vec::new();
    tried(&all, judge, budget, progress, &mut found, &mut promising)?;
    if found.survivors.is_empty() && !budget.is_spent(found.judged) {
        let pairs = pairs(case, templates, &all, &promising);
        let pairs: Vec<Candidate> =
            pairs.into_iter().filter(|pair| seen.insert(pair.edits.clone())).collect();
        tried(&pairs, judge, budget, progress, &mut found, &mut Vec::new())?;
    }
    Ok(found)
}

impl Budget {
    fn is_spent(&self, judged: usize) -> bool {
        Instant::now() >= self.until || judged >= self.candidates
    }
}

/// Judges a list; notes survivors, and in `promising` who came further than the program as it is.
fn tried(
    all: &[Candidate],
    judge: &dyn JudgeOf,
    budget: Budget,
    progress: &Progress<'_>,
    found: &mut Found,
    promising: &mut Vec<(usize, usize)>,
) -> Result<(), Failure> {
    let started = Instant::now();
    let mut waiting: Vec<usize> = (0..all.len()).collect();
    let mut deaths = 0;
    let mut bound: Option<(f64, Instant)> = None;
    let mut at_most = judge.first_batch();
    while !waiting.is_empty() && !budget.is_spent(found.judged) {
        if let Some((cost, until)) = bound {
            let next = all[waiting[0]].cost;
            if next > cost || Instant::now() > until || found.survivors.len() >= ENOUGH {
                break;
            }
        }
        let left = budget.until.saturating_duration_since(Instant::now());
        let slice = left.min(Duration::from_secs_f64(judge.slice())).as_secs_f64();
        let now: Vec<(usize, &Candidate)> =
            waiting.iter().take(at_most).map(|number| (*number, &all[*number])).collect();
        let batch = judge.judge(&now, slice)?;
        at_most = (at_most * 3).min(judge.largest_batch());
        let done: HashSet<usize> = batch.judged.iter().map(|(number, ..)| *number).collect();
        let mut judged = batch.judged;
        judged.sort_unstable_by_key(|(number, ..)| *number);
        for (number, verdict, passed) in judged {
            let Some(candidate) = all.get(number) else { continue };
            found.judged += 1;
            if verdict == Verdict::Pass {
                found.survivors.push(candidate.clone());
                if judge.counts_checks() {
                    found.checks = found.checks.max(Some(passed));
                }
                if bound.is_none() {
                    let spent = started.elapsed().as_secs_f64();
                    let more = Duration::from_secs_f64((spent * 0.7).clamp(1.5, 12.0));
                    bound = Some((candidate.cost + FURTHER, Instant::now() + more));
                }
            } else if passed > judge.baseline() {
                promising.push((passed, number));
            }
        }
        waiting.retain(|number| !done.contains(number));
        if !batch.ended {
            // Some candidate ended the judge itself. Whoever was under way is left out.
            deaths += 1;
            let out = if deaths == 1 { 4 } else { 40 };
            waiting.drain(..out.min(waiting.len()));
            found.notes.push("a candidate ended the judge; it was started anew without it".into());
            if deaths > 4 {
                break;
            }
        } else if done.is_empty() {
            break;
        }
        progress(found.judged, found.survivors.len());
    }
    found.seconds += started.elapsed().as_secs_f64();
    Ok(())
}

/// A second edit on top of those that came further than the program as it is.
fn pairs(
    case: &Case,
    templates: &Templates,
    all: &[Candidate],
    promising: &[(usize, usize)],
) -> Vec<Candidate> {
    let mut best: Vec<(usize, usize)> = promising.to_vec();
    best.sort_by(|a, b| b.0.cmp(&a.0).then(all[a.1].cost.total_cmp(&all[b.1].cost)));
    let mut made = Vec::new();
    for (rank, (_, number)) in best.iter().take(10).enumerate() {
        let first = &all[*number];
        let Some(changed) = case.applied(&first.edits) else { continue };
        let mut patched = case.clone();
        for (file, text) in changed {
            patched.files[file].text = text;
        }
        let mut second = templates.clone();
        second.most = 2_500;
        for next in second.candidates(&patched) {
            let Some(texts) = patched.applied(&next.edits) else { continue };
            let Some(edits) =
                texts.iter().map(|(file, text)| whole(*file, &case.files[*file].text, text)).collect()
            else {
                continue;
            };
            made.push(Candidate {
                edits,
                origin: "search/pair".into(),
                cost: next.cost + 0.25 * rank as f64 + 2.5,
                confidence: first.confidence * next.confidence,
                explanation: format!("{}; {}", first.explanation, next.explanation),
            });
        }
    }
    made.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    made
}

/// One edit that makes a text of another: from the first to the last difference.
pub fn whole(file: usize, old: &str, new: &str) -> Option<TextEdit> {
    let mut start = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
        start = start.checked_sub(1)?;
    }
    let (rest_old, rest_new) = (&old.as_bytes()[start..], &new.as_bytes()[start..]);
    let mut same = rest_old.iter().rev().zip(rest_new.iter().rev()).take_while(|(a, b)| a == b).count();
    while !old.is_char_boundary(old.len() - same) || !new.is_char_boundary(new.len() - same) {
        same = same.checked_sub(1)?;
    }
    let replacement = new.get(start..new.len() - same)?.to_owned();
    Some(TextEdit { file, start, end: old.len() - same, replacement })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_texts_differ_by_one_edit() {
        for (old, new) in
            [("abc", "abc"), ("abc", "axc"), ("aaa", "aa"), ("", "ü"), ("äö", "äü"), ("ab", "aab")]
        {
            let edit = whole(0, old, new).unwrap();
            assert_eq!(format!("{}{}{}", &old[..edit.start], edit.replacement, &old[edit.end..]), new);
        }
    }
}
