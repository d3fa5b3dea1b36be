//! A server in this process, and a way to call it.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use formicary_platform::Platform;
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::keys::{KeyFile, NewKey, Quota, Scope};
use formicary_server::{App, ServerSettings, router};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tower::ServiceExt as _;

pub struct Door {
    pub app: App,
    pub router: Router,
    // Held for its end.
    _folder: TempDir,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Bytes,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {:?}", self.bytes))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

#[expect(clippy::disallowed_methods, reason = "tests run the tools of this host")]
pub fn platform(folder: &TempDir, flags: &[(&str, &str)]) -> (Platform, ConfigSources) {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut environment = BTreeMap::from([("PATH".to_owned(), path)]);
    environment.insert("HOME".into(), folder.path().display().to_string());
    let mut sources = ConfigSources::new(environment, None);
    sources.system_file = None;
    sources.flags = vec![("pool.enabled".into(), "off".into()), ("cache.enabled".into(), "off".into())];
    sources.flags.extend(flags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
    (Platform::to_serve(Configuration::load(&sources).unwrap(), &sources).unwrap(), sources)
}

impl Door {
    /// A server without keys.
    pub fn open() -> Self {
        Self::with(|_, _| {})
    }

    /// A server with these settings.
    pub fn with(set: impl FnOnce(&mut ServerSettings, &TempDir)) -> Self {
        Self::made(&[], set)
    }

    /// A server with this configuration.
    pub fn configured(flags: &[(&str, &str)]) -> Self {
        Self::made(flags, |_, _| {})
    }

    fn made(flags: &[(&str, &str)], set: impl FnOnce(&mut ServerSettings, &TempDir)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (platform, sources) = platform(&folder, flags);
        let mut settings = ServerSettings::new("127.0.0.1:0".parse().unwrap());
        settings.sources = sources;
        set(&mut settings, &folder);
        let app = App::new(Arc::new(platform), settings);
        Self { router: router(app.clone()), app, _folder: folder }
    }

    /// A server with a key for each of these names.
    pub fn keyed(keys: &[(&str, &[Scope], Quota)]) -> (Self, Vec<String>) {
        Self::keyed_and(&[], keys)
    }

    /// The same with this configuration.
    pub fn keyed_and(flags: &[(&str, &str)], keys: &[(&str, &[Scope], Quota)]) -> (Self, Vec<String>) {
        let mut made = Vec::new();
        let door = Self::made(flags, |settings, folder| {
            let file = KeyFile::new(folder.path().join("keys.json"));
            for (name, scopes, quota) in keys {
                let new = NewKey {
                    name: (*name).into(),
                    scopes: scopes.to_vec(),
                    lifetime: (*name == "expired").then_some(0),
                    quota: *quota,
                };
                made.push(file.create(new, formicary_server::tenant::now()).unwrap().1);
            }
            settings.keys = Some(file);
        });
        (door, made)
    }

    pub async fn call(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Answer { status: parts.status, headers: parts.headers, bytes }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call(request("GET", path, None, Body::empty())).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.call(request("POST", path, None, body.to_string().into())).await
    }

    /// A call with a key.
    pub async fn as_key(&self, key: &str, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let body = body.map_or_else(Body::empty, |body| body.to_string().into());
        self.call(request(method, path, Some(key), body)).await
    }
}

pub fn request(method: &str, path: &str, key: Option<&str>, body: Body) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
    if method == "POST" {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    if let Some(key) = key {
        request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
    }
    request.body(body).unwrap()
}

/// Python, as a request has it.
pub fn python(code: &str) -> Value {
    serde_json::json!({ "language": "python", "source": { "code": { "code": code } } })
}

/// Looks until it is so. What takes longer than this is broken.
pub async fn until(what: &str, mut so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !so() {
        assert!(started.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
