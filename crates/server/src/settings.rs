//! What a server is told at its start, and what it refuses to start with.

use formicary_model::{Failure, FailureKind};
use formicary_platform::Platform;
use formicary_platform::config::ConfigSources;
use formicary_platform::keys::KeyFile;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the server listens when nobody says.
pub const LISTEN: &str = "127.0.0.1:8765";

/// Requests under way at one time where others do the work.
const AT_ONCE_ELSEWHERE: usize = 256;

/// The settings of one server.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// The address; port 0 lets the kernel choose.
    pub listen: SocketAddr,
    /// Names by which it may be called, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// The keys; without them everybody who reaches it is let in.
    pub keys: Option<KeyFile>,
    /// Certificate chain and key, as PEM.
    pub tls: Option<TlsFiles>,
    /// Requests that work at one time.
    pub at_once: usize,
    /// Requests that may wait.
    pub waiting: usize,
    /// Largest body of a request.
    pub body_bytes: usize,
    /// Time in which a request must have come whole.
    pub body_time: Duration,
    /// Time for work under way when the server ends.
    pub grace: Duration,
    /// Where jobs and reviews of projects are kept for the time after a restart; nowhere where absent.
    pub state: Option<PathBuf>,
    /// Where the host's user keeps things, such as the agent's runs.
    pub sources: ConfigSources,
}

/// Certificate and key.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The chain, the server's own first.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// What the caller of `serve` says, above the configuration.
#[derive(Debug, Clone, Default)]
pub struct ServeOptions {
    /// The address.
    pub listen: Option<String>,
    /// The file of keys.
    pub keys: Option<PathBuf>,
    /// Further names.
    pub hosts: Vec<String>,
    /// Certificate and key.
    pub tls: Option<TlsFiles>,
}

impl ServerSettings {
    /// Settings for this address, everything else as it is by default.
    pub fn new(listen: SocketAddr) -> Self {
        Self {
            listen,
            hosts: Vec::new(),
            keys: None,
            tls: None,
            at_once: at_once(0),
            waiting: 64,
            body_bytes: 32 << 20,
            body_time: Duration::from_secs(30),
            grace: Duration::from_secs(10),
            state: None,
            sources: ConfigSources::default(),
        }
    }

    /// The settings of the configuration, with what the caller says above them.
    pub fn resolve(
        platform: &Platform,
        sources: &ConfigSources,
        options: ServeOptions,
    ) -> Result<Self, Failure> {
        let server = &platform.settings().server;
        let word = options.listen.as_deref().or(server.listen.as_deref()).unwrap_or(LISTEN);
        let listen: SocketAddr = word.replace("localhost:", "127.0.0.1:").parse().map_err(|_| {
            wrong(format!("{word:?} is no address to listen at"), "write ADDRESS:PORT, as in 127.0.0.1:8765")
        })?;
        let keys = keys(options.keys.or_else(|| server.keys.clone()), sources, listen)?;
        let hosts = server.hosts.iter().cloned().chain(options.hosts);
        let hosts = hosts.map(|host| host.trim().to_ascii_lowercase()).filter(|host| !host.is_empty());
        Ok(Self {
            listen,
            hosts: hosts.collect(),
            keys,
            tls: options.tls,
            at_once: match server.at_once {
                // The work is done elsewhere: here somebody waits for it.
                0 if platform.is_front() => AT_ONCE_ELSEWHERE,
                configured => at_once(configured),
            },
            waiting: server.waiting,
            body_bytes: server.body_bytes as usize,
            body_time: server.body_seconds,
            grace: server.grace_seconds,
            state: server.state.as_deref().map(folder).transpose()?,
            sources: sources.clone(),
        })
    }
}

/// The folder for what outlives the server. One that cannot be written is told at the start, not when the first job is lost.
fn folder(path: &Path) -> Result<PathBuf, Failure> {
    let told = |error: std::io::Error| {
        wrong(
            format!("server.state {}: {error}", path.display()),
            "name a folder that you may write, or leave it out",
        )
    };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(told)?;
    let trial = path.join(format!(".trial-{}", std::process::id()));
    std::fs::write(&trial, []).and_then(|()| std::fs::remove_file(&trial)).map_err(told)?;
    Ok(path.to_owned())
}

/// The file of keys where nobody names one: beside the user's configuration.
pub fn usual_keys(sources: &ConfigSources) -> Option<PathBuf> {
    Some(sources.user_file.as_ref()?.parent()?.join("keys.json"))
}

/// The keys that hold: those that were named must be there, and beyond this host there must be some.
fn keys(
    named: Option<PathBuf>,
    sources: &ConfigSources,
    listen: SocketAddr,
) -> Result<Option<KeyFile>, Failure> {
    let local = listen.ip().is_loopback();
    let is_named = named.is_some();
    // On this host no key is needed, and one that lies about does not change that.
    let path = if is_named || !local { named.or_else(|| usual_keys(sources)) } else { None };
    let file = path.map(KeyFile::new);
    let count = file.as_ref().map(KeyFile::list).transpose()?.map_or(0, |keys| keys.len());
    if count > 0 {
        return Ok(file);
    }
    if !local {
        return Err(wrong(
            format!("{listen} can be reached from elsewhere, and there are no keys"),
            "make one with `formicary keys create NAME`, or listen at 127.0.0.1",
        ));
    }
    match file {
        Some(file) if is_named => Err(wrong(
            format!("there are no keys in {}", file.path().display()),
            "make one with `formicary keys create NAME --keys FILE`",
        )),
        _ => Ok(None),
    }
}

fn at_once(configured: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    if configured == 0 { (cores * 4).max(8) } else { configured }
}

pub(crate) fn wrong(message: impl Into<String>, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidConfiguration, message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_this_host_keys_are_needed() {
        let folder = tempfile::tempdir().unwrap();
        let sources =
            ConfigSources { user_file: Some(folder.path().join("config.toml")), ..ConfigSources::default() };
        let of = |named: Option<PathBuf>, listen: &str| keys(named, &sources, listen.parse().unwrap());
        assert!(of(None, "127.0.0.1:1").unwrap().is_none());
        assert!(of(None, "[::1]:1").unwrap().is_none());
        for open in ["0.0.0.0:1", "[::]:1", "192.0.2.1:1"] {
            assert!(of(None, open).unwrap_err().message.contains("reached from elsewhere"), "{open}");
        }
        let none = folder.path().join("none.json");
        assert!(of(Some(none.clone()), "127.0.0.1:1").unwrap_err().message.contains("none.json"));
        let new = formicary_platform::keys::NewKey {
            name: "a".into(),
            scopes: vec![formicary_platform::keys::Scope::Execute],
            ..Default::default()
        };
        KeyFile::new(usual_keys(&sources).unwrap()).create(new, 0).unwrap();
        assert!(of(None, "0.0.0.0:1").unwrap().is_some());
        assert!(of(None, "127.0.0.1:1").unwrap().is_none());
    }
}
