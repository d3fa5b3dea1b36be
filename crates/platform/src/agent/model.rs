//! How the configuration says that models are reached.

use crate::config::{ConfigSources, Configuration, Value};
use formicary_agent::model::{self, Access};
use formicary_llm::Patience;
use formicary_model::Failure;
use std::path::Path;
use std::time::Duration;

pub(crate) use formicary_agent::model::Chosen;

/// The model that a specification means, as the configuration says that it is reached.
pub(crate) fn choose(
    configuration: &Configuration,
    sources: &ConfigSources,
    spec: &str,
    record: Option<&Path>,
    directory: &Path,
) -> Result<Chosen, Failure> {
    let word = |key: &str| Some(configuration.word(key).to_owned()).filter(|word| !word.is_empty());
    let seconds = |key: &str| Duration::from_secs_f64(configuration.number(key));
    let per_minute = configuration.number("llm.requests_per_minute") as u32;
    let access = Access {
        base_url: word("llm.base_url"),
        key_file: match configuration.value("llm.key_file") {
            Value::Path(path) => Some(path.clone()),
            _ => None,
        },
        key_variable: word("llm.key_variable"),
        proxy: word("llm.proxy"),
        tools: configuration.word("llm.tools") != "off",
        context_tokens: configuration.number("llm.context_tokens") as u64,
        patience: Patience {
            whole: seconds("llm.timeout_seconds"),
            idle: seconds("llm.idle_seconds"),
            retries: configuration.number("llm.retries") as u32,
            requests_per_minute: (per_minute > 0).then_some(per_minute),
            ..Patience::default()
        },
        environment: &sources.environment,
    };
    model::choose(&access, spec, record, directory)
}
