//! What serde lets pass and the description does not: a list in the place of an object.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

static SCHEMAS: LazyLock<Mutex<HashMap<TypeId, Arc<Value>>>> = LazyLock::new(Mutex::default);

/// Finds lists where the type has no list; says where.
pub fn check<T: JsonSchema + 'static>(value: &Value) -> Result<(), String> {
    let schema = {
        let mut known = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || {
            let generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
            Arc::new(Value::from(generator.into_root_schema_for::<T>()))
        };
        Arc::clone(known.entry(TypeId::of::<T>()).or_insert_with(made))
    };
    let mut path = Vec::new();
    if fits(&schema, &schema, value, &mut path) {
        return Ok(());
    }
    path.reverse();
    let place = if path.is_empty() { "the whole".to_owned() } else { path.join(".") };
    Err(format!("{place} is a list and must not be one, or lacks something"))
}

/// Whether a value fits as far as lists go. Where it does not, the path is left from the inside out.
fn fits(root: &Value, schema: &Value, value: &Value, path: &mut Vec<String>) -> bool {
    if let Some(place) = schema["$ref"].as_str() {
        let found = place.strip_prefix('#').and_then(|place| root.pointer(place));
        return found.is_none_or(|schema| fits(root, schema, value, path));
    }
    for one_of in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[one_of].as_array() {
            let before = path.len();
            let mut wrong = Vec::new();
            let any = choices.iter().any(|choice| {
                path.truncate(before);
                let fine = branch_fits(choice, value) && fits(root, choice, value, path);
                if path.len() > before {
                    wrong.clone_from(path);
                }
                fine
            });
            if !any && value.is_array() | !wrong.is_empty() {
                *path = wrong;
                return false;
            }
        }
    }
    match value {
        Value::Array(items) => {
            let kind = &schema["type"];
            let list = |kind: &Value| kind == "array";
            if !kind.is_null() && !list(kind) && !kind.as_array().is_some_and(|kinds| kinds.iter().any(list))
            {
                return false;
            }
            let wrong = items.iter().position(|item| !fits(root, &schema["items"], item, path));
            path.extend(wrong.map(|index| index.to_string()));
            wrong.is_none()
        }
        Value::Object(fields) => {
            let wrong = fields.iter().find(|(name, value)| {
                let own = schema["properties"].get(name.as_str());
                let schema = own.unwrap_or(&schema["additionalProperties"]);
                !fits(root, schema, value, path)
            });
            path.extend(wrong.map(|(name, _)| name.clone()));
            wrong.is_none()
        }
        _ => true,
    }
}

/// Whether a value could be meant as this choice: it has what the choice needs.
fn branch_fits(choice: &Value, value: &Value) -> bool {
    let (Some(required), Some(fields)) = (choice["required"].as_array(), value.as_object()) else {
        return true;
    };
    required.iter().filter_map(Value::as_str).all(|name| fields.contains_key(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::ExecutionRequest;
    use serde_json::json;

    #[test]
    fn lists_in_the_place_of_objects_are_found() {
        let cases = [
            (json!({}), None),
            (json!([]), Some("the whole")),
            (json!({ "limits": {} }), None),
            (json!({ "limits": [] }), Some("limits")),
            (json!({ "limits": [1, 2] }), Some("limits")),
            (json!({ "source": { "code": { "code": "x" } } }), None),
            (json!({ "source": { "code": { "code": { "base64": "eA==" } } } }), None),
            (json!({ "source": { "code": ["x", null] } }), Some("source.code")),
            (json!({ "source": { "files": { "files": [{ "path": "a", "content": "" }] } } }), None),
            (json!({ "source": { "files": { "files": [["a", ""]] } } }), Some("source.files.files.0")),
            (json!({ "args": ["a"], "command": ["b"], "env": { "A": "b" } }), None),
            (json!({ "network": "none", "assurance": { "require": "full" } }), None),
            (json!({ "network": { "domains": ["a"] } }), None),
            (json!({ "collect": [["*"], 1, 1] }), Some("collect")),
        ];
        for (value, expected) in cases {
            let found = check::<ExecutionRequest>(&value);
            match expected {
                None => assert_eq!(found, Ok(()), "{value}"),
                Some(place) => assert!(found.unwrap_err().starts_with(&format!("{place} ")), "{value}"),
            }
        }
    }
}
