//! Every isolation provider, on one page.

use crate::Provider;
use crate::providers::auto::Auto;
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

/// The providers that this build has, and `auto`, which chooses among those that isolate, in this order where they are
/// equally strong. The trusted one is never chosen, only named.
pub fn all(settings: &SandboxSettings) -> Vec<Arc<dyn Provider>> {
    let isolating: Vec<Arc<dyn Provider>> = vec![
        Arc::new(Native::new(settings.native.clone())),
        Arc::new(Gvisor::new(settings.gvisor.clone())),
        Arc::new(Docker::new(settings.docker.clone())),
    ];
    let auto = Arc::new(Auto::new(isolating.clone()));
    let trusted = Arc::new(Trusted::new(settings.trusted.clone()));
    isolating.into_iter().chain([auto as Arc<dyn Provider>, trusted]).collect()
}
