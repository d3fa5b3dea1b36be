//! Results in figures: counts by verdict, throughput, and pass@k over groups.

use super::lines::prefix;
use formicary_model::{Failure, JudgeResult, JudgeSummary, NotJudged, Verdict};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// What counts of a result; of earlier results nothing else is read.
#[derive(Debug, Deserialize)]
pub struct Counted {
    /// The item's name.
    pub id: String,
    /// The line of the input.
    pub line: u64,
    /// The item's group.
    #[serde(default)]
    pub group: Option<String>,
    /// The verdict; absent where it could not be judged.
    pub verdict: Option<Verdict>,
    /// Its cases.
    pub cases: Vec<serde::de::IgnoredAny>,
    /// Why it could not be judged.
    #[serde(default)]
    pub error: Option<Failure>,
}

/// Reasons that are counted separately; what is beyond counts as one.
const MOST_REASONS: usize = 20;

/// Results counted so far.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    items: u64,
    errors: u64,
    cases: u64,
    verdicts: BTreeMap<Verdict, u64>,
    not_judged: Vec<NotJudged>,
    /// Answers and accepted ones, by group.
    groups: BTreeMap<String, (u64, u64)>,
}

impl Tally {
    /// Counts one result.
    pub fn add(&mut self, result: &JudgeResult) {
        self.count(result.verdict, result.group.as_deref(), result.cases.len() as u64);
        self.count_reason(result.line, result.error.as_ref());
    }

    /// Counts one result of an earlier run.
    pub fn add_earlier(&mut self, result: &Counted) {
        self.count(result.verdict, result.group.as_deref(), result.cases.len() as u64);
        self.count_reason(result.line, result.error.as_ref());
    }

    /// Counts why a program could not be judged; lines that fail for the same reason are one.
    fn count_reason(&mut self, line: u64, error: Option<&Failure>) {
        let Some(error) = error else { return };
        let reason = error.message.strip_prefix(&prefix(line)).unwrap_or(&error.message);
        if let Some(known) =
            self.not_judged.iter_mut().find(|known| known.reason == reason && known.hint == error.hint)
        {
            known.count += 1;
            return;
        }
        if self.not_judged.len() >= MOST_REASONS {
            if let Some(rest) = self.not_judged.last_mut() {
                "other reasons".clone_into(&mut rest.reason);
                rest.hint = None;
                rest.count += 1;
            }
            return;
        }
        self.not_judged.push(NotJudged {
            reason: reason.to_owned(),
            hint: error.hint.clone(),
            count: 1,
            first_line: line,
        });
    }

    fn count(&mut self, verdict: Option<Verdict>, group: Option<&str>, cases: u64) {
        self.items += 1;
        self.cases += cases;
        let Some(verdict) = verdict else {
            self.errors += 1;
            return;
        };
        *self.verdicts.entry(verdict).or_default() += 1;
        let Some(group) = group else { return };
        if !self.groups.contains_key(group) {
            self.groups.insert(group.to_string(), (0, 0));
        }
        if let Some((answers, accepted)) = self.groups.get_mut(group) {
            *answers += 1;
            *accepted += u64::from(verdict == Verdict::Accepted);
        }
    }

    /// Results so far.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Accepted programs so far.
    pub fn accepted(&self) -> u64 {
        self.verdicts.get(&Verdict::Accepted).copied().unwrap_or_default()
    }

    /// The figures. `earlier` is what was counted before this run began.
    pub fn summary(&self, earlier: &Self, took: Duration, wanted_k: &[u64]) -> JudgeSummary {
        let seconds = took.as_secs_f64();
        let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        let mut not_judged = self.not_judged.clone();
        not_judged.sort_by_key(|reason| (std::cmp::Reverse(reason.count), reason.first_line));
        JudgeSummary {
            not_judged,
            items: self.items,
            resumed: earlier.items,
            verdicts: self.verdicts.clone(),
            errors: self.errors,
            cases: self.cases,
            seconds,
            items_per_second: rate(self.items - earlier.items),
            cases_per_second: rate(self.cases - earlier.cases),
            groups: self.groups.len() as u64,
            pass_at: wanted_k.iter().filter_map(|k| Some((*k, self.pass_at(*k)?))).collect(),
        }
    }

    /// The mean over groups with at least `k` answers; `None` where there is none.
    fn pass_at(&self, k: u64) -> Option<f64> {
        let enough = self.groups.values().filter(|(answers, _)| k > 0 && *answers >= k);
        let estimates: Vec<f64> =
            enough.map(|(answers, accepted)| estimate(*answers, *accepted, k)).collect();
        (!estimates.is_empty()).then(|| estimates.iter().sum::<f64>() / estimates.len() as f64)
    }
}

/// The unbiased estimate that at least one of `k` answers drawn from `n`, of which `c` are right, is right:
/// 1 − C(n−c, k) / C(n, k), as a product so that nothing overflows.
fn estimate(n: u64, c: u64, k: u64) -> f64 {
    if n - c < k {
        return 1.0;
    }
    let all_wrong: f64 = (n - c + 1..=n).map(|i| 1.0 - k as f64 / i as f64).product();
    1.0 - all_wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::FailureKind;

    #[test]
    fn estimates() {
        for (n, c, k, expected) in [
            (1, 0, 1, 0.0),
            (1, 1, 1, 1.0),
            (10, 3, 1, 0.3),
            (10, 3, 10, 1.0),
            // 1 − C(7,5)/C(10,5) = 1 − 21/252
            (10, 3, 5, 1.0 - 21.0 / 252.0),
            // 1 − C(4,2)/C(5,2) = 1 − 6/10
            (5, 1, 2, 0.4),
            (200, 0, 100, 0.0),
            (200, 1, 100, 0.5),
        ] {
            assert!((estimate(n, c, k) - expected).abs() < 1e-12, "{n} {c} {k}: {}", estimate(n, c, k));
        }
    }

    fn result(group: Option<&str>, verdict: Option<Verdict>) -> JudgeResult {
        JudgeResult {
            id: "a".into(),
            line: 1,
            group: group.map(str::to_string),
            language: None,
            verdict,
            passed: 0,
            total: 0,
            cases: Vec::new(),
            compile: None,
            error: None,
        }
    }

    #[test]
    fn reasons_are_counted_and_lines_of_one_reason_are_one() {
        let mut tally = Tally::default();
        let broken = |line: u64, why: &str| {
            let failure =
                Failure::new(FailureKind::InvalidInput, format!("{}{why}", prefix(line))).hint("do this");
            JudgeResult { line, error: Some(failure), ..result(None, None) }
        };
        tally.add(&broken(1, "another"));
        for line in 2..200 {
            tally.add(&broken(line, "no tests"));
        }
        let summary = tally.summary(&Tally::default(), Duration::ZERO, &[]);
        let shown: Vec<(&str, u64, u64)> =
            summary.not_judged.iter().map(|one| (one.reason.as_str(), one.count, one.first_line)).collect();
        assert_eq!(shown, [("no tests", 198, 2), ("another", 1, 1)]);
        assert_eq!(summary.not_judged[0].hint.as_deref(), Some("do this"));
        for line in 200..400 {
            tally.add(&broken(line, &format!("reason {line}")));
        }
        let summary = tally.summary(&Tally::default(), Duration::ZERO, &[]);
        assert_eq!(summary.not_judged.len(), MOST_REASONS);
        assert_eq!(summary.not_judged.iter().map(|one| one.count).sum::<u64>(), summary.errors);
    }

    #[test]
    fn figures() {
        let mut tally = Tally::default();
        tally.add(&result(None, Some(Verdict::Accepted)));
        let earlier = tally.clone();
        for (group, verdict) in [
            ("a", Some(Verdict::Accepted)),
            ("a", Some(Verdict::WrongAnswer)),
            ("b", Some(Verdict::WrongAnswer)),
            ("b", None),
        ] {
            tally.add(&result(Some(group), verdict));
        }
        let summary = tally.summary(&earlier, Duration::from_secs(2), &[1, 2, 10]);
        assert_eq!((summary.items, summary.resumed, summary.errors, summary.groups), (5, 1, 1, 2));
        assert_eq!(summary.verdicts, [(Verdict::Accepted, 2), (Verdict::WrongAnswer, 2)].into());
        assert_eq!(summary.items_per_second, 2.0);
        assert_eq!(summary.pass_at, [(1, 0.25), (2, 1.0)].into());
        assert!(
            !summary.all_accepted() && earlier.summary(&Tally::default(), Duration::ZERO, &[]).all_accepted()
        );
    }
}
