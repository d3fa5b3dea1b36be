//! What this host offers, what is missing, how to get it, and what would be enforced.
//!
//! | module | what it holds |
//! |---|---|
//! | [`conclusion`] | all of it in one line |
//! | [`host`] | facts about the kernel and the machine, read from its files |
//! | [`remedies`] | how to get a protection that is missing |

pub mod conclusion;
pub mod host;
pub mod remedies;

use formicary_execution::LanguageStatus;
use formicary_model::{Enforcement, Level, Protection, ProtectionState};
use formicary_sandbox::Provider;
use formicary_sandbox::assurance::{Guarantee, TABLE};
use formicary_sandbox::providers::{auto, trusted};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

pub use conclusion::Conclusion;
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
    /// What each level guarantees, and which providers reach it here.
    pub levels: Vec<LevelReport>,
    /// Every language and its tools.
    pub languages: Vec<LanguageStatus>,
    /// Every debugger, as seen in the sandbox.
    pub debuggers: Vec<DebuggerReport>,
    /// The audit log.
    pub audit: AuditReport,
    /// All of it in one line.
    pub conclusion: Conclusion,
}

/// Whether runs are logged, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditReport {
    /// Whether runs are logged.
    pub kept: bool,
    /// The file or the server, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Bytes that it may take, where it is a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// Why runs are not logged, where they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// One debugger's part.
#[derive(Debug, Clone, Serialize)]
pub struct DebuggerReport {
    /// Its name, as `formicary inspect --adapter` takes it.
    pub name: &'static str,
    /// What it debugs.
    pub languages: Vec<&'static str>,
    /// Whether it is there; absent where nothing can be run to see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub there: Option<bool>,
    /// How to get it; absent where the language brings it along.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub get: Option<&'static str>,
}

/// One level's part.
#[derive(Debug, Clone, Serialize)]
pub struct LevelReport {
    /// Which.
    pub level: Level,
    /// What it guarantees.
    pub guarantees: &'static str,
    /// The rule by which it is reached.
    pub rule: &'static str,
    /// Providers that reach it on this host.
    pub providers: Vec<String>,
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
    /// Why it cannot be used here at all, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
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

/// Examines the host and the providers, of which one is configured.
pub fn examine(
    configured: &str,
    named: &host::Named,
    providers: &[Arc<dyn Provider>],
    languages: Vec<LanguageStatus>,
) -> DoctorReport {
    let configured = in_use(configured, providers);
    let configured = configured.as_str();
    let mut reports: Vec<ProviderReport> =
        choosable(providers).map(|provider| report_on(provider.as_ref(), configured)).collect();
    reports.sort_by_key(|report| !report.configured);
    let level = reports.first().filter(|r| r.configured).map_or(Level::None, |report| report.level);
    let mut report = DoctorReport {
        version: env!("CARGO_PKG_VERSION"),
        level,
        isolated: level >= Level::Isolated,
        host: host::facts(Path::new("/"), formicary_sandbox::host::probe(), named),
        levels: TABLE.iter().map(|guarantee| level_report(guarantee, &reports)).collect(),
        providers: reports,
        languages,
        debuggers: Vec::new(),
        audit: AuditReport::default(),
        conclusion: Conclusion::default(),
    };
    report.conclusion = conclusion::conclude(&report, conclusion::Means::of(Path::new("/")));
    report
}

/// The provider that runs use: the one that is configured, or the one that it chooses.
fn in_use(configured: &str, providers: &[Arc<dyn Provider>]) -> String {
    match providers.iter().find(|provider| provider.name() == configured) {
        Some(provider) if configured == auto::NAME => provider.capabilities().provider,
        _ => configured.to_owned(),
    }
}

/// All but the one that chooses among the others.
fn choosable(providers: &[Arc<dyn Provider>]) -> impl Iterator<Item = &Arc<dyn Provider>> {
    providers.iter().filter(|provider| provider.name() != auto::NAME)
}

fn level_report(guarantee: &Guarantee, reports: &[ProviderReport]) -> LevelReport {
    let reaches = |report: &&ProviderReport| report.unavailable.is_none() && report.level >= guarantee.level;
    LevelReport {
        level: guarantee.level,
        guarantees: guarantee.about,
        rule: guarantee.rule,
        providers: reports.iter().filter(reaches).map(|report| report.name.clone()).collect(),
    }
}

/// A provider that lacks everything for one and the same reason is not there.
fn unavailable(enforcement: &Enforcement) -> Option<String> {
    let mut reasons = enforcement.missing().map(|(_, why)| why);
    let first = reasons.next()?;
    let all = enforcement.missing().count() == Protection::ALL.len();
    (all && reasons.all(|why| why == first)).then(|| first.to_owned())
}

fn report_on(provider: &dyn Provider, configured: &str) -> ProviderReport {
    let enforcement = provider.capabilities();
    let protections = Protection::ALL.into_iter().map(|protection| {
        let state = enforcement.protections.get(&protection).cloned();
        let state =
            state.unwrap_or_else(|| ProtectionState::Missing("this provider does not have it".into()));
        let remedy = match &state {
            ProtectionState::Missing(_) if provider.name() == trusted::NAME => {
                Some("use another provider: this one runs trusted code as its caller")
            }
            ProtectionState::Missing(_) => Some(remedies::when_missing(protection)),
            ProtectionState::Watched(_) => remedies::when_watched(protection),
            _ => None,
        };
        ProtectionReport { protection, state, remedy }
    });
    ProviderReport {
        unavailable: unavailable(&enforcement),
        name: provider.name().to_owned(),
        configured: provider.name() == configured,
        level: enforcement.level,
        protections: protections.collect(),
    }
}
