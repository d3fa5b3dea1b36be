//! What differs where the engine's runtime is `runsc`: between the program and the host's kernel is a guest's, which needs
//! room for itself, counts time in its own way, and lets the guest agent make no group for the program.

use super::DockerSettings;
use crate::guest::order;
use crate::providers::gvisor;
use bollard::Docker as Client;
use bollard::query_parameters::StatsOptionsBuilder;
use formicary_guest::message::run::{Resource, Sample};
use formicary_model::Limits;
use futures_util::StreamExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether containers are guests.
pub fn is_one(settings: &DockerSettings) -> bool {
    settings.runtime.as_deref().is_some_and(|runtime| runtime.contains("runsc"))
}

/// What the container may use, so that the program has what the limits say.
pub fn room(settings: &DockerSettings, limits: &Limits) -> Limits {
    if is_one(settings) { gvisor::sandbox::with_room_for_the_kernel(limits) } else { limits.clone() }
}

/// The limits that each process carries.
pub fn process_limits(settings: &DockerSettings, limits: &Limits) -> Vec<(Resource, u64)> {
    if is_one(settings) { gvisor::guest_limits(limits) } else { order::process_limits(limits) }
}

/// CPU time by the engine's account, in microseconds. A guest counts by ticks of its own, several times what was used.
#[derive(Debug, Clone, Default)]
pub struct Account(Arc<[AtomicU64; 2]>);

impl Account {
    /// Reads it until the container ends. The engine tells it once a second.
    pub async fn read(&self, client: &Client, name: &str) {
        let options = StatsOptionsBuilder::new().stream(true).build();
        let mut told = std::pin::pin!(client.stats(name, Some(options)));
        while let Some(Ok(stats)) = told.next().await {
            let usage = stats.cpu_stats.and_then(|cpu| cpu.cpu_usage).unwrap_or_default();
            let nanos = [usage.usage_in_usermode, usage.usage_in_kernelmode];
            for (known, now) in self.0.iter().zip(nanos) {
                known.fetch_max(now.unwrap_or(0) / 1000, Ordering::Relaxed);
            }
        }
        // The end of what is told is not the end of the run.
        std::future::pending::<()>().await;
    }

    /// What was seen inside, with the time as the engine knows it.
    pub fn correct(&self, inside: Sample) -> Sample {
        let [user, system] = [0, 1].map(|at| self.0[at].load(Ordering::Relaxed));
        Sample { user_micros: Some(user), system_micros: Some(system), ..inside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_guest_gets_room_for_a_kernel() {
        let settings = |runtime: Option<&str>| DockerSettings {
            runtime: runtime.map(str::to_string),
            ..DockerSettings::default()
        };
        let limits = Limits::default();
        for (runtime, guest) in [(None, false), (Some("runc"), false), (Some("runsc-ptrace"), true)] {
            let room = room(&settings(runtime), &limits);
            assert_eq!(room.memory_bytes > limits.memory_bytes, guest, "{runtime:?}");
            assert_eq!(room.processes > limits.processes, guest, "{runtime:?}");
        }
    }

    #[test]
    fn a_guests_own_clock_is_not_believed() {
        let account = Account::default();
        let inside = Sample { user_micros: Some(9_000_000), processes: Some(3), ..Sample::default() };
        account.0[0].store(5, Ordering::Relaxed);
        let seen = account.correct(inside);
        assert_eq!((seen.user_micros, seen.system_micros, seen.processes), (Some(5), Some(0), Some(3)));
    }
}
