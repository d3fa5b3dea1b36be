//! Which language code is in: by shebang, file name and content, with a confidence.

mod content;
mod markers;
mod shebang;

use crate::registry::Registry;
use serde::Serialize;

/// A language that was recognised.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Detection {
    /// The language's identifier.
    pub language: String,
    /// From 0 to 1.
    pub confidence: f64,
    /// What it was recognised by, for people.
    pub why: String,
}

/// Below this confidence a guess is not acted upon.
pub const CONFIDENT_ENOUGH: f64 = 0.5;

/// The language that the code seems to be in. The file's ending counts most, then the shebang, then the content.
pub fn detect(registry: &Registry, file_name: Option<&str>, code: &[u8]) -> Option<Detection> {
    let by_name = file_name.and_then(|name| {
        let base = name.rsplit('/').next().unwrap_or(name);
        let (stem, extension) = base.rsplit_once('.')?;
        let entry = registry.by_extension(extension).filter(|_| !stem.is_empty())?;
        Some(Detection {
            language: entry.id().to_string(),
            confidence: 0.98,
            why: format!("the file name ends in .{extension}"),
        })
    });
    by_name.or_else(|| by_shebang(registry, code)).or_else(|| content::detect(code))
}

fn by_shebang(registry: &Registry, code: &[u8]) -> Option<Detection> {
    let program = shebang::program(code)?;
    let language = shebang::language_word(&program).and_then(|word| registry.find(word))?;
    Some(Detection {
        language: language.id().to_string(),
        confidence: 0.99,
        why: format!("the first line names {program}"),
    })
}

#[cfg(test)]
mod tests;
