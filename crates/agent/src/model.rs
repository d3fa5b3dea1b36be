//! From a model's name to the model, its key resolved.

use crate::invalid;
use formicary_llm::{
    Answer, Capabilities, Endpoint, ErrorKind, Listener, Model, ModelError, Patience, Recorder, Remote,
    Replayed, Request, Scripted, Secret, WireFormat,
};
use formicary_model::{Failure, FailureKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A model with what must not be written down.
pub struct Chosen {
    /// The model.
    pub model: Box<dyn Model>,
    /// By which it is chosen again.
    pub spec: String,
    /// What no transcript may hold.
    pub secrets: Vec<String>,
}

/// How remote models are reached.
#[derive(Debug, Clone)]
pub struct Access<'a> {
    /// The server, where it is not the provider's own.
    pub base_url: Option<String>,
    /// A file with the key.
    pub key_file: Option<PathBuf>,
    /// The variable that holds the key, where it is not the usual one.
    pub key_variable: Option<String>,
    /// A proxy, where it is not that of the environment.
    pub proxy: Option<String>,
    /// Whether the model may call tools.
    pub tools: bool,
    /// What fits into its window.
    pub context_tokens: u64,
    /// Time-outs and retries.
    pub patience: Patience,
    /// The variables of the environment.
    pub environment: &'a BTreeMap<String, String>,
}

const KNOWN: &str =
    "openai:NAME, responses:NAME, anthropic:NAME, gemini:NAME, recorded:FILE or scripted:FILE";

/// The model that a specification means.
pub fn choose(
    access: &Access<'_>,
    spec: &str,
    record: Option<&Path>,
    directory: &Path,
) -> Result<Chosen, Failure> {
    if spec.trim().is_empty() {
        return Err(invalid("no model is chosen", format!("give --model or set llm.model: {KNOWN}")));
    }
    let (provider, name) = spec.split_once(':').unwrap_or((guess(spec), spec));
    let failed = |error: ModelError| invalid(error.message.clone(), error.remedy());
    let (model, spec, secrets): (Box<dyn Model>, String, Vec<String>) = match provider {
        "recorded" => {
            let path = directory.join(name);
            let path = path.canonicalize().unwrap_or(path);
            (
                Box::new(Replayed::open(&path).map_err(failed)?),
                format!("recorded:{}", path.display()),
                Vec::new(),
            )
        }
        "scripted" => {
            let path = directory.join(name);
            let path = path.canonicalize().unwrap_or(path);
            (
                Box::new(Scripted::open(&path).map_err(failed)?),
                format!("scripted:{}", path.display()),
                Vec::new(),
            )
        }
        word => {
            let format = WireFormat::ALL.into_iter().find(|format| format.word() == word);
            let Some(format) = format.filter(|_| !name.trim().is_empty()) else {
                return Err(invalid(format!("{spec:?} names no model"), format!("write {KNOWN}")));
            };
            let endpoint = access.endpoint(format, name)?;
            let secrets = endpoint.key.iter().map(|key| key.expose().to_owned()).collect();
            let capabilities = Capabilities {
                tools: access.tools,
                structured_output: endpoint.base_url == format.base_url(),
                images: true,
                context_tokens: access.context_tokens,
            };
            let model = Remote::new(format, endpoint, capabilities).map_err(failed)?;
            (Box::new(model), format!("{word}:{name}"), secrets)
        }
    };
    let model = match record {
        Some(path) => Box::new(Recorder::new(model, &directory.join(path)).map_err(failed)?),
        None => model,
    };
    Ok(Chosen { model, spec, secrets })
}

/// Whether asking this model means asking a server.
pub fn is_remote(spec: &str) -> bool {
    !["recorded:", "scripted:"].iter().any(|local| spec.starts_with(local))
}

/// The provider of a model that is named without one.
fn guess(name: &str) -> &'static str {
    let low = name.to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| low.starts_with(word));
    match () {
        () if begins(&["claude"]) => "anthropic",
        () if begins(&["gemini"]) => "gemini",
        () if begins(&["gpt", "o1", "o3", "o4", "chatgpt"]) => "openai",
        () => "",
    }
}

impl Access<'_> {
    fn endpoint(&self, format: WireFormat, model: &str) -> Result<Endpoint, Failure> {
        let base_url = self.base_url.clone().unwrap_or_else(|| format.base_url().to_owned());
        Ok(Endpoint {
            key: self.key(format, &base_url)?,
            proxy: self.proxy.clone().or_else(|| self.usual_proxy(&base_url)),
            base_url,
            model: model.to_owned(),
            patience: self.patience.clone(),
        })
    }

    fn key(&self, format: WireFormat, base_url: &str) -> Result<Option<Secret>, Failure> {
        if let Some(path) = &self.key_file {
            let text = std::fs::read_to_string(path).map_err(|error| {
                let message = format!("llm.key_file {}: {error}", path.display());
                Failure::new(FailureKind::InvalidConfiguration, message)
                    .hint("name a file that holds the key and that you may read")
            })?;
            return Ok(Some(Secret::new(&text)).filter(|key| !key.expose().is_empty()));
        }
        let variable = |name: &str| self.environment.get(name).filter(|key| !key.trim().is_empty());
        if let Some(own) = &self.key_variable {
            let key = variable(own).ok_or_else(|| {
                invalid(
                    format!("no key: the variable {own} is not set"),
                    "set it, or llm.key_file to a file that holds the key",
                )
            })?;
            return Ok(Some(Secret::new(key)));
        }
        let usual = format.key_variables().iter().find_map(|name| variable(name));
        // The usual key is for the usual server; over an open wire it goes no further than this machine.
        let safe = base_url.starts_with("https://") || is_loopback(base_url);
        match usual.filter(|_| safe) {
            Some(key) => Ok(Some(Secret::new(key))),
            None if base_url == format.base_url() => Err(invalid(
                format!("no key for {}: {} is not set", format.word(), format.key_variables().join(" or ")),
                "set it, or llm.key_file to a file that holds the key; a server of your own is named by llm.base_url",
            )),
            None => Ok(None),
        }
    }

    fn usual_proxy(&self, base_url: &str) -> Option<String> {
        let variable = |names: &[&str]| {
            names.iter().find_map(|name| self.environment.get(*name)).filter(|text| !text.is_empty())
        };
        let host = host(base_url);
        let spared = variable(&["NO_PROXY", "no_proxy"]).is_some_and(|list| {
            list.split(',').map(|name| name.trim().trim_start_matches('.')).any(|name| {
                name == "*" || (!name.is_empty() && (host == name || host.ends_with(&format!(".{name}"))))
            })
        });
        if is_loopback(base_url) || spared {
            return None;
        }
        let names: &[&str] = match base_url.starts_with("https://") {
            true => &["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"],
            // Upper case could be set by a header of a request where programs run as CGI.
            false => &["http_proxy", "ALL_PROXY", "all_proxy"],
        };
        variable(names).cloned()
    }
}

fn host(base_url: &str) -> &str {
    let rest = base_url.split("://").nth(1).unwrap_or(base_url);
    let authority = rest.split(['/', '?']).next().unwrap_or(rest);
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    match authority.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or(six),
        None => authority.split(':').next().unwrap_or(authority),
    }
}

fn is_loopback(base_url: &str) -> bool {
    let host = host(base_url);
    host == "localhost" || host == "::1" || (host.starts_with("127.") && host.split('.').count() == 4)
}

/// A model as it was when the run began: a resumed run must ask the same questions.
pub struct Pinned<'a> {
    /// The model that is asked.
    pub inner: &'a dyn Model,
    /// The name that it had.
    pub name: &'a str,
    /// What it could do.
    pub capabilities: Capabilities,
}

impl Model for Pinned<'_> {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn ask(&self, request: &Request, listener: Listener<'_>) -> Result<Answer, ModelError> {
        self.inner.ask(request, listener)
    }
}

/// No model: the transcript answers.
pub(crate) struct Absent {
    pub name: String,
    pub capabilities: Capabilities,
}

impl Model for Absent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn ask(&self, _: &Request, _: Listener<'_>) -> Result<Answer, ModelError> {
        Err(ModelError::new(ErrorKind::NotRecorded, "a replay asks nobody"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(environment: &BTreeMap<String, String>) -> Access<'_> {
        Access {
            base_url: None,
            key_file: None,
            key_variable: None,
            proxy: None,
            tools: true,
            context_tokens: 0,
            patience: Patience::default(),
            environment,
        }
    }

    fn choose_with(
        environment: &[(&str, &str)],
        flags: &[(&str, &str)],
        spec: &str,
    ) -> Result<Chosen, Failure> {
        let environment = environment.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let flag = |key: &str| Some(flags.iter().find(|(own, _)| *own == key)?.1.to_owned());
        let access = Access {
            base_url: flag("llm.base_url"),
            key_variable: flag("llm.key_variable"),
            ..access(&environment)
        };
        choose(&access, spec, None, Path::new("/nowhere"))
    }

    #[test]
    fn models_are_chosen_or_the_remedy_is_named() {
        let key = [("OPENAI_API_KEY", "sk-1234567")];
        let local = [("llm.base_url", "http://127.0.0.1:1/v1")];
        let away = [("llm.base_url", "http://models.example/v1")];
        for (environment, flags, spec, secrets) in [
            (&key[..], &[][..], "openai:gpt-x", 1),
            (&key, &[], "gpt-4o", 1),
            (&[], &local, "openai:m", 0),
            (&key, &local, "responses:m", 1),
            (&key, &away, "openai:m", 0),
        ] {
            let chosen = choose_with(environment, flags, spec).unwrap();
            assert_eq!(chosen.secrets.len(), secrets, "{spec} {flags:?}");
        }
        for (spec, part) in [
            ("", "no model is chosen"),
            ("openai:gpt-x", "OPENAI_API_KEY is not set"),
            ("anthropic:x", "ANTHROPIC_API_KEY"),
            ("gemini:x", "GEMINI_API_KEY or GOOGLE_API_KEY"),
            ("mystery", "names no model"),
            ("opnai:x", "names no model"),
            ("openai:", "names no model"),
            ("recorded:missing.jsonl", "missing.jsonl"),
        ] {
            let failure = choose_with(&[], &[], spec).err().unwrap();
            assert!(failure.message.contains(part) && failure.hint.is_some(), "{spec}: {failure:?}");
        }
        let flags = [("llm.key_variable", "MY_KEY")];
        assert!(choose_with(&[], &flags, "openai:x").err().unwrap().message.contains("MY_KEY"));
    }

    #[test]
    fn proxies_spare_what_is_near() {
        let environment = [("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", "near.example, .inner")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into();
        for (url, used) in [
            ("https://api.example/v1", true),
            ("https://near.example/v1", false),
            ("https://a.inner:8/v1", false),
            ("https://127.0.0.1:8/v1", false),
            ("https://[::1]:8/v1", false),
            ("http://api.example/v1", false),
        ] {
            assert_eq!(access(&environment).usual_proxy(url).is_some(), used, "{url}");
        }
    }
}
