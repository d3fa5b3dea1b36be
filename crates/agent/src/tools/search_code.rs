//! Code by its shape.

use super::{Reply, Tool, text};
use crate::redact::{as_data, trimmed};
use formicary_model::Language;
use formicary_search::PatternMatcher;
use serde_json::json;

const MOST: usize = 60;

pub(super) const TOOL: Tool = Tool {
    name: "search_code",
    description: "Finds code by its shape: `print($X)`, `for $A in $B: $$$`. $NAME stands for one part, $$$ for any number.",
    properties: || json!({"pattern": {"type": "string"}, "language": {"type": "string"}}),
    required: &["pattern"],
    run: |desk, arguments| {
        let language = match arguments["language"].as_str() {
            None => Some(desk.tree.language()),
            Some(word) => match Language::from_word(word) {
                Some(language) => Some(language),
                None => return Ok(Reply::refused(format!("unknown language {word:?}"))),
            },
        };
        let matcher = match PatternMatcher::of_pattern(&text(arguments, "pattern"), language) {
            Ok(matcher) => matcher,
            Err(error) => return Ok(Reply::refused(error.to_string())),
        };
        let sources = desk.tree.sources();
        let readable = sources.iter().filter(|source| matcher.reads(source.dialect()));
        let found = readable.filter_map(|source| matcher.search(source).ok()).flatten().take(MOST);
        let lines: Vec<String> = found
            .map(|one| {
                format!(
                    "{}:{}: {}",
                    one.file,
                    one.span.start_line,
                    trimmed(one.text.lines().next().unwrap_or_default(), 200)
                )
            })
            .collect();
        match lines.is_empty() {
            true => Ok(Reply::ok("nothing matches")),
            false => Ok(Reply::ok(as_data("matches", &lines.join("\n")))),
        }
    },
};
