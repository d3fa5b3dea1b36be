//! Diagnosis of real programs in the real sandbox: one binary, one file per subject.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and stand in for the front end that reads the environment"
)]

mod causes;
mod causes_of_javascript;
mod failures;
mod inspect;
mod native;

use native::NATIVE;
