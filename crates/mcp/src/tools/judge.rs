//! `judge`: programs against test cases.

use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{files_schema, invalid, limits, read};
use crate::schema;
use formicary_model::{Failure, JudgeItem, JudgeResult};
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{Cases, JudgeOptions, Order, Template, lines};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "judge",
    about: "Judge programs against test cases in the sandbox: verdict per program and case (accepted, wrong_answer, time_limit, \
            memory_limit, runtime_error, compile_error). For checking solutions, or many candidates at once.",
    nature: Nature::Runs,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"summary": {"type": "object"}, "results": {"type": "array", "items": {"type": "object"}}}, "required": ["summary", "results"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    #[schemars(schema_with = "items_schema")]
    items: Vec<JudgeItem>,
    /// Of items that name none
    #[serde(default)]
    language: Option<String>,
    /// Per case
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, f64>")]
    limits: Map<String, Value>,
    /// Stop an item at its first failing case
    #[serde(default)]
    fail_fast: bool,
    /// Report pass@k over groups
    #[serde(default)]
    pass_at: Vec<u64>,
}

/// Items as the schema tells them.
fn items_schema(generator: &mut SchemaGenerator) -> Schema {
    let (text, files) = (json!({"type": "string"}), files_schema(generator));
    json_schema!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "id": text,
                "group": text,
                "language": text,
                "code": text,
                "files": files,
                "entry": text,
                "test": {"type": "string", "description": "Unit tests appended to code; for when there are no cases"},
                "cases": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"name": text, "stdin": text, "expected": text}},
                },
                "compare": {"description": "exact, trimmed (default), tokens or {\"numeric\": {\"absolute\": 1e-6}}"},
                "checker": {"description": "{language, code}: gets the files input, output, expected; exit code 0 accepts"},
            },
        },
    })
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    if input.items.is_empty() {
        return Err(invalid("there is nothing to judge", "give items with code and cases"));
    }
    let mut template = Template { request: call.platform().new_request(), ..Template::default() };
    template.request.language = input.language;
    template.request.limits = limits(&input.limits)?;
    call.bound(&mut template.request.limits)?;
    let mut text = Vec::new();
    for item in &input.items {
        text.extend(crate::answer::value(item)?.to_string().into_bytes());
        text.push(b'\n');
    }
    let request = JudgeRequest {
        options: JudgeOptions {
            cases: if input.fail_fast { Cases::UntilFailure } else { Cases::All },
            order: Order::Input,
            ..JudgeOptions::default()
        },
        pass_at: input.pass_at,
        ..JudgeRequest::default()
    };
    let (total, mut results) = (input.items.len(), Vec::<JudgeResult>::new());
    let source = lines::read(std::io::Cursor::new(text), template);
    let judged = call.live(|live| {
        call.platform().judge_as(&call.caller(), source, request, &live, &mut |result, _| {
            results.push(result.clone());
            call.progress.count("judged", results.len(), total);
            Ok(())
        })
    })?;
    judged.ended?;
    let mut told = String::new();
    for result in &results {
        let verdict = match (&result.verdict, &result.error) {
            (Some(verdict), _) => verdict.word().to_owned(),
            (None, Some(error)) => format!("not judged: {error}"),
            (None, None) => "not judged".to_owned(),
        };
        let _ = writeln!(told, "{}: {verdict} ({}/{} cases)", result.id, result.passed, result.total);
        for case in result
            .cases
            .iter()
            .filter_map(|case| Some((&case.name, case.verdict, case.message.as_ref()?)))
            .take(5)
        {
            let _ = writeln!(told, "  {}: {}: {}", case.0, case.1, case.2);
        }
    }
    Answer::new(call, &json!({"summary": judged.summary, "results": results}), told)
}
