//! The settings that a run began with, kept with it. A run that goes on later asks the model that it began with, in the same
//! kind of sandbox, whatever the configuration says by then; only what the user names for the resumed run is otherwise.

use super::invalid;
use crate::config::table::{self, Kind};
use crate::config::{Configuration, Origin, Value};
use formicary_model::{ExecutionRequest, Failure, Limits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

const BASE_URL: &str = "llm.base_url";
/// What says where requests go, and with which key: these belong together.
const ADDRESS: [&str; 4] = [BASE_URL, "llm.key_file", "llm.key_variable", "llm.proxy"];
/// Parameters of an address that hold no secret.
const PLAIN_PARAMETERS: [&str; 1] = ["api-version"];

/// How a run reaches its model. Keys are not among it: only where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct ModelSettings(pub BTreeMap<String, serde_json::Value>);

impl ModelSettings {
    /// The settings as they are now.
    pub fn record(configuration: &Configuration) -> Self {
        let own = configuration.settings.iter().filter(|setting| setting.key.starts_with("llm."));
        Self(own.map(|setting| (setting.key.to_owned(), plain(setting.key, &setting.value))).collect())
    }

    /// The configuration with these settings in the place of its own, except for those that a flag names.
    pub fn restore(&self, configuration: &Configuration) -> Configuration {
        let mut restored = configuration.clone();
        let differs =
            |key: &str, value: &Value| self.0.get(key).is_some_and(|kept| *kept != plain(key, value));
        // A key that was meant for one server is not sent to another.
        let moved = restored.settings.iter().any(|setting| {
            setting.key == BASE_URL && setting.origin == Origin::Flag && differs(BASE_URL, &setting.value)
        });
        for setting in &mut restored.settings {
            let elsewhere = moved && ADDRESS.contains(&setting.key);
            // Where they are the same, the present one may hold the secret that was left out.
            if setting.origin != Origin::Flag && !elsewhere && differs(setting.key, &setting.value) {
                setting.value = self.0.get(setting.key).map_or(Value::Unset, |kept| value(setting.key, kept));
            }
        }
        restored
    }

    /// For runs of versions that kept no settings: the server must be named, because nobody knows which it was.
    pub fn without(configuration: &Configuration) -> Result<Configuration, Failure> {
        let named = |key: &str| {
            configuration.settings.iter().any(|setting| setting.key == key && setting.origin == Origin::Flag)
        };
        if !named(BASE_URL) {
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
    let made = |key: &str| {
        configuration.settings.iter().any(|setting| setting.key == key && setting.origin != Origin::Default)
    };
    request.limits.wall_seconds.get_or_insert(configuration.number("limits.wall_seconds"));
    let of_runs = &mut request.environment.limits;
    for (group, limits) in [("limits", of_runs), ("compile_limits", &mut request.compile_limits)] {
        let set: Vec<&str> = limits.values().into_iter().map(|(name, _)| name).collect();
        for info in Limits::TABLE.iter().filter(|info| !set.contains(&info.name)) {
            let key = format!("{group}.{}", info.name);
            if made(&key) {
                limits.set(info.name, configuration.number(&key));
            }
        }
    }
    if made("provider") {
        request.provider.get_or_insert_with(|| configuration.word("provider").to_owned());
    }
}

/// A value as it is kept: without the secrets that an address may hold.
fn plain(key: &str, value: &Value) -> serde_json::Value {
    match value {
        Value::Number(number) => (*number).into(),
        Value::Text(text) if [BASE_URL, "llm.proxy"].contains(&key) => without_secrets(text).into(),
        Value::Text(text) => text.clone().into(),
        Value::Path(path) => path.display().to_string().into(),
        Value::Unset | Value::Paths(_) => serde_json::Value::Null,
    }
}

fn value(key: &str, kept: &serde_json::Value) -> Value {
    let is_path =
        table::settings().iter().any(|setting| setting.key == key && matches!(setting.kind, Kind::Path));
    match kept {
        serde_json::Value::Number(number) => number.as_f64().map_or(Value::Unset, Value::Number),
        serde_json::Value::String(text) if is_path => Value::Path(PathBuf::from(text)),
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
            kept.restore(&now).word("llm.base_url"),
            now.word("llm.base_url"),
            "the same server, with its secret"
        );
    }

    #[test]
    fn what_a_run_began_with_holds_unless_a_flag_says_otherwise() {
        let local =
            [("llm.base_url", "http://127.0.0.1:8/v1"), ("llm.key_variable", "OWN"), ("llm.retries", "7")];
        let kept = ModelSettings::record(&configured(&[], &local));
        let bare = kept.restore(&configured(&[], &[]));
        assert_eq!(bare.word("llm.base_url"), "http://127.0.0.1:8/v1");
        assert_eq!((bare.word("llm.key_variable"), bare.number("llm.retries")), ("OWN", 7.0));
        let changed = configured(&[("FORMICARY_LLM_BASE_URL", "https://public.example/v1")], &[]);
        assert_eq!(changed.word("llm.base_url"), "https://public.example/v1", "the environment has it");
        assert_eq!(
            kept.restore(&changed).word("llm.base_url"),
            "http://127.0.0.1:8/v1",
            "it is not named for the run"
        );
        let named = kept.restore(&configured(&[], &[("llm.base_url", "https://public.example/v1")]));
        assert_eq!(named.word("llm.base_url"), "https://public.example/v1");
        assert_eq!(named.word("llm.key_variable"), "", "the key of the other server stays there");
        assert_eq!(named.number("llm.retries"), 7.0);
        // A run that began without an address goes on without one.
        let usual = ModelSettings::record(&configured(&[], &[]));
        assert_eq!(usual.restore(&changed).value("llm.base_url"), &Value::Unset);
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
