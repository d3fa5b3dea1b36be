//! Where the queue is and how it is reached. Secrets are held, used and never shown.

use crate::error::ClusterError;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How to reach the queue, and how it is laid out there. Everybody in one cluster must agree on name and times.
#[derive(Clone)]
pub struct ClusterSettings {
    /// `nats://[user:password@]host:port`, several separated by commas; `tls://` insists on TLS.
    pub url: String,
    /// A NATS credentials file (JWT and seed).
    pub credentials: Option<PathBuf>,
    /// Certificates to trust besides the system's.
    pub ca: Option<PathBuf>,
    /// The client's certificate and its key.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// The cluster's name: several can share one NATS.
    pub name: String,
    /// Copies that NATS keeps of each job and result; 1, 3 or 5.
    pub replicas: usize,
    /// How long a worker may be silent before its job goes to another.
    pub lease: Duration,
    /// How often a worker says that it lives; it counts as gone after three silent ones.
    pub heartbeat: Duration,
    /// How long results can be fetched.
    pub keep_results: Duration,
    /// How often a job is started before it goes to the dead letters.
    pub attempts: u64,
}

impl ClusterSettings {
    /// The queue at this address, everything else as it usually is.
    pub fn at(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            credentials: None,
            ca: None,
            identity: None,
            name: "formicary".into(),
            replicas: 1,
            lease: Duration::from_secs(30),
            heartbeat: Duration::from_secs(3),
            keep_results: Duration::from_secs(3600),
            attempts: 3,
        }
    }

    /// The addresses without user, password or token.
    pub fn shown(&self) -> String {
        let shown: Vec<String> = self.url.split(',').map(|url| without_secrets(url.trim())).collect();
        shown.join(",")
    }

    /// Whether these make sense at all.
    pub fn check(&self) -> Result<(), ClusterError> {
        if self.url.trim().is_empty() {
            return Err(ClusterError::invalid(
                "the cluster's address is empty",
                "give --cluster nats://HOST:PORT, or set cluster.url",
            ));
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if self.name.is_empty() || self.name.len() > 32 || !self.name.chars().all(fits) {
            return Err(ClusterError::invalid(
                format!("the cluster's name {:?} is not 1 to 32 letters, digits, - and _", self.name),
                "choose another cluster.name",
            ));
        }
        Ok(())
    }
}

impl fmt::Debug for ClusterSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterSettings")
            .field("url", &self.shown())
            .field("name", &self.name)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}

/// An address without what stands before the `@`.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
    let end = rest.find('/').unwrap_or(rest.len());
    let host = rest[..end].rsplit_once('@').map_or(&rest[..end], |(_, host)| host);
    format!("{scheme}://{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let cases = [
            ("nats://localhost:4222", "nats://localhost:4222"),
            ("nats://ann:s3cret@localhost:4222", "nats://localhost:4222"),
            ("tls://t0ken@a:1, nats://b:p@ss@b:2/x", "tls://a:1,nats://b:2"),
            ("ann:s3cret@localhost", "nats://localhost"),
        ];
        for (url, shown) in cases {
            let settings = ClusterSettings::at(url);
            assert_eq!(settings.shown(), shown);
            assert!(!format!("{settings:?}").contains("s3cret"), "{settings:?}");
        }
    }

    #[test]
    fn names_that_are_no_names_are_refused() {
        for name in ["", "a.b", "a b", "*", "ä"] {
            let settings = ClusterSettings { name: name.into(), ..ClusterSettings::at("nats://a") };
            assert!(settings.check().is_err(), "{name:?}");
        }
        assert!(ClusterSettings::at("  ").check().is_err());
        assert!(ClusterSettings::at("nats://a").check().is_ok());
    }
}
