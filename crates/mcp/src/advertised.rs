//! What a model is told of a tool's input. A tool accepts every field of its use case; a model reads the whole list with every
//! question, so it is told of what models set, and of the rest nothing.

use serde_json::{Map, Value, json};

/// Fields that a host's user chooses, not a model, whichever tool has them; and what others say better.
const OF_THE_USER: [&str; 18] = [
    "image",
    "provider",
    "assurance",
    "compile_limits",
    "idle_seconds",
    "write_baseline",
    "format",
    "jobs",
    "pass_at",
    "every_exception",
    "candidates",
    "most",
    "fail_fast",
    "without_tests",
    // A model has the text itself.
    "stdin_file",
    "expect_file",
    // What a model may cost is the user's to say.
    "money",
    "sandbox_seconds",
];
/// The environment of a run, besides packages. It is described where a model runs what it wrote itself.
const OF_RUNS: [&str; 3] = ["network", "env", "limits"];
const RUN_WHAT_A_MODEL_WROTE: [&str; 2] = ["execute_code", "session_create"];
/// Fields of one tool.
const OF_ONE_TOOL: [(&str, &[&str]); 2] = [
    // No tool lets a model ask another one.
    ("fix", &["tokens"]),
    ("solve_task", &["tokens", "without_fixer", "gate", "attempts", "checker", "cases"]),
];

/// The schema of a tool's input as the list shows it.
pub(crate) fn advertised(tool: &str, mut schema: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        let is_left_out = |name: &str| {
            OF_THE_USER.contains(&name)
                || OF_RUNS.contains(&name) && !RUN_WHAT_A_MODEL_WROTE.contains(&tool)
                || OF_ONE_TOOL.iter().any(|(own, names)| *own == tool && names.contains(&name))
        };
        fields.retain(|name, _| !is_left_out(name));
        // A revision says what was before in fewer words.
        if fields.contains_key("new") {
            fields.remove("before");
        }
        fields.iter_mut().for_each(|(name, field)| field_of(name, field));
    }
    // The server refuses what it does not know, and says what it knows.
    schema.remove("additionalProperties");
    schema.values_mut().for_each(bare);
    schema
}

fn field_of(name: &str, field: &mut Value) {
    let is_files = field["items"]["properties"].get("base64").is_some();
    match name {
        _ if is_files => field["items"] = json!({"type": "object", "required": ["path", "content"]}),
        "tools" => field["description"] = json!("External linters, e.g. ruff"),
        "gates" => field["description"] = json!("E.g. {\"score\": 75}"),
        "refactoring" => *field = one_form(field),
        _ => {}
    }
}

/// A choice of forms that a word tells apart, as one form with the fields of all.
fn one_form(choice: &Value) -> Value {
    let forms = choice["oneOf"].as_array().cloned().unwrap_or_default();
    let (mut kinds, mut fields, mut needs) = (Vec::new(), Map::new(), Vec::new());
    for form in &forms {
        let kind = form["properties"]["kind"]["const"].clone();
        let own: Vec<&str> =
            form["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let own: Vec<&str> = own.into_iter().filter(|name| !matches!(*name, "kind" | "file")).collect();
        needs.push(format!("{}: {}", kind.as_str().unwrap_or_default(), own.join(", ")));
        kinds.push(kind);
        for (name, field) in form["properties"].as_object().into_iter().flatten() {
            fields.entry(name.clone()).or_insert_with(|| field.clone());
        }
    }
    fields.insert("kind".into(), json!({ "enum": kinds }));
    json!({"type": "object", "properties": fields, "required": ["kind", "file"], "description": needs.join("; ")})
}

/// Bounds are the server's, which names them where they are broken.
fn bare(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if fields.get("maximum").is_some_and(Value::is_number) {
                fields.remove("maximum");
            }
            fields.values_mut().for_each(bare);
        }
        Value::Array(items) => items.iter_mut().for_each(bare),
        _ => {}
    }
}
