//! The part of JSON schema that tools use, checked: what the model says becomes an action only through this.

use serde_json::Value;

/// What does not fit, in words that the model can act on.
pub fn check(value: &Value, schema: &Value) -> Result<(), String> {
    at(value, schema, "the arguments")
}

fn at(value: &Value, schema: &Value, place: &str) -> Result<(), String> {
    if let Some(kind) = schema["type"].as_str() {
        let fits = match kind {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.as_i64().is_some() || value.as_u64().is_some(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            _ => true,
        };
        if !fits {
            return Err(format!("{place} must be of type {kind}"));
        }
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        let words: Vec<String> = words.iter().map(Value::to_string).collect();
        return Err(format!("{place} must be one of {}", words.join(", ")));
    }
    if let Some(fields) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                return Err(format!("{place}: {name:?} is missing"));
            }
        }
        for (name, field) in fields {
            match schema["properties"].get(name) {
                Some(inner) => at(field, inner, &format!("{name:?}"))?,
                None if schema["additionalProperties"] == false => {
                    let known: Vec<&str> = schema["properties"]
                        .as_object()
                        .map(|known| known.keys().map(String::as_str).collect())
                        .unwrap_or_default();
                    return Err(format!("{place}: {name:?} is not known; known are {}", known.join(", ")));
                }
                None => {}
            }
        }
    }
    if let Some(items) = value.as_array() {
        for item in items {
            at(item, &schema["items"], &format!("an item of {place}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_does_not_fit_is_named() {
        let schema = json!({"type": "object", "required": ["path"], "additionalProperties": false, "properties": {
            "path": {"type": "string"}, "lines": {"type": "integer"}, "kind": {"enum": ["a", "b"]},
            "names": {"type": "array", "items": {"type": "string"}},
        }});
        let cases = [
            (json!({"path": "x"}), None),
            (json!({"path": "x", "lines": 3, "kind": "a", "names": ["n"]}), None),
            (json!({}), Some("\"path\" is missing")),
            (json!("text"), Some("type object")),
            (json!({"path": 1}), Some("type string")),
            (json!({"path": "x", "network": true}), Some("\"network\" is not known")),
            (json!({"path": "x", "kind": "c"}), Some("one of")),
            (json!({"path": "x", "names": [1]}), Some("an item of")),
        ];
        for (value, wrong) in cases {
            match (check(&value, &schema), wrong) {
                (Ok(()), None) => {}
                (Err(message), Some(part)) => assert!(message.contains(part), "{message}"),
                (result, _) => panic!("{value}: {result:?}"),
            }
        }
    }
}
