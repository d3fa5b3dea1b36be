//! From the host and its providers to the report.

use crate::conclusion::{self, Conclusion};
use crate::report::{AuditReport, DoctorReport, LevelReport, ProtectionReport, ProviderReport};
use crate::{host, remedies};
use formicary_execution::LanguageStatus;
use formicary_model::{Enforcement, Level, Protection, ProtectionState};
use formicary_sandbox::Provider;
use formicary_sandbox::assurance::{Guarantee, TABLE};
use formicary_sandbox::providers::{auto, trusted};
use std::path::Path;
use std::sync::Arc;

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
