//! How many sessions there may be, and how long they live.

use std::time::Duration;

/// What a session manager is told at its start.
#[derive(Debug, Clone)]
pub struct SessionSettings {
    /// Sessions at one time.
    pub most: usize,
    /// A session ends after this time without a cell and without background work, unless its request says otherwise.
    pub idle: Duration,
    /// A sandbox of a session ends after this time whatever it does.
    pub lifetime: Duration,
    /// How long an interrupted cell may take to end before its interpreter is killed.
    pub grace: Duration,
}

impl Default for SessionSettings {
    fn default() -> Self {
        Self {
            most: 16,
            idle: Duration::from_secs(30 * 60),
            lifetime: Duration::from_secs(8 * 3600),
            grace: Duration::from_secs(3),
        }
    }
}
