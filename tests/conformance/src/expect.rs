//! What the outcome of a case must be, said by declaration where that is possible.
//!
//! The programs print `WORKED …` for what succeeded and `REFUSED …` for what did not (see `programs/c/attack.h`).

use formicary_model::{Status, ViolationKind};
use formicary_sandbox::{End, Outcome};
use std::time::Duration;

/// A check that no declaration covers. The error is the sentence that is printed.
type OwnCheck = fn(&Outcome) -> Result<(), String>;

/// The verdict expected. Every part that is set must hold.
#[derive(Default, Clone)]
pub struct Expect {
    statuses: Vec<Status>,
    end: Option<End>,
    output: Vec<&'static str>,
    never: Vec<&'static str>,
    violations: Vec<(ViolationKind, &'static str)>,
    within: Option<Duration>,
    check: Option<OwnCheck>,
}

impl Expect {
    /// The program ended well, and everything that it tried was refused.
    pub fn refused() -> Self {
        Self::status(Status::Success).prints("REFUSED").never("WORKED")
    }

    /// The program ended well and did what it wanted: it may.
    pub fn allowed() -> Self {
        Self::status(Status::Success).prints("WORKED")
    }

    /// The same where nobody hears of refused calls and packets: what depends on hearing of them falls away.
    #[must_use]
    pub fn unheard(&self) -> Self {
        let mut expect = self.clone();
        expect
            .violations
            .retain(|(kind, _)| !matches!(kind, ViolationKind::SystemCall | ViolationKind::Network));
        if expect.statuses.contains(&Status::Denied) {
            expect.statuses.push(Status::NonzeroExit);
        }
        expect
    }

    /// The same where forks are refused by a limit that tells nobody: it shows only if the processes are seen together.
    #[must_use]
    pub fn uncounted(&self) -> Self {
        let mut expect = self.clone();
        expect.violations.retain(|(kind, _)| *kind != ViolationKind::Processes);
        if expect.statuses.contains(&Status::ProcessLimit) {
            expect.statuses.push(Status::NonzeroExit);
        }
        expect
    }

    /// The same, and what was tried may work: it means nothing there.
    #[must_use]
    pub fn or_works(mut self) -> Self {
        self.never.clear();
        self.output.clear();
        self.violations.clear();
        self.or(&[Status::Success])
    }

    /// The same, with these statuses beside; what goes with one status alone falls away.
    #[must_use]
    pub fn or(mut self, statuses: &[Status]) -> Self {
        self.statuses.extend_from_slice(statuses);
        self.violations.clear();
        self.within = None;
        self.output.clear();
        self
    }

    /// This status, whatever was printed.
    pub fn status(status: Status) -> Self {
        Self::one_of(&[status])
    }

    /// One of these statuses.
    pub fn one_of(statuses: &[Status]) -> Self {
        Self { statuses: statuses.to_vec(), ..Self::default() }
    }

    /// This exit code.
    #[must_use]
    pub fn exits(self, code: i32) -> Self {
        Self { end: Some(End::Exited(code)), ..self }
    }

    /// Ended by this signal.
    #[must_use]
    pub fn dies_by(self, signal: i32) -> Self {
        Self { end: Some(End::Signaled(signal)), ..self }
    }

    /// This stands in stdout.
    #[must_use]
    pub fn prints(mut self, text: &'static str) -> Self {
        self.output.push(text);
        self
    }

    /// This stands nowhere in stdout.
    #[must_use]
    pub fn never(mut self, text: &'static str) -> Self {
        self.never.push(text);
        self
    }

    /// A violation of this kind, with this in its name, is on record.
    #[must_use]
    pub fn violation(mut self, kind: ViolationKind, what: &'static str) -> Self {
        self.violations.push((kind, what));
        self
    }

    /// The run took less than this: far less than its limit, far more than it needs.
    #[must_use]
    pub fn within(self, duration: Duration) -> Self {
        Self { within: Some(duration), ..self }
    }

    /// A further check.
    #[must_use]
    pub fn check(self, check: OwnCheck) -> Self {
        Self { check: Some(check), ..self }
    }

    /// Whether `outcome` is as expected; if not, the sentence that says how it differs.
    pub fn verify(&self, outcome: &Outcome) -> Result<(), String> {
        self.differs(outcome).map_err(|what| format!("{what}\n{}", describe(outcome)))
    }

    fn differs(&self, outcome: &Outcome) -> Result<(), String> {
        let stdout = String::from_utf8_lossy(&outcome.stdout.joined()).into_owned();
        if let Some(text) = self.never.iter().find(|text| stdout.contains(**text)) {
            return Err(format!("stdout holds {text:?}, which must not be there"));
        }
        if !self.statuses.is_empty() && !self.statuses.contains(&outcome.status) {
            let wanted: Vec<_> = self.statuses.iter().map(|status| status.word()).collect();
            return Err(format!("status is {}, expected {}", outcome.status, wanted.join(" or ")));
        }
        if self.end.is_some_and(|end| end != outcome.end) {
            return Err(format!("it ended with {:?}, expected {:?}", outcome.end, self.end));
        }
        if let Some(text) = self.output.iter().find(|text| !stdout.contains(**text)) {
            return Err(format!("stdout lacks {text:?}"));
        }
        for (kind, what) in &self.violations {
            if !outcome.violations.iter().any(|v| v.kind == *kind && v.what.contains(what)) {
                return Err(format!("no violation {kind:?} {what:?} on record"));
            }
        }
        if let Some(within) = self.within.filter(|within| outcome.duration > *within) {
            return Err(format!("it took {:?}, expected less than {within:?}", outcome.duration));
        }
        self.check.map_or(Ok(()), |check| check(outcome))
    }
}

/// What is worth knowing about an outcome that was not as expected.
pub fn describe(outcome: &Outcome) -> String {
    let shorten = |bytes: Vec<u8>| {
        let text: String = String::from_utf8_lossy(&bytes).chars().take(1500).collect();
        if text.is_empty() { "(nothing)".to_owned() } else { text }
    };
    format!(
        "status {}, {:?}, {:?}, level {}, violations {:?}, skipped {:?}\nstdout: {}\nstderr: {}",
        outcome.status,
        outcome.end,
        outcome.duration,
        outcome.enforcement.level,
        outcome.violations,
        outcome.skipped,
        shorten(outcome.stdout.joined()),
        shorten(outcome.stderr.joined()),
    )
}
