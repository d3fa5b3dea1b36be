//! Every isolation provider, on one page.

use crate::Provider;
use crate::providers::docker::{Docker, DockerSettings};
use crate::providers::gvisor::{Gvisor, GvisorSettings};
use crate::providers::native::{Native, NativeSettings};
use crate::providers::trusted::{Trusted, TrustedSettings};
use std::sync::Arc;

/// Settings of all providers.
#[derive(Debug, Clone, Default)]
pub struct SandboxSettings {
    /// The native provider's.
    pub native: NativeSettings,
    /// The gVisor provider's.
    pub gvisor: GvisorSettings,
    /// The Docker provider's.
    pub docker: DockerSettings,
    /// The trusted provider's.
    pub trusted: TrustedSettings,
}

/// The providers that this build has, in the order in which `auto` looks at those of equal strength. The trusted one
/// comes last, and `auto` never takes it.
pub fn all(settings: &SandboxSettings) -> Vec<Arc<dyn Provider>> {
    vec![
        Arc::new(Native::new(settings.native.clone())),
        Arc::new(Gvisor::new(settings.gvisor.clone())),
        Arc::new(Docker::new(settings.docker.clone())),
        Arc::new(Trusted::new(settings.trusted.clone())),
    ]
}
