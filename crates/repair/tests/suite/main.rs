//! Repair of real programs in the real sandbox: one binary, one file per subject.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and stand in for the front end that reads the environment"
)]

mod native;
mod remedies;
mod repair;

use native::NATIVE;
