//! Who may come in over HTTP: loopback alone, or whoever holds a key: one of the file that `formicary keys` keeps for every
//! server of this user's, or one of a plain list.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use formicary_model::{Failure, FailureKind};
use formicary_platform::keys::{KeyFile, Scope};
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A key shorter than this can be guessed.
const SHORTEST: usize = 20;
const MOST_BYTES: u64 = 1 << 20;

/// What a key of `formicary keys` must allow: what the tools do, all of it.
const NEEDED: [Scope; 3] = [Scope::Execute, Scope::Review, Scope::Debug];

/// Keys, any of which opens the door. None: it stands open, and only on loopback.
#[derive(Clone, Default)]
pub struct Keys(Kind);

#[derive(Clone)]
enum Kind {
    Plain(Arc<[String]>),
    Kept(Arc<KeyFile>),
}

impl Default for Kind {
    fn default() -> Self {
        Self::Plain(Arc::default())
    }
}

/// What a key that was presented is good for.
#[derive(Debug, PartialEq, Eq)]
enum Good {
    Enough,
    TooLittle,
    No,
}

// Keys do not belong into logs.
impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Kind::Plain(keys) => write!(f, "{} keys", keys.len()),
            Kind::Kept(file) => write!(f, "the keys in {}", file.path().display()),
        }
    }
}

impl Keys {
    /// Reads a file with one key a line, empty lines and lines with `#` passed over; or one that `formicary keys` keeps,
    /// which is looked at again for each request, so that a key that is revoked holds no longer.
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
        if text.trim_start().starts_with(['{', '[']) {
            let file = KeyFile::new(path);
            if file.list()?.is_empty() {
                return Err(wrong("it holds no key".into()));
            }
            return Ok(Self(Kind::Kept(Arc::new(file))));
        }
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let keys: Vec<String> = lines.map(str::to_owned).collect();
        if keys.is_empty() {
            return Err(wrong("it holds no key".into()));
        }
        if keys.iter().any(|key| key.len() < SHORTEST || key.contains(char::is_whitespace)) {
            return Err(wrong("a key in it is too short or holds spaces".into()));
        }
        Ok(Self(Kind::Plain(keys.into())))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Kind::Plain(keys) if keys.is_empty())
    }

    fn judge(&self, given: &str) -> Good {
        match &self.0 {
            // Every key is compared whole, so that time tells nothing.
            Kind::Plain(keys) => {
                let same =
                    keys.iter().fold(false, |found, key| same(key.as_bytes(), given.as_bytes()) | found);
                if same { Good::Enough } else { Good::No }
            }
            Kind::Kept(file) => {
                let keys = file.list().unwrap_or_default();
                let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
                match KeyFile::recognise(&keys, given).filter(|key| !key.is_expired(now)) {
                    Some(key) if NEEDED.iter().all(|scope| key.scopes.contains(scope)) => Good::Enough,
                    Some(_) => Good::TooLittle,
                    None => Good::No,
                }
            }
        }
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
    let good = if keys.is_empty() { Good::Enough } else { bearer.map_or(Good::No, |key| keys.judge(key)) };
    match good {
        Good::Enough => return next.run(request).await,
        Good::TooLittle => {
            let told = "the key needs the scopes execute, review and debug\n";
            return (StatusCode::FORBIDDEN, told).into_response();
        }
        Good::No => {}
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
        assert_eq!(keys.judge(key), Good::Enough);
        assert!(["0123456789abcdef0124", ""].iter().all(|wrong| keys.judge(wrong) == Good::No));
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

    #[test]
    fn the_keys_of_the_server_open_this_door_too() {
        let folder = tempfile::tempdir().unwrap();
        let file = KeyFile::new(folder.path().join("keys.json"));
        let make = |name: &str, scopes: &[Scope], lifetime| {
            let new = formicary_platform::keys::NewKey {
                name: name.into(),
                scopes: scopes.to_vec(),
                lifetime,
                ..Default::default()
            };
            file.create(new, 1).unwrap().1
        };
        let enough = make("enough", &NEEDED, None);
        let little = make("little", &[Scope::Execute], None);
        let expired = make("expired", &NEEDED, Some(1));
        let keys = Keys::read(file.path()).unwrap();
        assert!(!keys.is_empty() && !format!("{keys:?}").contains(&enough));
        for (key, good) in [
            (&enough, Good::Enough),
            (&little, Good::TooLittle),
            (&expired, Good::No),
            (&"x".to_owned(), Good::No),
        ] {
            assert_eq!(keys.judge(key), good);
        }
        file.revoke("enough").unwrap();
        assert_eq!(keys.judge(&enough), Good::No);
    }
}
