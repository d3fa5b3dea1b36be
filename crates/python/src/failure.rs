//! Failures as a Python exception. The Python side turns it into the class of its kind.

use formicary_model::Failure;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

pyo3::create_exception!(_formicary, NativeFailure, PyException, "A failure: kind, message, hint.");

/// A failure with its kind, message and hint as the exception's arguments.
pub(crate) fn raised(failure: Failure) -> PyErr {
    let kind = serde_json::to_value(failure.kind).ok();
    let kind = kind.as_ref().and_then(|word| word.as_str()).unwrap_or("internal").to_owned();
    NativeFailure::new_err((kind, failure.message, failure.hint))
}
