//! `find_symbols`: what is defined in a project, and where it is named.

use super::Spec;
use crate::abridge::said;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_model::patterns::{FoundSymbol, Reference};
use formicary_platform::patterns::Symbols;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Entries that the text names; the structured answer has more.
const MOST_NAMED: usize = 50;

pub(super) const TOOL: Spec = Spec::of::<Symbols>(
    "find_symbols",
    "List what is defined in code (functions, methods, classes, variables …) with its place; with references also each \
            place that names it, certain ones proven by scopes and imports.",
    Some(
        || json!({"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object"}}}, "required": ["items"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let found = call.perform::<Symbols>(arguments, &[])?;
    let mut text = format!("{} symbols\n", found.items.len());
    for one in found.items.iter().take(MOST_NAMED) {
        let symbol = &one.symbol;
        let (kind, line) = (symbol.kind.word(), symbol.span.start_line);
        let _ = writeln!(text, "{kind} {} {}:{line}", symbol.path, symbol.file);
        for place in one.references.iter().take(MOST_NAMED) {
            let sure = if place.certain { "" } else { " (by name alone)" };
            let _ = writeln!(text, "  {}:{} {}{sure}", place.file, place.span.start_line, place.within);
        }
    }
    let items: Vec<Value> = found.items.iter().take(MOST_NAMED).map(slim).collect();
    let digest = json!({ "items": items, "total": found.items.len() });
    Answer::digest(call, &digest, &found, "symbols.json", text)
}

fn slim(found: &FoundSymbol) -> Value {
    let symbol = &found.symbol;
    let place = |place: &Reference| {
        said([
            ("file", json!(place.file)),
            ("line", json!(place.span.start_line)),
            ("within", json!(place.within)),
            ("by_name_alone", json!(!place.certain)),
        ])
    };
    said([
        ("kind", json!(symbol.kind)),
        ("path", json!(symbol.path)),
        ("file", json!(symbol.file)),
        ("line", json!(symbol.span.start_line)),
        ("references", found.references.iter().take(MOST_NAMED).map(place).collect()),
    ])
}
