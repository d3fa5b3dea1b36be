//! What inputs of several tools share.

use formicary_model::{Failure, FailureKind};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A wrong input, with the remedy.
pub(crate) fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

/// A tool's input from what the client sent.
pub(crate) fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Failure> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        invalid(format!("the arguments are wrong: {error}"), "the tool's input schema says what it takes")
    })
}

/// `path` is what models call the only path.
pub(crate) fn path_alone(arguments: &mut Map<String, Value>) {
    if let Some(path) = arguments.remove("path").filter(|path| !path.is_null()) {
        arguments.entry("paths").or_insert_with(|| Value::Array(vec![path]));
    }
}
