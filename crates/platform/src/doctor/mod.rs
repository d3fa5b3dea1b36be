//! What this host offers, what is missing, how to get it, and what would be enforced.
//!
//! | module | what it holds |
//! |---|---|
//! | [`host`] | facts about the kernel and the machine, read from its files |
//! | [`remedies`] | how to get a protection that is missing |

pub mod host;
pub mod remedies;

use crate::config::Configuration;
use formicary_execution::LanguageStatus;
use formicary_model::{Level, Protection, ProtectionState};
use formicary_sandbox::Provider;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

pub use host::{Fact, Verdict};

/// The whole examination.
#[derive(Debug, Clone, Serialize)]
pub struct DoctorReport {
    /// Formicary's version.
    pub version: &'static str,
    /// The level that the configured provider reaches here.
    pub level: Level,
    /// Whether untrusted code can be run with full isolation.
    pub isolated: bool,
    /// Facts about the host.
    pub host: Vec<Fact>,
    /// Every provider, the configured one first.
    pub providers: Vec<ProviderReport>,
    /// Every language and its tools.
    pub languages: Vec<LanguageStatus>,
}

/// One provider's part.
#[derive(Debug, Clone, Serialize)]
pub struct ProviderReport {
    /// Its name.
    pub name: String,
    /// Whether it is the one that runs use.
    pub configured: bool,
    /// The level that it reaches.
    pub level: Level,
    /// Every protection in a fixed order.
    pub protections: Vec<ProtectionReport>,
}

/// One protection's part.
#[derive(Debug, Clone, Serialize)]
pub struct ProtectionReport {
    /// Which.
    pub protection: Protection,
    /// Its state.
    pub state: ProtectionState,
    /// How to get it, or to get it from the kernel itself, where that is not so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<&'static str>,
}

/// Examines the host and the providers.
pub fn examine(
    configuration: &Configuration,
    providers: &[Arc<dyn Provider>],
    languages: Vec<LanguageStatus>,
) -> DoctorReport {
    let configured = configuration.word("provider");
    let mut reports: Vec<ProviderReport> =
        providers.iter().map(|provider| report_on(provider.as_ref(), configured)).collect();
    reports.sort_by_key(|report| !report.configured);
    let level = reports.first().filter(|r| r.configured).map_or(Level::None, |report| report.level);
    DoctorReport {
        version: env!("CARGO_PKG_VERSION"),
        level,
        isolated: level >= Level::Isolated,
        host: host::facts(Path::new("/"), formicary_sandbox::host::probe()),
        providers: reports,
        languages,
    }
}

fn report_on(provider: &dyn Provider, configured: &str) -> ProviderReport {
    let enforcement = provider.capabilities();
    let protections = Protection::ALL.into_iter().map(|protection| {
        let state = enforcement.protections.get(&protection).cloned();
        let state =
            state.unwrap_or_else(|| ProtectionState::Missing("this provider does not have it".into()));
        let remedy = match &state {
            ProtectionState::Missing(_) => Some(remedies::when_missing(protection)),
            ProtectionState::Watched(_) => remedies::when_watched(protection),
            _ => None,
        };
        ProtectionReport { protection, state, remedy }
    });
    ProviderReport {
        name: provider.name().to_owned(),
        configured: provider.name() == configured,
        level: enforcement.level,
        protections: protections.collect(),
    }
}
