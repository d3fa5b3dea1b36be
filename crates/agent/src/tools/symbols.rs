//! What is defined where.

use super::{Reply, Tool};
use crate::redact::as_data;
use formicary_search::RepositoryIndex;
use serde_json::json;

const MOST: usize = 150;

pub(super) const TOOL: Tool = Tool {
    name: "symbols",
    description: "Lists functions, classes and variables of the workspace; with `name`, those of that name with the places that use them.",
    properties: || json!({"name": {"type": "string"}}),
    required: &[],
    run: |desk, arguments| {
        let index = RepositoryIndex::new(&desk.tree.sources(), &[]);
        let name = arguments["name"].as_str();
        let mut lines = Vec::new();
        for symbol in index.symbols(name, None).into_iter().take(MOST) {
            lines.push(format!(
                "{} {} {}:{}",
                symbol.kind.word(),
                symbol.path,
                symbol.file,
                symbol.span.start_line
            ));
            if name.is_some() {
                let places = index.references(symbol).into_iter().take(40);
                lines.extend(
                    places.map(|place| format!("  used at {}:{}", place.file, place.span.start_line)),
                );
            }
        }
        match lines.is_empty() {
            true => Ok(Reply::ok("nothing is defined by that name")),
            false => Ok(Reply::ok(as_data("symbols", &lines.join("\n")))),
        }
    },
};
