//! Session identifiers.

use super::{refuse, shown};
use formicary_model::Failure;

/// Refuses identifiers other than 1 to 64 letters, digits, `_` and `-` that start with a letter or a digit.
pub fn validate_session_id(id: &str) -> Result<(), Failure> {
    let well_formed = (1..=64).contains(&id.len())
        && id.starts_with(|c: char| c.is_ascii_alphanumeric())
        && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if well_formed {
        return Ok(());
    }
    Err(refuse(
        format!("session id {} is not valid", shown(id)),
        "use 1 to 64 letters, digits, _ and -, starting with a letter or a digit",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        for (id, fine) in [
            ("a", true),
            ("A-9_z", true),
            ("0", true),
            ("", false),
            ("a/b", false),
            ("../x", false),
            ("-a", false),
            ("_a", false),
            ("a b", false),
            ("é", false),
            ("a\0", false),
        ] {
            assert_eq!(validate_session_id(id).is_ok(), fine, "{id:?}");
        }
        assert!(validate_session_id(&"x".repeat(64)).is_ok());
        assert!(validate_session_id(&"x".repeat(65)).is_err());
    }
}
