//! The providers under test: all that the registry knows, and the native one also as it is on a host without cgroups.

use formicary_model::Level;
use formicary_sandbox::Provider;
use formicary_sandbox::providers::native::{Native, NativeSettings};
use formicary_sandbox::registry::{self, SandboxSettings};
use std::sync::Arc;

/// A provider under test, with the name that its tests carry.
#[derive(Clone)]
pub struct Tested {
    /// The first part of its tests' names.
    pub label: &'static str,
    /// The provider.
    pub provider: Arc<dyn Provider>,
}

const WITHOUT_CGROUPS: &str = "native_without_cgroups";

/// Every provider in every configuration that makes a difference on this host.
pub fn all() -> Vec<Tested> {
    let mut tested: Vec<Tested> = registry::all(&SandboxSettings::default())
        .into_iter()
        // Attacks on trusted code would be attacks on the host.
        .filter(|provider| provider.name() != formicary_sandbox::providers::trusted::NAME)
        .map(|provider| Tested { label: provider.name(), provider })
        .collect();
    // Where the host has no cgroups to give, the plain one is this one already.
    if tested.iter().any(|one| one.label == "native" && one.provider.capabilities().level == Level::Full) {
        let settings = NativeSettings { without_cgroups: true };
        tested.push(Tested { label: WITHOUT_CGROUPS, provider: Arc::new(Native::new(settings)) });
    }
    tested
}

/// The provider of this label, made anew: it sweeps what dead owners left, as every start does.
pub fn anew(label: &str) -> Option<Tested> {
    all().into_iter().find(|one| one.label == label)
}
