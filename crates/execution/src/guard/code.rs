//! The language's name and the size of the code.

use super::{refuse, shown};
use crate::registry::Registry;
use formicary_model::{Failure, suggest};

/// The identifier of the language that `word` names, in any case, by identifier or alias.
pub fn validate_language(registry: &Registry, word: &str) -> Result<String, Failure> {
    if let Some(entry) = registry.find(word) {
        return Ok(entry.id().to_string());
    }
    let hint = match suggest::nearest(word, registry.words()) {
        Some(near) => format!("did you mean {near:?}? `formicary languages` lists them all"),
        None => format!("known languages: {}", registry.ids().collect::<Vec<_>>().join(", ")),
    };
    Err(refuse(format!("unknown language {}", shown(word)), hint))
}

/// Refuses what cannot be the name of an image.
pub fn check_image(name: &str) -> Result<(), Failure> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/:@".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if begins && name.len() <= 255 && name.chars().all(plain) {
        return Ok(());
    }
    Err(refuse(
        format!("{} is not the name of an image", shown(name)),
        "write it as the engine does, as in python:3.12-slim",
    ))
}

/// Refuses code of one file that is larger than `most` bytes.
pub fn check_code_size(bytes: u64, most: u64) -> Result<(), Failure> {
    at_most("the code", bytes, most, "max_code_bytes")
}

/// Refuses a folder whose files are larger than `most` bytes together.
pub fn check_project_size(bytes: u64, most: u64) -> Result<(), Failure> {
    at_most("the folder", bytes, most, "max_project_bytes")
}

fn at_most(what: &str, bytes: u64, most: u64, setting: &str) -> Result<(), Failure> {
    if bytes <= most {
        return Ok(());
    }
    Err(refuse(
        format!("{what} has {bytes} bytes, at most {most} are accepted"),
        format!("make it smaller, mount large data with --mount, or raise {setting} in the configuration"),
    ))
}
