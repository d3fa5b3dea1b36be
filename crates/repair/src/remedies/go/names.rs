//! Names, members and packages that are not found.

use super::COMMON;
use crate::Candidate;
use crate::remedies::remedy::{GO, Remedy, Way};
use crate::remedies::spot::Spot;
use formicary_diagnose::{library, names};
use formicary_model::Language;

const FAILED: &[&str] = &["undefined"];
const MEMBERS: &[&str] = &["no-field-or-method", "unknown-field"];
const CONSTANTS: &[(&str, &str)] =
    &[("null", "nil"), ("None", "nil"), ("True", "true"), ("False", "false"), ("NULL", "nil")];
const PACKAGES: &str = "fmt strings strconv os errors math sort time sync bufio io bytes math/rand encoding/json regexp \
    unicode context log path/filepath container/heap container/list";

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-import", about: "Imports the package that holds a name",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(missing_import),
        examples: &[("undefined", "undefined: strings", "package main\nimport \"fmt\"\nfunc main() { fmt.Println(strings.ToUpper(\"a\")) }", "package main\nimport \"strings\"\nimport \"fmt\"\nfunc main() { fmt.Println(strings.ToUpper(\"a\")) }")],
    },
    Remedy {
        name: "foreign-constant", about: "Writes Go's constant for that of another language",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            undefined(spot).map(|(_, name)| spot.replace_foreign(&name, CONSTANTS, 0.6)).unwrap_or_default()
        }),
        examples: &[("undefined", "undefined: null", "x = null", "x = nil")],
    },
    Remedy {
        name: "misspelt-name", about: "Takes a name near to the one that nothing defines",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(misspelt),
        examples: &[("undefined", "undefined: cuont", "count := 1\nf(cuont)", "count := 1\nf(count)")],
    },
    Remedy {
        name: "undeclared-variable", about: "Declares a variable where it is first set",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(undeclared),
        examples: &[("undefined", "undefined: n", "\tn = 1", "\tn := 1")],
    },
    Remedy {
        name: "exported-name", about: "Writes a name of a package with a capital letter",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(exported),
        examples: &[("undefined", "undefined: fmt.println", "fmt.println(1)", "fmt.Println(1)")],
    },
    Remedy {
        name: "misspelt-package", about: "Imports a package whose path is near",
        languages: GO, answers: &["package-not-found"], says: &[],
        way: Way::Propose(misspelt_package),
        examples: &[
            ("package-not-found", "package string is not in std", "import \"string\"", "import \"strings\""),
            ("package-not-found", "package json is not in std", "import \"json\"", "import \"encoding/json\""),
        ],
    },
    Remedy {
        name: "misspelt-member", about: "Takes a member whose name is near",
        languages: GO, answers: MEMBERS, says: &[],
        way: Way::Propose(misspelt_member),
        examples: &[("no-field-or-method", "p.widht undefined (type point has no field or method widht)", "type point struct { width int }\nf(p.widht)", "type point struct { width int }\nf(p.width)")],
    },
    Remedy {
        name: "foreign-length", about: "Asks for a length by len",
        languages: GO, answers: MEMBERS, says: &[],
        way: Way::Propose(|spot| {
            let is_length = |name: &String| ["length", "size", "len"].contains(&name.as_str());
            let Some(name) = member(spot).filter(is_length) else { return Vec::new() };
            spot.replace(&format!(r"(\w+)\.{name}(?:\(\))?"), "len($1)", 0.7)
        }),
        examples: &[("no-field-or-method", "xs.length undefined (type []int has no field or method length)", "n := xs.length", "n := len(xs)")],
    },
];

/// What is not defined, with its package and without.
fn undefined(spot: &Spot<'_>) -> Option<(String, String)> {
    let whole = spot.said(r"undefined: ([\w.]+)|^([\w.]+) not (?:declared|exported)")?;
    let name = whole.rsplit('.').next().unwrap_or(&whole).to_owned();
    Some((whole, name))
}

fn missing_import(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((_, name)) = undefined(spot) else { return Vec::new() };
    library::holders(Language::Go, &name).into_iter().map(|holder| import(spot, holder)).collect()
}

/// Imports a package.
pub(super) fn import(spot: &Spot<'_>, path: &str) -> Candidate {
    let why = format!("Imports {path}");
    if let Some(at) = spot.text.find("import (") {
        return spot.insert(at + "import (".len(), &format!("\n\t\"{path}\""), 0.5, why);
    }
    let numbered = (1..).zip(spot.text.lines()).find(|(_, line)| line.starts_with("package "));
    let line = numbered.map_or(1, |(line, _)| line);
    spot.insert(spot.start_of(line + 1), &format!("import \"{path}\"\n"), 0.5, why)
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((_, name)) = undefined(spot) else { return Vec::new() };
    let near = spot.near(&name, spot.text, COMMON).into_iter();
    near.flat_map(|(rank, near)| spot.replace_word(&name, &near, 0.9 + rank * 0.3)).collect()
}

fn undeclared(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((_, name)) = undefined(spot).filter(|(whole, name)| whole == name) else { return Vec::new() };
    spot.replace(&format!(r"^(\s*(?:for )?){name}(\s*)="), &format!("${{1}}{name}$2:="), 0.8)
}

fn exported(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((_, name)) = undefined(spot) else { return Vec::new() };
    let mut upper = name.clone();
    if let Some(first) = upper.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    spot.replace(&format!(r"\.{name}\b"), &format!(".{upper}"), 0.6)
}

fn misspelt_package(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(wrong) = spot.said(r#"package ([\w./]+) is not|package "?([\w./]+)"?"#) else {
        return Vec::new();
    };
    let is_near = |right: &&str| {
        names::distance(&wrong, right) <= 2 || right.rsplit('/').next() == Some(wrong.as_str())
    };
    let quoted = format!("\"{}\"", regex::escape(&wrong));
    let near = PACKAGES.split_whitespace().filter(is_near);
    near.flat_map(|right| spot.replace(&quoted, &format!("\"{right}\""), 0.7)).collect()
}

fn member(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"has no field or method (\w+)|unknown field '?(\w+)")
}

fn misspelt_member(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = member(spot) else { return Vec::new() };
    let pattern = format!(r"(\.|\b){name}\b");
    let near = spot.near(&name, spot.text, COMMON).into_iter();
    near.flat_map(|(rank, near)| spot.replace(&pattern, &format!("${{1}}{near}"), 0.8 + rank * 0.2)).collect()
}
