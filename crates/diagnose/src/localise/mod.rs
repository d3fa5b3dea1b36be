//! Which lines are to blame: what failing tests run and passing tests do not.

pub mod hits;
pub mod slices;

use std::collections::{HashMap, HashSet};

/// A line of a file, both as numbers.
pub type Line = (usize, u32);

/// One check of a test with the lines that it ran.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observation {
    /// Whether it passed.
    pub passed: bool,
    /// What it ran.
    pub lines: HashSet<Line>,
}

/// How suspicious a line is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Ochiai: from nothing to one.
    pub ochiai: f64,
    /// D* with an exponent of two; infinite where only failing tests come by.
    pub dstar: f64,
    /// Failing checks that ran it.
    pub failed: usize,
    /// Passing checks that ran it.
    pub passed: usize,
}

/// The scores of all lines that a failing check ran.
pub fn spectrum(observations: &[Observation]) -> HashMap<Line, Score> {
    let all_failed = observations.iter().filter(|seen| !seen.passed).count();
    let mut counts: HashMap<Line, (usize, usize)> = HashMap::new();
    for seen in observations {
        for line in &seen.lines {
            let (failed, passed) = counts.entry(*line).or_default();
            *(if seen.passed { passed } else { failed }) += 1;
        }
    }
    let score = |(line, (failed, passed)): (Line, (usize, usize))| {
        let (f, p, all) = (failed as f64, passed as f64, all_failed as f64);
        let ochiai = f / (all * (f + p)).sqrt();
        let missed = p + (all - f);
        let dstar = if missed == 0.0 { f64::INFINITY } else { f * f / missed };
        (line, Score { ochiai, dstar, failed, passed })
    };
    counts.into_iter().filter(|(_, (failed, _))| *failed > 0).map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_failing_tests_alone_come_first() {
        let seen =
            |passed, lines: &[u32]| Observation { passed, lines: lines.iter().map(|l| (0, *l)).collect() };
        let scores =
            spectrum(&[seen(true, &[1, 2]), seen(false, &[1, 3]), seen(true, &[1, 2]), seen(false, &[1, 3])]);
        assert!(!scores.contains_key(&(0, 2)));
        assert_eq!(scores[&(0, 3)].ochiai, 1.0);
        assert!(scores[&(0, 3)].dstar.is_infinite());
        assert!(scores[&(0, 1)].ochiai < 0.8);
        assert_eq!((scores[&(0, 1)].failed, scores[&(0, 1)].passed), (2, 2));
    }
}
