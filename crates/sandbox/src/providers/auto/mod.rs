//! Choosing by strength: the strongest provider on this host that meets what the caller requires. The outcome names the one
//! that was chosen; where none is strong enough, the error says for each what it lacks.

use crate::assurance::insist;
use crate::provider::{Provider, RunIo};
use crate::providers::docker;
use crate::{Job, Outcome, SandboxError};
use formicary_model::{Assurance, Enforcement, Level};
use std::sync::Arc;

/// The provider's word.
pub const NAME: &str = "auto";

/// The strongest of several providers.
pub struct Auto {
    candidates: Vec<Arc<dyn Provider>>,
}

impl Auto {
    /// Chooses among these; of equal strength, the first.
    pub fn new(candidates: Vec<Arc<dyn Provider>>) -> Self {
        Self { candidates }
    }

    /// What each offers, the strongest first.
    fn ranked(&self) -> Vec<(&Arc<dyn Provider>, Enforcement)> {
        let mut ranked: Vec<_> = Vec::new();
        for candidate in &self.candidates {
            ranked.push((candidate, candidate.capabilities()));
            // None is stronger: the others need not be asked.
            if ranked.last().is_some_and(|(_, claims)| claims.level == Level::Full) {
                break;
            }
        }
        // Stable: of equal strength, the first stays first.
        ranked.sort_by_key(|(_, claims)| std::cmp::Reverse(claims.level));
        ranked
    }
}

impl Provider for Auto {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Enforcement {
        self.ranked().into_iter().next().map_or_else(|| Enforcement::new(NAME), |(_, claims)| claims)
    }

    fn run(&self, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        if job.image.is_some()
            && let Some(docker) = self.candidates.iter().find(|candidate| candidate.name() == docker::NAME)
        {
            return docker.run(job, io);
        }
        let ranked = self.ranked();
        match ranked.first() {
            Some((provider, claims)) if insist(claims, job.assurance).is_ok() => provider.run(job, io),
            _ => Err(none_is_enough(&ranked, job.assurance)),
        }
    }
}

fn none_is_enough(ranked: &[(&Arc<dyn Provider>, Enforcement)], assurance: Assurance) -> SandboxError {
    let mut reached = Level::None;
    let mut missing = Vec::new();
    for (_, claims) in ranked {
        reached = reached.max(claims.level);
        if let Err(SandboxError::LevelNotReached { missing: why, .. }) = insist(claims, assurance) {
            missing.push(why);
        }
    }
    let wanted = match assurance {
        Assurance::Require(wanted) => wanted,
        Assurance::BestEffort => Level::None,
    };
    SandboxError::LevelNotReached { reached, wanted, missing: missing.join(" | ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{Cancel, Stdin};
    use formicary_model::{Protection, ProtectionState};

    /// A provider that claims a level and never runs anything.
    struct Claims(&'static str, Level);

    impl Provider for Claims {
        fn name(&self) -> &'static str {
            self.0
        }

        fn capabilities(&self) -> Enforcement {
            let mut claims = Enforcement::new(self.0);
            for protection in Protection::ALL {
                claims.record(protection, ProtectionState::Enforced("test".into()));
            }
            match self.1 {
                Level::Full => {}
                Level::Isolated => {
                    claims.record(Protection::Memory, ProtectionState::Watched("test".into()));
                }
                _ => claims.record(Protection::Network, ProtectionState::Missing("no reason".into())),
            }
            claims
        }

        fn run(&self, _: &Job, _: RunIo<'_>) -> Result<Outcome, SandboxError> {
            Err(SandboxError::InvalidJob(format!("{} was chosen", self.0)))
        }
    }

    fn chosen(levels: &[(&'static str, Level)], assurance: Assurance) -> String {
        let candidates =
            levels.iter().map(|(name, level)| Arc::new(Claims(name, *level)) as Arc<dyn Provider>);
        let mut job = Job::new(["true"]);
        job.assurance = assurance;
        let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel: Cancel::default() };
        Auto::new(candidates.collect()).run(&job, io).unwrap_err().to_string()
    }

    #[test]
    fn the_strongest_is_chosen_and_the_first_of_equals() {
        let any = Assurance::BestEffort;
        assert_eq!(
            chosen(&[("a", Level::Isolated), ("b", Level::Full), ("c", Level::Full)], any),
            "b was chosen"
        );
        assert_eq!(chosen(&[("a", Level::Limited), ("b", Level::Isolated)], any), "b was chosen");
    }

    #[test]
    fn where_none_is_enough_each_says_what_it_lacks() {
        let said = chosen(&[("a", Level::Limited), ("b", Level::Isolated)], Assurance::Require(Level::Full));
        for part in ["provider a: network is missing (no reason)", "provider b: memory is only watched"] {
            assert!(said.contains(part), "{said}");
        }
    }
}
