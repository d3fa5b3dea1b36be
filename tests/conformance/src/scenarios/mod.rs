//! What takes more than one program: many runs, two at once, a controller that is killed, a posture compared whole.

use crate::providers::Tested;
use formicary_model::Protection;
use std::path::PathBuf;

mod controller;
mod interference;
mod jobs;
mod load;
mod posture;

/// What a scenario is told about its surroundings.
#[derive(Debug, Clone)]
pub struct Stage {
    /// Whether there is time for the large numbers.
    pub long: bool,
    /// The controller program that is killed in the middle of its runs.
    pub controller: PathBuf,
}

/// One scenario.
pub struct Scenario {
    /// Its area and name, as in a path.
    pub name: &'static str,
    /// What the provider must claim, else it is skipped with that reason.
    pub needs: &'static [Protection],
    /// What happens.
    pub run: fn(&Tested, &Stage) -> Result<(), String>,
}

/// All of them.
pub fn all() -> Vec<Scenario> {
    [
        posture::scenarios(),
        interference::scenarios(),
        jobs::scenarios(),
        load::scenarios(),
        controller::scenarios(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
