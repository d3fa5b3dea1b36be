//! One function a use-case: a request as JSON in, the answer as JSON out.
//!
//! | module | what it holds |
//! |---|---|
//! | [`execute`] | requests of runs, warmth |
//! | [`host`] | containers |

pub(crate) mod execute;
pub(crate) mod host;

use formicary_model::{Failure, FailureKind, LimitOverrides, Limits, TestReport};
use formicary_platform::policy::Policy;
use formicary_platform::testing::junit_xml;
use formicary_platform::use_case::{Context, Row};
use formicary_platform::{Cancel, Platform, local_caller, registry};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// What every operation works with.
pub(crate) struct Core {
    pub platform: Platform,
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
pub(crate) type Operation = Box<dyn Fn(&Core, &str, &Cancel) -> Result<String, Failure> + Send>;

type Function = fn(&Core, &str, &Cancel) -> Result<String, Failure>;

/// What is not in the registry of use cases yet.
const TABLE: &[(&str, Function)] = &[
    ("warm_up", execute::warm_up),
    ("junit", junit),
    ("docker_available", host::docker_available),
    ("docker_image", host::docker_image),
];

/// A report of tests in JUnit's XML.
fn junit(_: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    written(&junit_xml::write(&read::<TestReport>(text)?))
}

/// The operation of this name: a use case, or one of the table.
pub(crate) fn find(name: &str) -> Result<Operation, Failure> {
    if let Some(row) = registry::find(name) {
        return Ok(Box::new(|core, text, cancel| perform(row, core, text, cancel)));
    }
    let found = TABLE.iter().find(|(known, _)| *known == name).map(|(_, function)| *function);
    let function =
        found.ok_or_else(|| Failure::new(FailureKind::Internal, format!("no operation is called {name}")))?;
    Ok(Box::new(function))
}

/// Performs a use case for the user whose program this is.
fn perform(row: &Row, core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    written(&row.call(&core.platform, &context(core, cancel)?, read(text)?)?)
}

/// The user whose program this is, and what ends the work.
pub(crate) fn context(core: &Core, cancel: &Cancel) -> Result<Context<'static>, Failure> {
    let policy = Policy::local(core.working_folder(None)?);
    Ok(Context::new(local_caller().through("python"), policy).until(cancel.clone()))
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
