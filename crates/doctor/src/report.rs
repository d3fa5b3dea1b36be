//! The examination as it is reported.

use crate::conclusion::Conclusion;
use crate::host::Fact;
use formicary_execution::LanguageStatus;
use formicary_model::{Level, Protection, ProtectionState};
use serde::Serialize;

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
