//! Who may come in over HTTP: loopback alone, or whoever holds a key.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use formicary_model::{Failure, FailureKind};
use std::path::Path;
use std::sync::Arc;

/// A key shorter than this can be guessed.
const SHORTEST: usize = 20;
const MOST_BYTES: u64 = 1 << 20;

/// Keys, any of which opens the door. None: it stands open, and only on loopback.
#[derive(Clone, Default)]
pub struct Keys(Arc<[String]>);

// Keys do not belong into logs.
impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} keys", self.0.len())
    }
}

impl Keys {
    /// Reads a file with one key a line; empty lines and lines with `#` are passed over.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let wrong = |why: String| {
            Failure::new(FailureKind::InvalidInput, format!("key file {}: {why}", path.display())).hint(
                "write one key a line, each of 20 characters or more, into a file that only you may read",
            )
        };
        let metadata = path.metadata().map_err(|error| wrong(error.to_string()))?;
        if !metadata.is_file() || metadata.len() > MOST_BYTES {
            return Err(wrong("it is not a file of keys".into()));
        }
        if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o007 != 0 {
            return Err(wrong("everybody may read or change it".into()));
        }
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let keys: Vec<String> = lines.map(str::to_owned).collect();
        if keys.is_empty() {
            return Err(wrong("it holds no key".into()));
        }
        if keys.iter().any(|key| key.len() < SHORTEST || key.contains(char::is_whitespace)) {
            return Err(wrong("a key in it is too short or holds spaces".into()));
        }
        Ok(Self(keys.into()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn has(&self, given: &str) -> bool {
        // Every key is compared whole, so that time tells nothing.
        self.0.iter().fold(false, |found, key| same(key.as_bytes(), given.as_bytes()) | found)
    }
}

fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// Lets a request pass that bears a key, where keys are wanted.
pub(crate) async fn check(State(keys): State<Keys>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = given.and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    if keys.is_empty() || bearer.is_some_and(|key| keys.has(key)) {
        return next.run(request).await;
    }
    let refused = [(header::WWW_AUTHENTICATE, "Bearer realm=\"formicary\"")];
    (StatusCode::UNAUTHORIZED, refused, "a key is needed: Authorization: Bearer KEY\n").into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn key_files_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let read = |text: &str, mode: u32| {
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            Keys::read(&path)
        };
        let key = "0123456789abcdef0123";
        let keys = read(&format!("# mine\n\n {key} \n"), 0o600).unwrap();
        assert!(keys.has(key) && !keys.has("0123456789abcdef0124") && !keys.has(""));
        assert_eq!(format!("{keys:?}"), "1 keys");
        for (text, mode, expected) in [
            ("short", 0o600, "too short"),
            ("", 0o600, "no key"),
            ("0123456789abcdef 0123", 0o600, "spaces"),
            (key, 0o644, "everybody"),
        ] {
            let failure = read(text, mode).unwrap_err();
            assert!(failure.message.contains(expected), "{failure}");
        }
        assert!(Keys::read(folder.path()).is_err());
    }
}
