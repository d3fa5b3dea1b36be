//! The providers under test: all that the registry knows.

use formicary_sandbox::Provider;
use std::sync::Arc;

/// Every provider that can be started on this host.
pub fn all() -> Vec<Arc<dyn Provider>> {
    Vec::new()
}

/// The provider of this name.
pub fn named(name: &str) -> Option<Arc<dyn Provider>> {
    all().into_iter().find(|provider| provider.name() == name)
}
