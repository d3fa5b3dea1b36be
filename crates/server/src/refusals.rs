//! Requests that were turned away for being too many, in the audit log. One record a second for each caller, with the number
//! of those between: whoever is refused ten thousand times must not fill the log.

use crate::app::App;
use crate::confine;
use crate::problem::Problem;
use crate::tenant::Tenant;
use formicary_model::{Failure, FailureKind};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two records of one caller.
const EVERY: Duration = Duration::from_secs(1);

/// When each caller's refusal was written down last, and how many came since.
#[derive(Debug, Default)]
pub struct Refusals(Mutex<BTreeMap<String, (Instant, u64)>>);

impl Refusals {
    /// Whether this one is to be written down, and how many were not since the last.
    fn due(&self, tenant: &str, now: Instant) -> Option<u64> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((noted, more)) = all.get_mut(tenant) else {
            all.insert(tenant.to_owned(), (now, 0));
            return Some(0);
        };
        if now.saturating_duration_since(*noted) < EVERY {
            *more += 1;
            return None;
        }
        *noted = now;
        Some(std::mem::take(more))
    }
}

impl App {
    /// Lets the audit log know, without holding up the answer.
    pub fn note_refusal(&self, tenant: &Tenant, problem: &Problem) {
        let Some(more) = self.refusals.due(&tenant.id, Instant::now()) else { return };
        let mut message = problem.body(None).detail;
        if more > 0 {
            message = format!("{message}; {more} more were refused since the last such record");
        }
        let refusal = Failure::new(FailureKind::InvalidInput, message);
        let (platform, caller) = (Arc::clone(&self.platform), confine::caller(tenant));
        tokio::task::spawn_blocking(move || {
            if let Err(failure) = platform.record_refusal(&caller, None, &refusal) {
                tracing::warn!(%failure, "a refusal is not in the audit log");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_a_second_is_written_down_with_the_number_of_the_others() {
        let (refusals, start) = (Refusals::default(), Instant::now());
        let at = |tenant: &str, millis: u64| refusals.due(tenant, start + Duration::from_millis(millis));
        assert_eq!(at("a", 0), Some(0));
        assert_eq!((at("a", 10), at("a", 999), at("b", 999)), (None, None, Some(0)));
        assert_eq!((at("a", 1_000), at("a", 1_001), at("a", 2_000)), (Some(2), None, Some(1)));
    }
}
