//! One function a use-case: a request as JSON in, the answer as JSON out.
//!
//! | module | what it holds |
//! |---|---|
//! | [`execute`] | running, judging |
//! | [`sessions`] | sessions of this process |
//! | [`review`] | reviews, reports, gates, pyscn's figures |
//! | [`patterns`] | search, rewriting, copies, refactorings, the index |
//! | [`debugging`] | diagnosis, mending, looking into a running program |
//! | [`testing`] | tests: running, writing, judging them |
//! | [`agent`] | the agent and its runs |
//! | [`host`] | languages, doctor, monitors, containers |
//! | [`keeping`] | images, caches, the configuration, the audit log |

pub(crate) mod agent;
pub(crate) mod debugging;
pub(crate) mod execute;
pub(crate) mod host;
pub(crate) mod keeping;
pub(crate) mod patterns;
pub(crate) mod review;
pub(crate) mod sessions;
pub(crate) mod testing;

use formicary_model::{Failure, FailureKind, LimitOverrides, Limits};
use formicary_platform::config::ConfigSources;
use formicary_platform::{Cancel, Platform};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// What every operation works with.
pub(crate) struct Core {
    pub platform: Platform,
    pub sources: ConfigSources,
}

impl Core {
    /// Where the user stands now: Python programs change their folder.
    #[expect(
        clippy::disallowed_methods,
        reason = "a door resolves the working folder, so that engines need not"
    )]
    pub(crate) fn working_folder(&self, given: Option<PathBuf>) -> Result<PathBuf, Failure> {
        let here = std::env::current_dir().map_err(|error| {
            Failure::new(FailureKind::InvalidInput, format!("the folder where you stand is gone: {error}"))
                .hint("change into a folder that exists")
        })?;
        Ok(given.map_or_else(|| here.clone(), |folder| here.join(folder)))
    }
}

/// An operation.
pub(crate) type Operation = fn(&Core, &str, &Cancel) -> Result<String, Failure>;

const TABLE: &[(&str, Operation)] = &[
    ("execute", execute::execute),
    ("judge", execute::judge),
    ("warm_up", execute::warm_up),
    ("session_create", sessions::create),
    ("session_run", sessions::run),
    ("session_list", sessions::list),
    ("session_files", sessions::files),
    ("session_put", sessions::put),
    ("session_get", sessions::get),
    ("session_reset", sessions::reset),
    ("session_close", sessions::close),
    ("review", review::review),
    ("review_rules", review::rules),
    ("review_fix", review::fix),
    ("review_baseline", review::baseline),
    ("pyscn", review::pyscn),
    ("search", patterns::search),
    ("rewrite", patterns::rewrite),
    ("undo", patterns::undo),
    ("clones", patterns::clones),
    ("refactorings", patterns::refactorings),
    ("refactor", patterns::refactor),
    ("symbols", patterns::symbols),
    ("calls", patterns::calls),
    ("diagnose", debugging::diagnose),
    ("diagnose_text", debugging::diagnose_text),
    ("fix", debugging::fix),
    ("inspect", debugging::inspect),
    ("run_tests", testing::run),
    ("generate_tests", testing::generate),
    ("mutate", testing::mutate),
    ("agent_replay", agent::replay),
    ("agent_runs", agent::runs),
    ("agent_show", agent::show),
    ("languages", host::languages),
    ("detect", host::detect),
    ("doctor", host::doctor),
    ("runs", host::runs),
    ("timeline", host::timeline),
    ("metrics", host::metrics),
    ("docker_available", host::docker_available),
    ("docker_image", host::docker_image),
    ("images", keeping::images),
    ("image_pull", keeping::pull_image),
    ("image_build", keeping::build_image),
    ("images_prune", keeping::prune_images),
    ("cache", keeping::cache),
    ("cache_prune", keeping::prune_cache),
    ("config", keeping::config),
    ("audit", keeping::audit),
    ("audit_verify", keeping::verify_audit),
];

/// The operation of this name.
pub(crate) fn find(name: &str) -> Result<Operation, Failure> {
    let found = TABLE.iter().find(|(known, _)| *known == name).map(|(_, operation)| *operation);
    found.ok_or_else(|| Failure::new(FailureKind::Internal, format!("no operation is called {name}")))
}

/// A request from its JSON.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| invalid(format!("the request is not well formed: {error}")))
}

/// An answer as JSON.
pub(crate) fn written<T: Serialize>(answer: &T) -> Result<String, Failure> {
    serde_json::to_string(answer).map_err(|error| {
        Failure::new(FailureKind::Internal, format!("the answer cannot be written: {error}"))
    })
}

pub(crate) fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message)
}

/// Refuses limits outside their bounds.
pub(crate) fn checked(overrides: &LimitOverrides) -> Result<(), Failure> {
    Limits::default().with(overrides).check().map_err(|error| {
        invalid(error.to_string()).hint(format!("set {} between {} and {}", error.name, error.min, error.max))
    })
}
