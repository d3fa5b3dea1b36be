//! Schemas in few words. A model reads every tool's schema with every question: titles, formats and nulls only cost.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

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
    for (key, value) in fields.iter_mut() {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(shorten),
            ("anyOf" | "oneOf", Value::Array(choices)) => choices.iter_mut().for_each(shorten),
            ("items" | "additionalProperties", inner) => shorten(inner),
            _ => {}
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
