//! Every dependency comes under a licence of deny.toml's list, from the registry, and none is banned.
//!
//! cargo-deny checks the same and more; this rule makes sure that it is checked where cargo-deny is not installed.

use super::Findings;
use crate::tree::Tree;
use serde_json::Value;
use std::process::Command;

/// What is shipped runs on Linux; packages for other systems alone are not fetched for the check.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    let Some(rules) = tree.get("deny.toml") else { return };
    match (Policy::parse(&rules.text), metadata()) {
        (Ok(policy), Ok(metadata)) => {
            for message in policy.check(&metadata) {
                findings.error("Cargo.lock", 1, message);
            }
        }
        (Err(message), _) => findings.error("deny.toml", 1, message),
        (_, Err(message)) => findings.error("Cargo.toml", 1, message),
    }
}

fn metadata() -> Result<Value, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", PLATFORM])
        .current_dir(Tree::root())
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// What deny.toml allows and bans.
struct Policy {
    allowed: Vec<String>,
    banned: Vec<(String, String)>,
}

impl Policy {
    fn parse(text: &str) -> Result<Self, String> {
        let table: toml::Table = text.parse().map_err(|error| format!("not TOML: {error}"))?;
        let list = |section: &str, key: &str| {
            let list =
                table.get(section).and_then(|section| section.get(key)).and_then(toml::Value::as_array);
            list.cloned().ok_or_else(|| format!("no list {section}.{key}"))
        };
        let allowed =
            list("licenses", "allow")?.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect();
        let word =
            |item: &toml::Value, key: &str| item.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let banned = list("bans", "deny")?
            .iter()
            .filter_map(|item| Some((word(item, "crate")?, word(item, "reason").unwrap_or_default())))
            .collect();
        Ok(Self { allowed, banned })
    }

    fn check(&self, metadata: &Value) -> Vec<String> {
        let used: Vec<&str> = nodes(metadata).filter_map(|node| node.get("id")?.as_str()).collect();
        let packages = metadata.get("packages").and_then(Value::as_array).into_iter().flatten();
        packages
            .filter(|package| package.get("id").and_then(Value::as_str).is_some_and(|id| used.contains(&id)))
            .filter_map(|package| self.check_package(package))
            .collect()
    }

    fn check_package(&self, package: &Value) -> Option<String> {
        let word = |key: &str| package.get(key).and_then(Value::as_str);
        let name = word("name")?;
        if let Some((_, reason)) = self.banned.iter().find(|(banned, _)| banned == name) {
            return Some(format!("{name} is banned by deny.toml: {reason}"));
        }
        if word("source").is_some_and(|source| !source.starts_with("registry+")) {
            return Some(format!("{name} does not come from the registry"));
        }
        let licence = word("license").unwrap_or("");
        (!self.allows(licence)).then(|| format!("{name}: licence {licence:?} is not in deny.toml's list"))
    }

    /// Whether an SPDX expression can be met with the allowed licences alone.
    fn allows(&self, expression: &str) -> bool {
        let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
        let tokens: Vec<&str> = spaced.split_whitespace().collect();
        let mut at = 0;
        let holds = self.any(&tokens, &mut at);
        holds && at == tokens.len() && !tokens.is_empty()
    }

    fn any(&self, tokens: &[&str], at: &mut usize) -> bool {
        let mut holds = self.all(tokens, at);
        while tokens.get(*at) == Some(&"OR") {
            *at += 1;
            holds |= self.all(tokens, at);
        }
        holds
    }

    fn all(&self, tokens: &[&str], at: &mut usize) -> bool {
        let mut holds = self.one(tokens, at);
        while tokens.get(*at) == Some(&"AND") {
            *at += 1;
            holds &= self.one(tokens, at);
        }
        holds
    }

    fn one(&self, tokens: &[&str], at: &mut usize) -> bool {
        let Some(token) = tokens.get(*at) else { return false };
        *at += 1;
        if *token == "(" {
            let holds = self.any(tokens, at);
            *at += 1;
            return holds;
        }
        let mut licence = (*token).to_owned();
        if tokens.get(*at) == Some(&"WITH") {
            licence = format!("{licence} WITH {}", tokens.get(*at + 1).unwrap_or(&""));
            *at += 2;
        }
        self.allowed.contains(&licence)
    }
}

/// The packages that the build for [`PLATFORM`] really uses.
fn nodes(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata
        .get("resolve")
        .and_then(|resolve| resolve.get("nodes"))
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn policy() -> Policy {
        Policy::parse(
            "[licenses]\nallow = [\"MIT\", \"Apache-2.0\", \"Apache-2.0 WITH LLVM-exception\"]\n\
             [bans]\ndeny = [{ crate = \"openssl\", reason = \"rustls\" }]\n",
        )
        .unwrap()
    }

    #[test]
    fn expressions_are_weighed() {
        let cases = [
            ("MIT", true),
            ("MIT OR GPL-3.0", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0", false),
            ("MIT AND GPL-3.0", false),
            ("(MIT OR GPL-3.0) AND Apache-2.0", true),
            ("(GPL-2.0 OR LGPL-3.0) AND Apache-2.0", false),
            ("Apache-2.0 WITH LLVM-exception OR GPL-2.0", true),
            ("GPL-2.0 WITH Classpath-exception-2.0", false),
            ("", false),
        ];
        for (expression, expected) in cases {
            assert_eq!(policy().allows(expression), expected, "{expression}");
        }
    }

    #[test]
    fn bad_packages_are_found() {
        let package = |name: &str, licence: &str, source: Option<&str>| json!({ "id": name, "name": name, "license": licence, "source": source });
        let registry = Some("registry+https://index");
        let metadata = json!({
            "packages": [
                package("good", "MIT", registry),
                package("copyleft", "GPL-3.0", registry),
                package("openssl", "Apache-2.0", registry),
                package("forked", "MIT", Some("git+https://somewhere")),
                package("windows-only", "GPL-3.0", registry),
            ],
            "resolve": { "nodes": [{ "id": "good" }, { "id": "copyleft" }, { "id": "openssl" }, { "id": "forked" }] },
        });
        let found = policy().check(&metadata);
        let expected = ["copyleft", "openssl", "forked"];
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (message, name) in found.iter().zip(expected) {
            assert!(message.starts_with(name), "{message}");
        }
    }
}
