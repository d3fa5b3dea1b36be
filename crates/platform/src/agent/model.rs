//! How the configuration says that models are reached.

use crate::config::ConfigSources;
use crate::config::table::Llm;
use formicary_agent::model::{self, Access};
use formicary_llm::Patience;
use formicary_model::Failure;
use std::path::Path;

pub(crate) use formicary_agent::model::Chosen;

/// The model that a specification means, as the configuration says that it is reached.
pub(crate) fn choose(
    llm: &Llm,
    sources: &ConfigSources,
    spec: &str,
    record: Option<&Path>,
    directory: &Path,
) -> Result<Chosen, Failure> {
    let access = Access {
        base_url: llm.base_url.clone(),
        key_file: llm.key_file.clone(),
        key_variable: llm.key_variable.clone(),
        proxy: llm.proxy.clone(),
        tools: llm.tools,
        context_tokens: llm.context_tokens,
        patience: Patience {
            whole: llm.timeout_seconds,
            idle: llm.idle_seconds,
            retries: llm.retries,
            requests_per_minute: Some(llm.requests_per_minute).filter(|most| *most > 0),
            ..Patience::default()
        },
        environment: &sources.environment,
    };
    model::choose(&access, spec, record, directory)
}
