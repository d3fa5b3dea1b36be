//! Tests that cannot run here. A skip without a reason, or one that nobody hears of, is a hole in the suite.

use std::io::Write;
use std::sync::Mutex;

/// Names the file to which skips of all test processes are added, one line each; the test command sums it up.
const FILE_VARIABLE: &str = "FORMICARY_TEST_SKIPS";

/// Collects what was skipped, for the summary.
#[derive(Debug, Default)]
pub struct Skips(Mutex<Vec<(String, String)>>);

impl Skips {
    /// Nothing skipped yet.
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Notes that `test` did not run, and why.
    pub fn note(&self, test: &str, why: &str) {
        tell_the_test_command(test, why);
        if let Ok(mut skipped) = self.0.lock() {
            skipped.push((test.to_owned(), why.to_owned()));
        }
    }

    /// One line for each reason: how many, why, and which. Empty where nothing was skipped.
    pub fn summary(&self) -> Vec<String> {
        let Ok(skipped) = self.0.lock() else { return Vec::new() };
        let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
        for (test, why) in skipped.iter() {
            match by_reason.iter_mut().find(|(reason, _)| reason == why) {
                Some((_, tests)) => tests.push(test),
                None => by_reason.push((why, vec![test])),
            }
        }
        by_reason
            .into_iter()
            .map(|(why, tests)| format!("skipped {}: {why} ({})", tests.len(), tests.join(", ")))
            .collect()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests learn from the environment where the test command listens"
)]
fn tell_the_test_command(test: &str, why: &str) {
    let Some(path) = std::env::var_os(FILE_VARIABLE) else { return };
    if let Ok(mut file) = std::fs::File::options().create(true).append(true).open(path) {
        // Nobody to tell if this fails; the summary of this process still names the skip.
        let _ = writeln!(file, "{test}: {why}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_gathered() {
        let skips = Skips::new();
        skips.0.lock().unwrap().extend(
            [("a", "needs root"), ("b", "no network"), ("c", "needs root")]
                .map(|(test, why)| (test.to_owned(), why.to_owned())),
        );
        assert_eq!(skips.summary(), ["skipped 2: needs root (a, c)", "skipped 1: no network (b)"]);
    }
}
