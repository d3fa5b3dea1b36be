//! Schemas in few words. A model reads every tool's schema with every question: titles, formats and nulls only cost.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// Fields that a caller of tools is refused, the directory, which is the server's, and what a model has no use for.
pub(crate) const HIDDEN: [&str; 15] = [
    // The long form of what `code` and `files` say.
    "source",
    "rounds",
    "folder",
    "mounts",
    "insist_on_mounts",
    "venv",
    "history",
    "record",
    "project",
    "without_cache",
    "fingerprints",
    "model",
    "allow_packages",
    "out",
    "apply",
];

/// The schema of a tool's input.
pub(crate) fn of<T: JsonSchema>() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Value::Object(fields) = &mut schema {
        // What the type as a whole is for, the tool's description says.
        fields.remove("description");
    }
    shorten(&mut schema);
    match schema {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Fields that many tools share: their names say enough, or a few words more do.
fn plain(name: &str, schema: &mut Value) {
    let short = match name {
        "paths" | "packages" => json!({"type": "array", "items": {"type": "string"}}),
        "env" => json!({"type": "object"}),
        "limits" => {
            json!({"type": "object", "description": "E.g. {\"wall_seconds\": 9, \"memory_bytes\": 1e9}"})
        }
        "compile_limits" => json!({"type": "object"}),
        "collect" => {
            json!({"type": "array", "items": {"type": "string"}, "description": "Globs of produced files to return, e.g. *.png"})
        }
        "items" if schema["items"]["anyOf"].is_array() => judged(),
        "network" => json!({"enum": ["none", "host"]}),
        "assurance" => json!({}),
        // Their documentation names the words; they are no type, since what is installed decides.
        "framework" | "adapter" if !words(schema).is_empty() => json!({ "enum": words(schema) }),
        "image" | "provider" | "language" | "pattern" | "entry" => json!({"type": "string"}),
        "compare" => json!({}),
        // Bytes: a model writes text.
        "code" | "stdin" if schema["anyOf"].is_array() => json!({"type": "string"}),
        "id" | "baseline" | "path" => json!({"type": "string"}),
        "line" | "column" | "end_line" | "end_column" | "first" | "last" | "limit" => {
            json!({"type": "integer"})
        }
        "args" => json!({"type": "array", "items": {"type": "string"}}),
        "command" => {
            json!({"type": "array", "items": {"type": "string"}, "description": "Run this beside the files instead of entry"})
        }
        "compiler_flags" => {
            json!({"type": "array", "items": {"type": "string"}, "description": "E.g. -std=c++20"})
        }
        "breakpoints" => {
            json!({"type": "array", "items": {"type": "string"}, "description": "FILE:LINE, LINE or FUNCTION, each also with \" if CONDITION\""})
        }
        "write" => json!({"type": "boolean", "description": "Otherwise a diff"}),
        "before" if schema["items"].is_object() => {
            let items = schema["items"].take();
            json!({"type": "array", "items": items, "description": "The files before a change"})
        }
        "new" => json!({"type": "string", "description": "Git range or revision, directory, or diff file"}),
        "types" => {
            let mut items = schema["items"].take();
            if let Value::Object(fields) = &mut items {
                fields.remove("description");
            }
            json!({"type": "array", "items": items})
        }
        "workers" => json!({"type": "integer"}),
        "files" => {
            if let Value::Object(fields) = schema {
                fields.remove("description");
            }
            return;
        }
        _ => return,
    };
    *schema = short;
}

/// The words that a description lists first, each between backticks.
fn words(schema: &Value) -> Vec<String> {
    let text = schema["description"].as_str().unwrap_or_default();
    let list = text.split(';').next().unwrap_or_default();
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Programs to be judged.
fn judged() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "id": text,
                "group": text,
                "language": text,
                "code": text,
                "files": {"type": "array", "items": {"type": "object", "properties": {"path": text, "content": text}}},
                "entry": text,
                "test": text,
                "cases": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"name": text, "stdin": text, "expected": text}},
                },
                "compare": {},
                "checker": {},
            },
        },
        "description": "test: unit tests appended to code, if there are no cases. compare: exact, trimmed (default), tokens or \
                        {\"numeric\": {\"absolute\": 1e-6}}. checker: {language, code}, gets the files input, output, expected; \
                        exit code 0 accepts",
    })
}

fn shorten(schema: &mut Value) {
    let Value::Object(fields) = schema else { return };
    for word in ["title", "format", "default", "$schema", "minimum"] {
        fields.remove(word);
    }
    // What may be absent may be absent: that it may also be null need not be said.
    if let Some(Value::Array(types)) = fields.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            fields.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(choices)) = fields.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            fields.remove("anyOf");
            for (key, value) in only {
                fields.entry(key).or_insert(value);
            }
        }
    }
    // A choice of words: what each means, the word says.
    let words = fields.get("oneOf").and_then(Value::as_array).and_then(|choices| {
        choices.iter().map(|choice| choice.get("const").cloned()).collect::<Option<Vec<Value>>>()
    });
    if let Some(words) = words {
        fields.remove("oneOf");
        fields.remove("type");
        fields.insert("enum".into(), Value::Array(words));
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        HIDDEN.iter().for_each(|name| drop(properties.remove(*name)));
        properties.iter_mut().for_each(|(name, value)| plain(name, value));
        if properties.contains_key("path") && properties.contains_key("base64") {
            *properties = Map::from_iter([
                ("path".to_owned(), json!({"type": "string"})),
                ("content".to_owned(), json!({"type": "string"})),
                ("base64".to_owned(), json!({"type": "string"})),
            ]);
            for word in ["description", "required"] {
                fields.remove(word);
            }
        }
    }
    for (key, value) in fields.iter_mut() {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(part),
            ("anyOf" | "oneOf", Value::Array(choices)) => choices.iter_mut().for_each(part),
            ("items" | "additionalProperties", inner) => part(inner),
            _ => {}
        }
    }
}

/// The same for what is inside: that unknown fields are refused is said once, and the names of its fields say enough.
fn part(schema: &mut Value) {
    shorten(schema);
    let Value::Object(fields) = schema else { return };
    if fields.get("additionalProperties") == Some(&Value::Bool(false)) {
        fields.remove("additionalProperties");
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            property.remove("description");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields, default)]
    struct Input {
        /// A name.
        title: Option<String>,
        count: Option<u32>,
        inner: Option<Inner>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
    struct Inner {
        list: Vec<String>,
    }

    #[test]
    fn schemas_are_short() {
        let expected = serde_json::json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "title": {"type": "string", "description": "A name."},
                "count": {"type": "integer"},
                "inner": {
                    "type": "object",
                    "properties": {"list": {"type": "array", "items": {"type": "string"}}},
                    "required": ["list"],
                },
            },
        });
        assert_eq!(Value::Object(of::<Input>()), expected);
        let read: Input = serde_json::from_str(r#"{"title": null, "inner": {"list": []}}"#).unwrap();
        assert_eq!(
            read,
            Input { inner: Some(Inner::default()), ..Input::default() },
            "null is still understood"
        );
    }
}
