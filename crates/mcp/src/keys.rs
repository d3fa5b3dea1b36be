//! Who may come in over HTTP: loopback alone, or whoever holds a key: one of the file that `formicary keys` keeps for every
//! server of this user's, each of which is a tenant; or one of a plain list, whose holders are one.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use formicary_model::{Failure, FailureKind};
use formicary_platform::keys::KeyFile;
use formicary_platform::tenants::{Refused, Tenant, Tenants};
use std::path::Path;
use std::sync::Arc;

/// A key shorter than this can be guessed.
const SHORTEST: usize = 20;
const MOST_BYTES: u64 = 1 << 20;

/// Keys, any of which opens the door. None: it stands open, and only on loopback.
#[derive(Clone, Default)]
pub struct Keys(Kind);

#[derive(Clone)]
enum Kind {
    Plain(Arc<[String]>),
    Kept(KeyFile),
}

impl Default for Kind {
    fn default() -> Self {
        Self::Plain(Arc::default())
    }
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
    /// which is looked at again from time to time, so that a key that is revoked holds no longer than a second.
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
            return Ok(Self(Kind::Kept(file)));
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

    /// The callers with these keys.
    pub(crate) fn tenants(&self) -> Tenants {
        Tenants::new(match &self.0 {
            Kind::Plain(_) => None,
            Kind::Kept(file) => Some(file.clone()),
        })
    }

    /// Who presents this key, or none.
    fn recognise(&self, tenants: &Tenants, given: Option<&str>) -> Result<Tenant, Refused> {
        if let Kind::Plain(keys) = &self.0
            && !keys.is_empty()
        {
            let given = given.ok_or(Refused::Unknown("a key is needed"))?;
            // Every key is compared whole, so that time tells nothing.
            let known = keys.iter().fold(false, |found, key| same(key.as_bytes(), given.as_bytes()) | found);
            return if known {
                Ok(Tenant::local())
            } else {
                Err(Refused::Unknown("the key is not known here"))
            };
        }
        tenants.recognise(given)
    }
}

fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// Whether there is one `Host`, with nothing but a name and a port in it: two proxies may each believe another one of
/// them, and only the first is compared with the names of this server.
fn names_one_host(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let one = hosts.next().is_some_and(|host| !host.as_bytes().iter().any(|byte| b"@, \t/".contains(byte)));
    one && hosts.next().is_none()
}

/// Lets a request pass that bears a key, where keys are wanted, and says whose it is.
pub(crate) async fn check(
    State((keys, tenants)): State<(Keys, Arc<Tenants>)>,
    mut request: Request,
    next: Next,
) -> Response {
    if !names_one_host(request.headers()) {
        return (StatusCode::BAD_REQUEST, "the request must name one host\n").into_response();
    }
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = given.and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    match keys.recognise(&tenants, bearer) {
        Ok(tenant) => {
            request.extensions_mut().insert(tenant);
            next.run(request).await
        }
        Err(Refused::Unknown(why)) => {
            let refused = [(header::WWW_AUTHENTICATE, "Bearer realm=\"formicary\"")];
            let told = format!("{why}: Authorization: Bearer KEY\n");
            (StatusCode::UNAUTHORIZED, refused, told).into_response()
        }
        Err(Refused::TooMuch { detail, .. }) => (StatusCode::TOO_MANY_REQUESTS, detail).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_request_names_one_host() {
        for (hosts, fine) in [
            (&["127.0.0.1:8930"][..], true),
            (&["[::1]:8930"], true),
            (&[], false),
            (&["127.0.0.1:8930", "evil.example"], false),
            (&["127.0.0.1:8930", "127.0.0.1:8930"], false),
            (&["evil.example@127.0.0.1:8930"], false),
            (&["127.0.0.1:8930, evil.example"], false),
        ] {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, axum::http::HeaderValue::from_static(host));
            }
            assert_eq!(names_one_host(&headers), fine, "{hosts:?}");
        }
    }

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
        let recognised = |given| keys.recognise(&keys.tenants(), given);
        assert_eq!(recognised(Some(key)), Ok(Tenant::local()));
        assert!(
            [Some("0123456789abcdef0124"), Some(""), None].iter().all(|wrong| recognised(*wrong).is_err())
        );
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
        use formicary_platform::keys::Scope;
        let folder = tempfile::tempdir().unwrap();
        let file = KeyFile::new(folder.path().join("keys.json"));
        let make = |name: &str, lifetime| {
            let new = formicary_platform::keys::NewKey {
                name: name.into(),
                scopes: vec![Scope::Review],
                lifetime,
                ..Default::default()
            };
            file.create(new, 1).unwrap().1
        };
        let (good, expired) = (make("good", None), make("expired", Some(1)));
        let keys = Keys::read(file.path()).unwrap();
        assert!(!keys.is_empty() && !format!("{keys:?}").contains(&good));
        let tenant = keys.recognise(&keys.tenants(), Some(&good)).unwrap();
        assert!(tenant.name == "good" && tenant.may(Scope::Review) && !tenant.may(Scope::Execute));
        for wrong in [Some(expired.as_str()), Some("x"), None] {
            assert!(keys.recognise(&keys.tenants(), wrong).is_err(), "{wrong:?}");
        }
        file.revoke("good").unwrap();
        assert!(keys.recognise(&keys.tenants(), Some(&good)).is_err());
    }
}
