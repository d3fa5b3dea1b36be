//! The maintained image of each language: official ones, the slimmest that can compile and run it.

/// Each language's identifier and its image; `images.LANGUAGE` in the configuration names another.
pub const DEFAULTS: [(&str, &str); 9] = [
    ("python", "python:3.12-slim"),
    ("javascript", "node:22-slim"),
    ("typescript", "node:22-slim"),
    ("java", "eclipse-temurin:21-jdk"),
    ("c", "gcc:14"),
    ("cpp", "gcc:14"),
    ("go", "golang:1.24"),
    ("rust", "rust:1-slim"),
    ("bash", "debian:12-slim"),
];

#[cfg(test)]
mod tests {
    use super::DEFAULTS;
    use formicary_model::Language;

    #[test]
    fn every_language_has_one() {
        for language in Language::ALL {
            assert!(DEFAULTS.iter().any(|(id, _)| *id == language.id()), "{}", language.id());
        }
    }
}
