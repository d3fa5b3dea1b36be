//! `review_file`: one file, of the project or sent along.

use super::{Effect, Spec, reviewing};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{invalid, path_alone};
use crate::schema;
use formicary_model::Failure;
use formicary_model::review::{Category, ReviewInput, Severity};
use formicary_platform::keys::Scope;
use formicary_platform::review::ReviewCode;
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

pub(super) const TOOL: Spec = Spec {
    name: "review_file",
    about: "Review one file: bugs, vulnerabilities, dead code, complexity, smells, with line, severity and suggestion. Give path, \
            or code with a path that names its language (snippet.py).",
    effect: Effect::Reads,
    scope: Some(Scope::Review),
    input: schema::of::<Input>,
    output: Some(reviewing::output),
    run,
};

#[expect(
    dead_code,
    reason = "its schema tells what a model may give; what it gives is read as the review's input"
)]
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Input {
    path: String,
    /// The text, if it is not a file of the project
    code: Option<String>,
    #[schemars(default)]
    types: Vec<Category>,
    /// At least
    severity: Option<Severity>,
    limit: Option<usize>,
}

fn run(call: &Call, mut arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let Some(path) = arguments.get("path").and_then(Value::as_str).map(str::to_owned) else {
        return Err(invalid("path is not given", "name one file"));
    };
    match arguments.remove("code") {
        None | Some(Value::Null) => {
            let root = &call.house.root;
            if root.folder().join(root.beneath(&path)?).is_dir() {
                return Err(invalid(format!("{path} is a directory"), "review_project reviews directories"));
            }
        }
        Some(code) => {
            arguments.insert("files".into(), json!([{"path": path, "content": code}]));
        }
    }
    path_alone(&mut arguments);
    let input: ReviewInput = call.read::<ReviewCode>(arguments)?;
    reviewing::answer(call, input)
}
