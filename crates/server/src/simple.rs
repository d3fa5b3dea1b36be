//! Schemas in the form that generators of clients understand: closed sets of words as `enum`, variants under names of their
//! own, no schema that is a mere `true`. What a schema accepts stays the same.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const PLACE: &str = "#/components/schemas/";

/// Keywords whose value is a schema.
const SCHEMAS: [&str; 4] = ["items", "contains", "not", "propertyNames"];
/// Keywords whose value is a map of schemas.
const MAPS: [&str; 3] = ["properties", "patternProperties", "$defs"];

/// Simplifies the named schemas, and those that stand in operations.
pub fn simplify(schemas: &mut Map<String, Value>, paths: &mut BTreeMap<String, Map<String, Value>>) {
    let mut named = Named { all: std::mem::take(schemas) };
    let names: Vec<String> = named.all.keys().cloned().collect();
    for name in names {
        let Some(mut schema) = named.all.get_mut(&name).map(Value::take) else { continue };
        named.schema(&mut schema, &name);
        named.all.insert(name, schema);
    }
    for operation in paths.values_mut().flat_map(|operations| operations.values_mut()) {
        let name = pascal(operation["operationId"].as_str().unwrap_or_default());
        named.find(operation, &name);
    }
    *schemas = named.all;
}

/// The named schemas, to which variants are added.
struct Named {
    all: Map<String, Value>,
}

impl Named {
    /// Looks for schemas in something that is none.
    fn find(&mut self, value: &mut Value, name: &str) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    if key == "schema" { self.schema(value, name) } else { self.find(value, name) }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.find(item, name)),
            _ => {}
        }
    }

    fn schema(&mut self, schema: &mut Value, name: &str) {
        if schema.as_bool() == Some(true) {
            *schema = json!({});
        }
        let Some(fields) = schema.as_object_mut() else { return };
        for key in SCHEMAS {
            if let Some(inner) = fields.get_mut(key) {
                self.schema(inner, &format!("{name}{}", pascal("item")));
            }
        }
        // Beside these a boolean says whether there may be more, which generators know.
        if let Some(more) = fields.get_mut("additionalProperties").filter(|more| more.is_object()) {
            self.schema(more, &format!("{name}Value"));
        }
        for key in MAPS {
            for (property, inner) in fields.get_mut(key).and_then(Value::as_object_mut).into_iter().flatten()
            {
                self.schema(inner, &format!("{name}{}", pascal(property)));
            }
        }
        for key in ["allOf", "prefixItems"] {
            for inner in fields.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
                self.schema(inner, name);
            }
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(Value::Array(variants)) = fields.remove(key) {
                self.variants(fields, key, variants, name);
            }
        }
    }

    /// Words become one `enum`; variants of other kinds get names.
    fn variants(&mut self, fields: &mut Map<String, Value>, key: &str, variants: Vec<Value>, name: &str) {
        let (words, others): (Vec<Value>, Vec<Value>) =
            variants.into_iter().partition(|one| !words(one).is_empty());
        let mut kept = Vec::new();
        if !words.is_empty() {
            let set = closed_set(&words);
            if others.is_empty() {
                let about = [fields.get("description"), set.get("description")];
                let about: Vec<&str> = about.into_iter().flatten().filter_map(Value::as_str).collect();
                let about = about.join("\n\n");
                fields.extend(set);
                if !about.is_empty() {
                    fields.insert("description".into(), about.into());
                }
                return;
            }
            kept.push(self.put(format!("{name}Word"), Value::Object(set)));
        }
        for mut variant in others {
            let simple = variant["type"].is_string() && variant["type"] != "object";
            if variant.get("$ref").is_some() || variant["type"] == "null" {
                kept.push(variant);
            } else if simple {
                let own = format!("{name}{}", pascal(variant["type"].as_str().unwrap_or_default()));
                self.schema(&mut variant, &own);
                if let Some(fields) = variant.as_object_mut() {
                    fields.entry("title").or_insert_with(|| own.into());
                }
                kept.push(variant);
            } else {
                let own = format!("{name}{}", pascal(&variant_name(&variant)));
                self.inner(&mut variant, &own);
                kept.push(self.put(own, variant));
            }
        }
        fields.insert(key.into(), kept.into());
    }

    /// A variant with a tag around it has its fields in an object of their own.
    fn inner(&mut self, variant: &mut Value, name: &str) {
        if let Some(fields) = variant.as_object_mut() {
            fields.remove("title");
        }
        self.schema(variant, name);
        for inner in variant.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
            let (_, inner) = inner;
            if inner["properties"].is_object() {
                *inner = self.put(format!("{name}Fields"), inner.take());
            }
        }
    }

    /// Gives a schema this name, or one like it where the name is another's; the reference to it.
    fn put(&mut self, mut name: String, schema: Value) -> Value {
        while self.all.get(&name).is_some_and(|other| *other != schema) {
            name.push_str("Variant");
        }
        let reference = json!({ "$ref": format!("{PLACE}{name}") });
        self.all.insert(name, schema);
        reference
    }
}

/// The words that a schema stands for, where it stands for nothing else.
fn words(schema: &Value) -> Vec<String> {
    let word = |value: &Value| value.as_str().map(str::to_owned);
    if schema["type"] != "string" {
        return Vec::new();
    }
    match schema["enum"].as_array() {
        Some(all) => all.iter().filter_map(word).collect(),
        None => word(&schema["const"]).into_iter().collect(),
    }
}

fn closed_set(variants: &[Value]) -> Map<String, Value> {
    let (mut all, mut abouts, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for variant in variants {
        let about = variant["description"].as_str().unwrap_or_default();
        for word in words(variant) {
            if !about.is_empty() {
                lines.push(format!("- `{word}`: {about}"));
            }
            all.push(word);
            abouts.push(about.to_owned());
        }
    }
    let mut set = Map::from_iter([("type".to_owned(), json!("string")), ("enum".to_owned(), json!(all))]);
    if !lines.is_empty() {
        set.insert("description".into(), lines.join("\n").into());
        set.insert("x-enum-descriptions".into(), json!(abouts));
    }
    set
}

/// What tells this variant from others: the word of its tag, or its only field that must be there.
fn variant_name(variant: &Value) -> String {
    if let Some(title) = variant["title"].as_str() {
        return title.to_owned();
    }
    let properties = variant["properties"].as_object();
    let tag = properties.into_iter().flatten().find_map(|(_, field)| field["const"].as_str());
    let required = || variant["required"].as_array()?.iter().find_map(Value::as_str);
    tag.or_else(required).unwrap_or("other").to_owned()
}

/// `read_only` becomes `ReadOnly`.
fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keywords whose value is a list of schemas.
    const LISTS: [&str; 4] = ["oneOf", "anyOf", "allOf", "prefixItems"];

    /// Everything in a schema that generators stumble over.
    fn faults(schema: &Value, place: &str, found: &mut Vec<String>) {
        let Some(fields) = schema.as_object() else {
            found.push(format!("{place} is {schema}"));
            return;
        };
        for key in ["oneOf", "anyOf"] {
            let variants = fields.get(key).and_then(Value::as_array).into_iter().flatten();
            for (index, variant) in variants.enumerate() {
                let fine = variant.get("$ref").is_some()
                    || variant["type"] == "null"
                    || variant["title"].is_string();
                if !fine || variant.get("const").is_some() {
                    found.push(format!("{place}/{key}/{index} has no name: {variant}"));
                }
            }
        }
        for (key, value) in fields {
            let place = format!("{place}/{key}");
            match key.as_str() {
                key if SCHEMAS.contains(&key) => faults(value, &place, found),
                "additionalProperties" if value.is_object() => faults(value, &place, found),
                key if MAPS.contains(&key) => {
                    value
                        .as_object()
                        .unwrap()
                        .iter()
                        .for_each(|(name, one)| faults(one, &format!("{place}/{name}"), found));
                }
                key if LISTS.contains(&key) => {
                    value.as_array().unwrap().iter().for_each(|one| faults(one, &place, found));
                }
                _ => {}
            }
        }
    }

    fn in_operations(value: &Value, place: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    let place = format!("{place}/{key}");
                    if key == "schema" {
                        faults(value, &place, found)
                    } else {
                        in_operations(value, &place, found)
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| in_operations(item, place, found)),
            _ => {}
        }
    }

    #[test]
    fn the_description_holds_nothing_that_generators_stumble_over() {
        let document = crate::openapi::document(true);
        let mut found = Vec::new();
        let schemas = document["components"]["schemas"].as_object().unwrap();
        for (name, schema) in schemas {
            faults(schema, name, &mut found);
        }
        in_operations(&document["paths"], "paths", &mut found);
        assert!(found.is_empty(), "{found:#?}");
        for name in ["SourceCode", "SourceFiles", "ComparisonWord", "ComparisonNumeric"] {
            assert!(schemas.contains_key(name), "{name} is among {:?}", schemas.keys());
        }
    }

    #[test]
    fn words_and_variants_get_their_form() {
        let mut schemas = json!({
            "Color": { "description": "A color.", "oneOf": [
                { "type": "string", "const": "red", "description": "Warm." },
                { "type": "string", "enum": ["blue", "green"] },
            ] },
            "Shape": { "oneOf": [
                { "type": "string", "const": "none" },
                { "type": "object", "required": ["circle"], "properties": {
                    "circle": { "type": "object", "properties": { "radius": { "type": "number" } } } } },
                { "type": "object", "properties": { "kind": { "type": "string", "const": "free_form" } } },
            ] },
            "Loose": { "type": "array", "items": true },
            "Text": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
        });
        simplify(schemas.as_object_mut().unwrap(), &mut BTreeMap::new());
        let reference = |name: &str| json!({ "$ref": format!("{PLACE}{name}") });
        assert_eq!(schemas["Color"]["enum"], json!(["red", "blue", "green"]));
        assert_eq!(schemas["Color"]["description"], "A color.\n\n- `red`: Warm.");
        let variants = json!([reference("ShapeWord"), reference("ShapeCircle"), reference("ShapeFreeForm")]);
        assert_eq!(schemas["Shape"]["oneOf"], variants);
        assert_eq!(schemas["ShapeWord"]["enum"], json!(["none"]));
        assert_eq!(schemas["ShapeCircle"]["properties"]["circle"], reference("ShapeCircleFields"));
        assert_eq!(schemas["Loose"]["items"], json!({}));
        assert_eq!(
            schemas["Text"]["anyOf"],
            json!([{ "type": "string", "title": "TextString" }, { "type": "null" }])
        );
    }
}
