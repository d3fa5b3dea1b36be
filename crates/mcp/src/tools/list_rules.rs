//! `list_rules`: what a review looks for, and one rule with its reason and examples.

use super::Spec;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::review::ListRules;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<ListRules>(
    "list_rules",
    "List the rules of a review by name, or explain one (rule) with its reason and examples.",
    None,
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let rules = call.perform::<ListRules>(arguments, &[])?;
    if let [rule] = rules.items.as_slice() {
        let mut text = format!("{} ({}, {})\n", rule.name, rule.category, rule.severity);
        let _ = writeln!(text, "{}\n{}\n{}", rule.title, rule.why, rule.suggestion);
        return Answer::new(call, &json!({"rules": [rule]}), text);
    }
    let mut text = String::new();
    for rule in &rules.items {
        let _ = writeln!(text, "{} ({}): {}", rule.name, rule.category, rule.title);
    }
    let names: Vec<&str> = rules.items.iter().map(|rule| rule.name.as_ref()).collect();
    // A title for each is in the text; more of all of them is more than a model needs at once.
    Answer::digest(call, &json!({"rules": names}), &rules, "rules.json", text)
}
