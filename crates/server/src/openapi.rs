//! The description of the interface as OpenAPI 3.1, made from the table of routes and the types themselves.

use crate::access::Needs;
use crate::problem::ProblemBody;
use crate::routes::{Gives, Route, Takes, table};
use crate::simple;
use schemars::SchemaGenerator;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const PLACE: &str = "#/components/schemas/";

/// Names in data sets are words or numbers, which their types do not say.
const WORDS: [(&str, &str); 3] = [("JudgeItem", "id"), ("JudgeItem", "group"), ("JudgeCase", "name")];

/// The whole description.
pub fn document(keys: bool) -> Value {
    let mut inputs = generator(Contract::Deserialize);
    let mut outputs = generator(Contract::Serialize);
    let _ = outputs.subschema_for::<ProblemBody>();
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    let mut requests = BTreeMap::new();
    for route in table() {
        let operation = operation(&route, keys, &mut inputs, &mut outputs, &mut requests);
        paths.entry(plain(route.path)).or_default().insert(route.method.into(), operation);
    }
    let mut schemas = outputs.take_definitions(true);
    let mut given = Value::Object(inputs.take_definitions(true));
    for (name, field) in WORDS {
        given[name]["properties"][field]["type"] = json!(["string", "number", "null"]);
    }
    let mut requests = json!(requests);
    // What is read and what is written may differ under one name: then the first has a name of its own.
    let renamed: Vec<String> = given
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, schema)| schemas.get(*name).is_some_and(|own| own != *schema))
        .map(|(name, _)| name.clone())
        .collect();
    let renamed = with_users(&given, renamed);
    rename(&mut given, &renamed);
    rename(&mut requests, &renamed);
    if let Value::Object(given) = given {
        for (name, schema) in given {
            let name = if renamed.contains(&name) { format!("{name}Input") } else { name };
            schemas.entry(name).or_insert(schema);
        }
    }
    for (path, operations) in &mut paths {
        for (method, operation) in operations {
            if let Some(schema) = requests.get(format!("{method} {path}")) {
                operation["requestBody"]["content"]["application/json"]["schema"] = schema.clone();
            }
        }
    }
    simple::simplify(&mut schemas, &mut paths);
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "Formicary",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Runs, reviews, searches, mends code that nobody trusts.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer", "bearerFormat": "fmk_…" } },
        },
    })
}

fn generator(contract: Contract) -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
            settings.contract = contract;
        })
        .into_generator()
}

/// `{*path}` is `{path}` to others.
fn plain(path: &str) -> String {
    path.replace("{*", "{")
}

fn operation(
    route: &Route,
    keys: bool,
    inputs: &mut SchemaGenerator,
    outputs: &mut SchemaGenerator,
    requests: &mut BTreeMap<String, Value>,
) -> Value {
    let path = plain(route.path);
    let problem = json!({
        "description": "What went wrong.",
        "content": { "application/problem+json": { "schema": outputs.subschema_for::<ProblemBody>() } },
    });
    let (status, mut answer) = match route.gives {
        Gives::Json(status, schema) => {
            let mut content = json!({ "application/json": { "schema": schema(outputs) } });
            if route.streams {
                content["text/event-stream"] = json!({ "schema": event() });
            }
            (status, json!({ "description": "Done.", "content": content }))
        }
        Gives::Empty => (204, json!({ "description": "Done." })),
        Gives::Other(101, _) => (101, json!({ "description": "The WebSocket is open." })),
        Gives::Other(status, kind) => {
            let schema = match kind {
                "application/octet-stream" => json!({}),
                "text/event-stream" => event(),
                _ => json!({ "type": "string" }),
            };
            (status, json!({ "description": "Done.", "content": { kind: { "schema": schema } } }))
        }
    };
    if matches!(status, 201 | 202) {
        answer["headers"] = json!({ "Location": { "schema": { "type": "string" } } });
    }
    let mut operation = json!({
        "operationId": format!("{}{}", route.method, path.replace(['/', '.'], "_").replace(['{', '}'], "")),
        "summary": route.about,
        "tags": [route.family],
        "responses": { status.to_string(): answer, "default": problem },
    });
    let mut parameters: Vec<Value> = path
        .split(['{', '}'])
        .skip(1)
        .step_by(2)
        .map(|name| {
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } })
        })
        .collect();
    parameters.extend(route.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "in": parameter.place,
            "required": false,
            "description": parameter.about,
            "schema": (parameter.schema)(inputs),
        })
    }));
    if !parameters.is_empty() {
        operation["parameters"] = json!(parameters);
    }
    match route.takes {
        Takes::Nothing => {}
        Takes::Json(schema) => {
            requests.insert(format!("{} {path}", route.method), json!(schema(inputs)));
            operation["requestBody"] = json!({ "required": true, "content": { "application/json": {} } });
        }
        Takes::Bytes => {
            let content = json!({ "application/octet-stream": { "schema": {} } });
            operation["requestBody"] = json!({ "required": true, "content": content });
        }
    }
    match route.needs {
        Needs::Nothing => operation["security"] = json!([]),
        Needs::Key | Needs::Scope(_) => {
            operation["security"] = if keys { json!([{ "key": [] }]) } else { json!([{}, { "key": [] }]) };
        }
    }
    if let Needs::Scope(scope) = route.needs {
        operation["description"] = json!(format!("Needs a key with the scope `{}`.", scope.word()));
    }
    operation
}

/// One event of a stream; its data is JSON.
fn event() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "type": "object",
        "properties": { "id": text, "event": text, "data": text },
        "required": ["event", "data"],
    })
}

/// These names, and all that name them.
fn with_users(schemas: &Value, mut names: Vec<String>) -> Vec<String> {
    loop {
        let more: Vec<String> = schemas
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, schema)| !names.contains(name) && refers(schema, &names))
            .map(|(name, _)| name.clone())
            .collect();
        if more.is_empty() {
            return names;
        }
        names.extend(more);
    }
}

fn refers(schema: &Value, names: &[String]) -> bool {
    match schema {
        Value::Object(fields) => fields.iter().any(|(key, value)| match (key.as_str(), value) {
            ("$ref", Value::String(place)) => {
                place.strip_prefix(PLACE).is_some_and(|name| names.iter().any(|own| own == name))
            }
            _ => refers(value, names),
        }),
        Value::Array(items) => items.iter().any(|item| refers(item, names)),
        _ => false,
    }
}

fn rename(schema: &mut Value, names: &[String]) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                match (key.as_str(), &mut *value) {
                    ("$ref", Value::String(place)) => {
                        let own =
                            place.strip_prefix(PLACE).is_some_and(|name| names.iter().any(|n| n == name));
                        if own {
                            place.push_str("Input");
                        }
                    }
                    _ => rename(value, names),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn references(schema: &Value, found: &mut BTreeSet<String>) {
        match schema {
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value {
                        Value::String(place) if key == "$ref" => {
                            found.insert(place.clone());
                        }
                        _ => references(value, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_somewhere_and_names_are_unique() {
        let document = document(true);
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        assert!(found.len() > 40, "{}", found.len());
        for place in found {
            assert!(document.pointer(&place[1..]).is_some(), "{place}");
        }
        let mut names = BTreeSet::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                assert!(
                    names.insert(operation["operationId"].as_str().unwrap().to_owned()),
                    "{method} {path}"
                );
                assert!(operation["responses"]["default"].is_object(), "{method} {path}");
            }
        }
        assert_eq!(names.len(), table().len());
    }

    #[test]
    fn what_is_taken_and_given_is_told() {
        let document = document(true);
        let execute = &document["paths"]["/v1/execute"]["post"];
        let body = &execute["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        assert!(body.as_str().unwrap().contains("/ExecutionRequest"), "{execute}");
        assert_eq!(execute["security"], json!([{ "key": [] }]));
        let schemas = &document["components"]["schemas"];
        for (name, field) in WORDS {
            let own = schemas.get(name).or(schemas.get(format!("{name}Input"))).unwrap();
            assert!(own["properties"][field]["description"].is_string(), "{name}.{field} is there");
        }
        let files = &document["paths"]["/v1/sessions/{id}/files/{path}"]["put"]["parameters"];
        assert_eq!(files.as_array().unwrap().len(), 2);
    }
}
