//! The failure of who asked for something that cannot be.

use formicary_model::{Failure, FailureKind};

/// A wrong input, with its remedy.
pub fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}
