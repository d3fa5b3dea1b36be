//! Every use case with every field of its input, at each front end. No name is written here by hand but those of exceptions.

use crate::project::Project;
use crate::{cli, http};
use formicary_platform::registry;
use formicary_platform::use_case::{Route, Row};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::Path;

/// Use cases that have no method in the Python package, and why.
const WITHOUT_METHOD: &[(&str, &str)] = &[
    ("review.pyscn", "a part of what the review measures"),
    ("session.list", "a session is an object of the program that started it"),
    ("session.show", "a session is an object of the program that started it"),
    ("projects.list", "projects that a server reviewed by name"),
    ("projects.show", "projects that a server reviewed by name"),
    ("runs", "`formicary.coding.monitoring` reads the monitors of its own process"),
    ("runs.timeline", "`formicary.coding.monitoring` reads the monitors of its own process"),
    ("metrics", "`formicary.coding.monitoring` reads the monitors of its own process"),
];

/// The names of a schema's fields, through the reference that it may be.
fn fields(schema: &Value, definitions: &Value) -> BTreeSet<String> {
    let mut schema = schema;
    while let Some(name) = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
        schema = &definitions[name];
    }
    let own = schema["properties"].as_object().into_iter().flat_map(Map::keys).cloned();
    let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|word| schema[word].as_array());
    own.chain(parts.flatten().flat_map(|part| fields(part, definitions))).collect()
}

fn input_of(row: &Row) -> BTreeSet<String> {
    let mut generator = schemars::SchemaGenerator::default();
    let schema = (row.input)(&mut generator).to_value();
    let definitions = Value::Object(generator.take_definitions(true));
    fields(&schema, &definitions)
}

#[test]
fn http_takes_every_field_of_every_use_case() {
    let project = Project::new();
    let Some(cli) = cli::Cli::find(&project) else { return };
    let Some(http) = http::Http::start(&cli, &project) else { return };
    let description = http.ask("/openapi.json", Value::Null);
    let definitions = &description["components"]["schemas"];
    for row in registry::ALL.iter().filter(|row| row.route == Route::Post) {
        let body = &description["paths"][row.path]["post"]["requestBody"]["content"]["application/json"];
        assert_eq!(fields(&body["schema"], definitions), input_of(row), "{} over HTTP", row.name);
    }
    for row in registry::ALL.iter().filter(|row| row.route == Route::Resource) {
        let path = row.path.replace("{*path}", "{path}");
        let known = [row.path, &path].into_iter().any(|path| description["paths"][path].is_object());
        assert!(known, "{} has no address: {}", row.name, row.path);
    }
}

/// The text of the package's modules.
fn python() -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/python/python/formicary");
    let modules = std::fs::read_dir(package).unwrap().map(|entry| entry.unwrap().path());
    let sources = modules.filter(|path| path.extension().is_some_and(|end| end == "py"));
    sources.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn python_has_a_method_for_every_use_case() {
    let package = python();
    let mut wrong = Vec::new();
    for row in registry::ALL {
        let named = package.contains(&format!("\"{}\"", row.name));
        if named == WITHOUT_METHOD.iter().any(|(name, _)| *name == row.name) {
            wrong.push(row.name);
        }
    }
    assert!(wrong.is_empty(), "they have no method, or a reason to have none as well: {wrong:?}");
}
