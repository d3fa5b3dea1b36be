//! The settings that a run began with, kept with it. A run that goes on later asks the model that it began with, in the same
//! kind of sandbox, whatever the configuration says by then; only what the user names for the resumed run is otherwise.

use super::invalid;
use crate::config::table::Kind;
use crate::config::{Configuration, Key, Origin, Resolved, Value};
use crate::key;
use formicary_model::{ExecutionRequest, Failure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

const BASE_URL: Key = key!(llm.base_url);
/// What says where requests go, and with which key: these belong together.
const ADDRESS: [Key; 4] = [BASE_URL, key!(llm.key_file), key!(llm.key_variable), key!(llm.proxy)];
/// Parameters of an address that hold no secret.
const PLAIN_PARAMETERS: [&str; 1] = ["api-version"];

/// How a run reaches its model. Keys are not among it: only where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct ModelSettings(pub BTreeMap<String, serde_json::Value>);

impl ModelSettings {
    /// The settings as they are now.
    pub fn record(configuration: &Configuration) -> Self {
        let own = configuration.rows.iter().filter(|row| key!(llm).holds(row.key));
        Self(own.map(|row| (row.key.to_owned(), plain(row))).collect())
    }

    /// The configuration with these settings in the place of its own, except for those that a flag names.
    pub fn restore(&self, configuration: &Configuration) -> Result<Configuration, Failure> {
        let kept = |row: &Resolved| self.0.get(row.key).filter(|kept| **kept != plain(row));
        let is_flag = |row: &Resolved| row.origin == Origin::Flag;
        // A key that was meant for one server is not sent to another.
        let moved = configuration
            .rows
            .iter()
            .any(|row| BASE_URL.holds(row.key) && is_flag(row) && kept(row).is_some());
        configuration.changed(|row| {
            let elsewhere = moved && ADDRESS.iter().any(|key| key.holds(row.key));
            // Where they are the same, the present one may hold the secret that was left out.
            kept(row).filter(|_| !is_flag(row) && !elsewhere).map(|kept| value(row, kept))
        })
    }

    /// For runs of versions that kept no settings: the server must be named, because nobody knows which it was.
    pub fn without(configuration: &Configuration) -> Result<Configuration, Failure> {
        if *configuration.origin(BASE_URL) != Origin::Flag {
            return Err(invalid(
                "the run does not say which server its model was asked at",
                "name it by the setting llm.base_url for this command, or start a new run",
            ));
        }
        Ok(configuration.clone())
    }
}

/// The sandbox's settings that somebody made go into the request, which is kept.
pub(super) fn freeze(configuration: &Configuration, request: &mut ExecutionRequest) {
    let settings = &configuration.settings;
    let (run, compile) = configuration.set_limits();
    request.limits.wall_seconds.get_or_insert(settings.limits.wall_seconds);
    request.environment.limits = request.environment.limits.clone().or(&run);
    request.compile_limits = request.compile_limits.clone().or(&compile);
    if configuration.is_set(key!(provider)) {
        request.provider.get_or_insert_with(|| settings.provider.clone());
    }
}

/// A value as it is kept: without the secrets that an address may hold.
fn plain(row: &Resolved) -> serde_json::Value {
    let is_address = [BASE_URL, key!(llm.proxy)].iter().any(|key| key.holds(row.key));
    match &row.value {
        Value::Number(number) => (*number).into(),
        Value::Text(text) if is_address => without_secrets(text).into(),
        Value::Text(text) => text.clone().into(),
        Value::Path(path) => path.display().to_string().into(),
        Value::Unset | Value::Paths(_) => serde_json::Value::Null,
    }
}

fn value(row: &Resolved, kept: &serde_json::Value) -> Value {
    match kept {
        serde_json::Value::Number(number) => number.as_f64().map_or(Value::Unset, Value::Number),
        serde_json::Value::String(text) if row.kind == Kind::Path => Value::Path(PathBuf::from(text)),
        serde_json::Value::String(text) => Value::Text(text.clone()),
        _ => Value::Unset,
    }
}

/// An address without user, password and parameters of which one may be a key.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), url),
    };
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let plain =
        |parameter: &&str| PLAIN_PARAMETERS.contains(&parameter.split('=').next().unwrap_or_default());
    let query: Vec<&str> = query.split('&').filter(plain).collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    format!("{scheme}{host}{path}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigSources;

    fn configured(environment: &[(&str, &str)], flags: &[(&str, &str)]) -> Configuration {
        let own = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        let sources = ConfigSources {
            environment: own(environment).into_iter().collect(),
            flags: own(flags),
            ..ConfigSources::default()
        };
        Configuration::load(&sources).unwrap()
    }

    fn base_url(configuration: &Configuration) -> &str {
        configuration.settings.llm.base_url.as_deref().unwrap_or_default()
    }

    #[test]
    fn secrets_are_not_kept() {
        for (url, kept) in [
            ("http://127.0.0.1:8/v1", "http://127.0.0.1:8/v1"),
            ("https://me:secret@models.example/v1", "https://models.example/v1"),
            ("https://models.example/v1?key=secret", "https://models.example/v1"),
            ("https://models.example/v1?api-version=1&key=secret", "https://models.example/v1?api-version=1"),
            ("me:secret@proxy:3128", "proxy:3128"),
        ] {
            assert_eq!(without_secrets(url), kept);
        }
        let now = configured(&[], &[("llm.base_url", "https://me:hidden@models.example/v1")]);
        let kept = ModelSettings::record(&now);
        assert!(!serde_json::to_string(&kept).unwrap().contains("hidden"));
        assert_eq!(
            kept.restore(&now).unwrap().settings.llm.base_url,
            now.settings.llm.base_url,
            "the same server, with its secret"
        );
    }

    #[test]
    fn what_a_run_began_with_holds_unless_a_flag_says_otherwise() {
        let local =
            [("llm.base_url", "http://127.0.0.1:8/v1"), ("llm.key_variable", "OWN"), ("llm.retries", "7")];
        let kept = ModelSettings::record(&configured(&[], &local));
        let bare = kept.restore(&configured(&[], &[])).unwrap();
        assert_eq!(base_url(&bare), "http://127.0.0.1:8/v1");
        assert_eq!((bare.settings.llm.key_variable.as_deref(), bare.settings.llm.retries), (Some("OWN"), 7));
        let changed = configured(&[("FORMICARY_LLM_BASE_URL", "https://public.example/v1")], &[]);
        assert_eq!(base_url(&changed), "https://public.example/v1", "the environment has it");
        assert_eq!(
            base_url(&kept.restore(&changed).unwrap()),
            "http://127.0.0.1:8/v1",
            "it is not named for the run"
        );
        let named = kept.restore(&configured(&[], &[("llm.base_url", "https://public.example/v1")])).unwrap();
        assert_eq!(base_url(&named), "https://public.example/v1");
        assert_eq!(named.settings.llm.key_variable, None, "the key of the other server stays there");
        assert_eq!(named.settings.llm.retries, 7);
        // A run that began without an address goes on without one.
        let usual = ModelSettings::record(&configured(&[], &[]));
        assert_eq!(usual.restore(&changed).unwrap().settings.llm.base_url, None);
        assert!(ModelSettings::without(&changed).is_err());
        assert!(ModelSettings::without(&configured(&[], &local)).is_ok());
    }

    #[test]
    fn the_sandbox_stays_as_it_was_set() {
        let mut request = ExecutionRequest::default();
        freeze(&configured(&[], &[("provider", "gvisor"), ("limits.processes", "9")]), &mut request);
        assert_eq!(request.provider.as_deref(), Some("gvisor"));
        assert_eq!((request.limits.processes, request.limits.memory_bytes), (Some(9), None));
        assert_eq!(request.limits.wall_seconds, Some(30.0));
    }
}
