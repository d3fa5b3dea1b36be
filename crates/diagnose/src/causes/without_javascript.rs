//! A build without a parser of JavaScript explains no values of it.

use super::Reported;
use formicary_model::{ExecutionRequest, Language};

pub(super) fn request(_: &ExecutionRequest, _: Language, _: &str) -> Option<ExecutionRequest> {
    None
}

pub(super) fn read(_: &[u8]) -> Option<Reported> {
    None
}
