//! Noticing that nothing moves any more: the same action with the same error on the same files, a return to files that
//! failed before, a set of failing tests that stays as it is.

use std::collections::{BTreeSet, HashMap};

/// Times that the same may happen on the same files.
const SAME: u32 = 3;
/// Returns to files that failed before.
const RETURNS: u32 = 2;
/// Failed attempts with the very same failing tests.
const STILL: u32 = 4;

/// What was seen.
#[derive(Debug, Default)]
pub struct Circles {
    seen: HashMap<(String, String, String), u32>,
    failed: Vec<String>,
    returns: u32,
    failing: BTreeSet<String>,
    still: u32,
}

impl Circles {
    /// Notes an action, what came of it, and on which files. Gives the reason to stop.
    pub fn acted(&mut self, action: &str, error: &str, tree: &str) -> Option<String> {
        let count = self.seen.entry((action.into(), error.into(), tree.into())).or_default();
        *count += 1;
        let what: String = action.chars().take(80).collect();
        (*count >= SAME)
            .then(|| format!("{what} was done {count} times on the same files with the same result"))
    }

    /// Notes an attempt that failed. Gives the reason to stop.
    pub fn failed(&mut self, tree: &str, failing: &BTreeSet<String>) -> Option<String> {
        if self.failed.last().is_some_and(|last| last != tree) && self.failed.iter().any(|old| old == tree) {
            self.returns += 1;
        }
        self.failed.push(tree.to_owned());
        if self.returns >= RETURNS {
            return Some("the files go back and forth between states that failed before".into());
        }
        if failing.is_empty() || *failing != self.failing {
            self.failing.clone_from(failing);
            self.still = 0;
        }
        self.still += 1;
        let stuck = !failing.is_empty() && self.still >= STILL;
        stuck.then(|| format!("the same {} tests failed in {} attempts", failing.len(), self.still))
    }

    /// Whether these files failed before: worth a word to the model.
    pub fn is_known_failure(&self, tree: &str) -> bool {
        self.failed.iter().any(|old| old == tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn going_back_and_forth_is_seen() {
        let mut circles = Circles::default();
        let states = ["a", "b", "a", "b"];
        let ends: Vec<bool> = states.iter().map(|tree| circles.failed(tree, &set(&[])).is_some()).collect();
        assert_eq!(ends, [false, false, false, true]);
    }

    #[test]
    fn standing_still_is_seen() {
        let mut circles = Circles::default();
        let ends: Vec<bool> =
            ["a", "b", "c", "d"].iter().map(|tree| circles.failed(tree, &set(&["t1"])).is_some()).collect();
        assert_eq!(ends, [false, false, false, true]);
        let mut moving = Circles::default();
        for (tree, failing) in [("a", "1"), ("b", "2"), ("c", "1"), ("d", "2"), ("e", "1")] {
            assert_eq!(moving.failed(tree, &set(&[failing])), None);
        }
    }

    #[test]
    fn repetition_is_seen() {
        let mut circles = Circles::default();
        assert_eq!(circles.acted("run", "E", "t"), None);
        assert_eq!(circles.acted("run", "E", "u"), None);
        assert_eq!(circles.acted("run", "E", "t"), None);
        assert!(circles.acted("run", "E", "t").is_some());
    }
}
