//! Every isolation provider, on one page.

use crate::Provider;
use crate::providers::native::{Native, NativeSettings};
use std::sync::Arc;

/// Settings of all providers.
#[derive(Debug, Clone, Default)]
pub struct SandboxSettings {
    /// The native provider's.
    pub native: NativeSettings,
}

/// The providers that this build has, the default one first.
pub fn all(settings: &SandboxSettings) -> Vec<Arc<dyn Provider>> {
    vec![Arc::new(Native::new(settings.native.clone()))]
}
