//! The providers under test: all that the registry knows, and the native one also as it is on a host without cgroups.

use crate::warm::Warm;
use formicary_model::Level;
use formicary_sandbox::Provider;
use formicary_sandbox::providers::docker::DockerSettings;
use formicary_sandbox::providers::native::{Native, NativeSettings};
use formicary_sandbox::providers::{auto, trusted};
use formicary_sandbox::registry::{self, SandboxSettings};
use std::sync::Arc;

/// A provider under test, with the name that its tests carry.
#[derive(Clone)]
pub struct Tested {
    /// The first part of its tests' names.
    pub label: &'static str,
    /// The provider.
    pub provider: Arc<dyn Provider>,
    /// How much it tells of what it refuses.
    pub hearing: Hearing,
    /// Whether its cases may run beside each other.
    pub company: Company,
}

/// How much a provider tells of what it refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hearing {
    /// Every refused system call and packet.
    Everything,
    /// That something was refused shows in nothing but the program's own words.
    Nothing,
}

/// Whether a provider's cases may run beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    /// One at a time: after each, the host is compared with what it was.
    Alone,
    /// Several at a time, since each takes long: the host is compared once, when all are done.
    Several,
}

const WITHOUT_CGROUPS: &str = "native_without_cgroups";

/// Every provider in every configuration that makes a difference on this host.
pub fn all() -> Vec<Tested> {
    let mut tested: Vec<Tested> = registry::all(&settings())
        .into_iter()
        // Attacks by trusted code would be attacks on the host: the runner makes a place for them first.
        .filter(|provider| provider.name() != trusted::NAME || has_a_place_for_the_trusted())
        // One of the others.
        .filter(|provider| provider.name() != auto::NAME)
        .map(under_test)
        .collect();
    // Where the host has no cgroups to give, the plain one is this one already.
    if tested.iter().any(|one| one.label == "native" && one.provider.capabilities().level == Level::Full) {
        let settings = NativeSettings { without_cgroups: true, pool: None };
        let alone = |label, provider: Arc<dyn Provider>| Tested {
            label,
            provider,
            hearing: Hearing::Everything,
            company: Company::Alone,
        };
        tested.push(alone(WITHOUT_CGROUPS, Arc::new(Native::new(settings))));
        tested.push(alone("native_warm_without_cgroups", Arc::new(Warm::new(true))));
    }
    let provider = Arc::new(Warm::new(false));
    let (hearing, company) = (Hearing::Everything, Company::Alone);
    tested.push(Tested { label: "native_warm", provider, hearing, company });
    tested
}

/// The engine under test is the one that the runner started for it, where it names one.
#[expect(clippy::disallowed_methods, reason = "the runner tells of its engine by the environment")]
fn settings() -> SandboxSettings {
    let socket = std::env::var_os("FORMICARY_TEST_DOCKER").map(std::path::PathBuf::from);
    let docker = DockerSettings { socket, ..DockerSettings::default() };
    SandboxSettings { docker, ..SandboxSettings::default() }
}

/// Whether this process was put into namespaces of its own, with a `/tmp` of its own, in order to let trusted code attack.
#[expect(clippy::disallowed_methods, reason = "the runner tells by the environment")]
pub fn has_a_place_for_the_trusted() -> bool {
    let own = std::fs::read_link("/proc/self/ns/mnt").map(|link| link.into_os_string()).ok();
    own.is_some() && std::env::var_os("FORMICARY_TEST_TRUSTED") == own
}

/// Why a provider cannot be tried here at all: it lacks everything for one and the same reason.
pub fn unavailable(tested: &Tested) -> Option<String> {
    let claims = tested.provider.capabilities();
    let reasons: std::collections::BTreeSet<&str> = claims.missing().map(|(_, why)| why).collect();
    let all = claims.missing().count() == formicary_model::Protection::ALL.len();
    if all && reasons.len() == 1 && tested.label != trusted::NAME {
        return reasons.into_iter().next().map(str::to_owned);
    }
    None
}

/// Only the native provider hears of what it refuses, and is quick enough to be watched one case at a time.
fn under_test(provider: Arc<dyn Provider>) -> Tested {
    let (hearing, company) = match provider.name() {
        "native" => (Hearing::Everything, Company::Alone),
        _ => (Hearing::Nothing, Company::Several),
    };
    Tested { label: provider.name(), provider, hearing, company }
}

/// The provider of this label, made anew: it sweeps what dead owners left, as every start does.
pub fn anew(label: &str) -> Option<Tested> {
    all().into_iter().find(|one| one.label == label)
}
