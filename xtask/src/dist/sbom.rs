//! The list of what the binary is made of, in CycloneDX 1.5, from what cargo itself resolved.

use super::{TARGET, VERSION};
use crate::tree::Tree;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The binary, and the programs that are embedded in it without being its dependencies.
const ROOTS: [&str; 4] = ["formicary", "formicary-guest", "formicary-jail", "formicary-typestrip"];

/// What cargo resolved for the target.
pub fn metadata() -> Result<Value, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET])
        .current_dir(Tree::root())
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// The document: every package of the normal dependency graph, with the checksum that the lock file holds it to.
pub fn write(metadata: &Value, lock: &str, time: u64) -> Result<String, String> {
    let packages: BTreeMap<&str, &Value> =
        list(metadata, "packages").filter_map(|package| Some((word(package, "id")?, package))).collect();
    let resolve = metadata.get("resolve").ok_or("cargo metadata has no graph")?;
    let graph: BTreeMap<&str, BTreeSet<&str>> =
        list(resolve, "nodes").filter_map(|node| Some((word(node, "id")?, needed(node)))).collect();
    let is_root = |package: &&Value| {
        package.get("source").is_some_and(Value::is_null)
            && word(package, "name").is_some_and(|name| ROOTS.contains(&name))
    };
    let mut open: Vec<&str> = packages
        .values()
        .filter(|package| is_root(package))
        .filter_map(|package| word(package, "id"))
        .collect();
    if open.len() != ROOTS.len() {
        return Err(format!("cargo metadata names {} of the {} programs", open.len(), ROOTS.len()));
    }
    let mut used = BTreeSet::new();
    while let Some(id) = open.pop() {
        if used.insert(id) {
            open.extend(graph.get(id).into_iter().flatten());
        }
    }
    let checksums = checksums(lock)?;
    let reference = |id: &str| packages.get(id).and_then(|package| purl(package));
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    let mut subject = Value::Null;
    for id in &used {
        let (Some(package), Some(reference_of_it)) = (packages.get(id), reference(id)) else { continue };
        let component = component(package, &reference_of_it, &checksums);
        if word(package, "name") == Some("formicary") {
            subject = component;
        } else {
            components.push((reference_of_it.clone(), component));
        }
        let mut needs: Vec<String> =
            graph.get(id).into_iter().flatten().filter_map(|id| reference(id)).collect();
        needs.sort();
        dependencies.push((reference_of_it.clone(), json!({ "ref": reference_of_it, "dependsOn": needs })));
    }
    components.sort_by(|one, other| one.0.cmp(&other.0));
    dependencies.sort_by(|one, other| one.0.cmp(&other.0));
    let values = |list: Vec<(String, Value)>| list.into_iter().map(|(_, value)| value).collect::<Vec<_>>();
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": subject, "properties": [
            { "name": "formicary:source-date-epoch", "value": time.to_string() },
            { "name": "formicary:target", "value": TARGET },
        ] },
        "components": values(components),
        "dependencies": values(dependencies),
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// What a package needs when it runs: no build scripts' packages, none of tests.
fn needed(node: &Value) -> BTreeSet<&str> {
    let normal = |dependency: &&Value| {
        list(dependency, "dep_kinds").any(|kind| kind.get("kind").is_some_and(Value::is_null))
    };
    list(node, "deps").filter(normal).filter_map(|dependency| word(dependency, "pkg")).collect()
}

fn component(package: &Value, reference: &str, checksums: &BTreeMap<(String, String), String>) -> Value {
    let name = word(package, "name").unwrap_or_default();
    let version = word(package, "version").unwrap_or(VERSION);
    let mut component = json!({
        "type": if ROOTS.contains(&name) { "application" } else { "library" },
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
    });
    if let Some(license) = word(package, "license") {
        // Old manifests write a slash where SPDX wants a word.
        let expression = license.replace(" / ", " OR ").replace('/', " OR ");
        component["licenses"] = json!([{ "expression": expression }]);
    }
    if let Some(sum) = checksums.get(&(name.to_owned(), version.to_owned())) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
    }
    component
}

/// The package's address. A package of ours is not in the registry, where somebody else may own its name.
fn purl(package: &Value) -> Option<String> {
    let base = format!("pkg:cargo/{}@{}", word(package, "name")?, word(package, "version")?);
    let is_ours = package.get("source").is_some_and(Value::is_null);
    Some(if is_ours { format!("{base}?vcs_url=git%2B{}", env!("CARGO_PKG_REPOSITORY")) } else { base })
}

fn checksums(lock: &str) -> Result<BTreeMap<(String, String), String>, String> {
    let lock: toml::Table = lock.parse().map_err(|error| format!("Cargo.lock: {error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let text =
        |package: &toml::Value, key: &str| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    Ok(packages
        .filter_map(|package| {
            Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?))
        })
        .collect())
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn word<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Value {
        let lock = super::super::lock_file().unwrap();
        let text = write(&metadata().unwrap(), &lock, 1_700_000_000).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn every_component_has_version_license_and_address() {
        let document = document();
        assert_eq!(document["metadata"]["component"]["name"], "formicary");
        let components = document["components"].as_array().unwrap();
        assert!(components.len() > 100, "{}", components.len());
        let mut references = BTreeSet::new();
        for component in components {
            let purl = component["purl"].as_str().unwrap();
            assert!(purl.starts_with("pkg:cargo/"), "{component}");
            assert!(component["licenses"][0]["expression"].is_string(), "{component}");
            assert_eq!(component.get("hashes").is_none(), purl.contains("vcs_url"), "{component}");
            assert!(references.insert(purl), "{purl} twice");
        }
        for dependency in document["dependencies"].as_array().unwrap() {
            for needed in dependency["dependsOn"].as_array().unwrap() {
                assert!(references.contains(needed.as_str().unwrap()), "{needed}");
            }
        }
    }

    #[test]
    fn what_only_tests_and_embedded_programs_need_is_told_apart() {
        let document = document();
        let components = document["components"].as_array().unwrap();
        let has = |name: &str| components.iter().any(|component| component["name"] == name);
        for name in ["serde", "clap", "oxc_parser", "formicary-jail", "formicary-typestrip"] {
            assert!(has(name), "{name}");
        }
        for name in ["libtest-mimic", "formicary-testkit", "xtask"] {
            assert!(!has(name), "{name}");
        }
    }
}
