//! A log, read.

use super::{Reply, Tool, text};
use crate::observe::distilled;
use crate::redact::as_data;
use formicary_diagnose::failures::{self, SourceText, text::Said};
use serde_json::json;

pub(super) const TOOL: Tool = Tool {
    name: "diagnose",
    description: "Reads what a program or compiler said, and tells the error's type, place and cause.",
    properties: || json!({"output": {"type": "string"}}),
    required: &["output"],
    run: |desk, arguments| {
        let sources: Vec<SourceText> = desk
            .tree
            .paths()
            .filter_map(|path| {
                Some(SourceText { path: path.to_owned(), text: desk.tree.text(path)?.to_owned() })
            })
            .collect();
        let said = Said::of(text(arguments, "output").as_bytes());
        let diagnosis = failures::of_text(&said, None, &sources);
        let told: Vec<String> = diagnosis.errors.iter().take(3).map(distilled).collect();
        match told.is_empty() {
            true => Ok(Reply::ok("no error was recognised")),
            false => Ok(Reply::ok(as_data("diagnosis", &told.join("\n")))),
        }
    },
};
