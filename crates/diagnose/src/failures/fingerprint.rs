//! Who an error is: the same in two runs, though lines moved, addresses changed and numbers differ.

use formicary_model::ErrorDiagnosis;
use regex::Regex;
use std::sync::LazyLock;

static VOLATILE: LazyLock<Regex> =
    LazyLock::new(|| super::raw::pattern(r"0x[0-9a-fA-F]+|\d+|(?:/[\w.\-]+){2,}"));

/// Frames that take part.
const FRAMES: usize = 5;

/// The fingerprint of an error.
pub fn of(error: &ErrorDiagnosis) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(text.as_bytes());
        hasher.update(&[0]);
    };
    add(error.language.as_deref().unwrap_or_default());
    add(&error.error_type);
    add(&VOLATILE.replace_all(&error.message, "#"));
    if let Some(place) = &error.place {
        add(&place.file);
        add(place.function.as_deref().unwrap_or_default());
        // The line's text, not its number: it stays when lines above come and go.
        let text = place.frame.iter().find(|line| line.number == place.line);
        add(text.map_or("", |line| line.text.trim()));
    }
    for frame in error.stack.iter().filter(|frame| frame.own).take(FRAMES) {
        add(frame.function.as_deref().unwrap_or_default());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
