//! Symbols and packages that are not found.

use super::COMMON;
use crate::Candidate;
use crate::remedies::remedy::{JAVA, Remedy, Way};
use crate::remedies::spot::Spot;
use formicary_diagnose::library;
use formicary_model::Language;

const FAILED: &[&str] = &["cannot-find-symbol"];
const NO_PACKAGE: &[&str] = &["package-does-not-exist"];

/// Names of other languages.
const FOREIGN: &[(&str, &str)] = &[
    ("string", "String"),
    ("bool", "boolean"),
    ("True", "true"),
    ("False", "false"),
    ("None", "null"),
    ("nil", "null"),
    ("NULL", "null"),
    ("append", "add"),
    ("push", "add"),
    ("length", "size"),
    ("size", "length"),
    ("len", "length"),
    ("toUpper", "toUpperCase"),
    ("lower", "toLowerCase"),
    ("has", "contains"),
    ("Println", "println"),
    ("charat", "charAt"),
];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-import", about: "Imports a class of the library",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(missing_import),
        examples: &[("cannot-find-symbol", "cannot find symbol; symbol:   class List", "class Main {\n▸    List<String> names;\n}", "import java.util.List;\nclass Main {\n    List<String> names;\n}")],
    },
    Remedy {
        name: "foreign-name", about: "Writes Java's name for that of another language",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            missing(spot).map(|name| spot.replace_foreign(&name, FOREIGN, 0.7)).unwrap_or_default()
        }),
        examples: &[("cannot-find-symbol", "cannot find symbol; symbol:   class string", "string name;", "String name;")],
    },
    Remedy {
        name: "length-call", about: "Asks for a length as arrays, texts and lists want it",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(length_call),
        examples: &[
            ("cannot-find-symbol", "cannot find symbol; symbol:   method length()", "int n = xs.length();", "int n = xs.length;"),
            ("cannot-find-symbol", "cannot find symbol; symbol:   variable length", "int n = s.length;", "int n = s.length();"),
        ],
    },
    Remedy {
        name: "misspelt-name", about: "Takes a name near to the one that is not found",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(misspelt),
        examples: &[("cannot-find-symbol", "cannot find symbol; symbol:   variable cuont", "int count = 1;\nSystem.out.println(cuont);", "int count = 1;\nSystem.out.println(count);")],
    },
    Remedy {
        name: "undeclared-variable", about: "Declares a variable where it is first set",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(undeclared),
        examples: &[
            ("cannot-find-symbol", "cannot find symbol; symbol:   variable n", "n = 1;", "int n = 1;"),
            ("cannot-find-symbol", "cannot find symbol; symbol:   variable s", "s = \"a\";", "String s = \"a\";"),
        ],
    },
    Remedy {
        name: "package-of-class", about: "Imports a class from the package that holds it",
        languages: JAVA, answers: NO_PACKAGE, says: &[],
        way: Way::Propose(package_of_class),
        examples: &[("package-does-not-exist", "package java.utils does not exist", "import java.utils.List;", "import java.util.List;")],
    },
    Remedy {
        name: "misspelt-name", about: "Takes a class whose name is near to what is taken for a package",
        languages: JAVA, answers: NO_PACKAGE, says: &[],
        way: Way::Propose(misspelt_package),
        examples: &[
            ("package-does-not-exist", "package system does not exist", "system.out.println(1);", "System.out.println(1);"),
            ("package-does-not-exist", "package Intger does not exist", "Intger.x.y();", "Integer.x.y();"),
        ],
    },
    Remedy {
        name: "needless-import", about: "Leaves an import out",
        languages: JAVA, answers: NO_PACKAGE, says: &[],
        way: Way::Propose(|spot| vec![spot.rewrite(spot.line, "", 2.0, "Leaves the import out")]),
        examples: &[("package-does-not-exist", "package a.b does not exist", "▸import a.b.C;\nclass A {}", "\nclass A {}")],
    },
];

fn missing(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"symbol:\s+\w+ (\w+)")
}

fn missing_import(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let mut found = Vec::new();
    for holder in library::holders(Language::Java, &name) {
        if !spot.text.contains(&format!("import {holder}.{name};")) {
            found.push(import(spot, &format!("{holder}.{name}")));
            if !spot.text.contains(&format!("import {holder}.*")) {
                found.push(import(spot, &format!("{holder}.*")));
            }
        }
    }
    found
}

fn import(spot: &Spot<'_>, path: &str) -> Candidate {
    let lines: Vec<&str> = spot.text.lines().collect();
    let after = lines
        .iter()
        .rposition(|line| line.starts_with("import "))
        .or_else(|| lines.iter().position(|line| line.starts_with("package ")));
    let line = after.map_or(1, |index| index as u32 + 2);
    spot.insert(spot.start_of(line), &format!("import {path};\n"), 0.6, format!("Imports {path}"))
}

fn length_call(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let mut found = spot.replace(&format!(r"\.{name}\b(\()?"), ".length$1", 1.4);
    if name == "length" || name == "size" {
        for (pattern, new, cost) in [
            (r"\.length\(\)", ".length", 0.7),
            (r"\.length\b([^(]|$)", ".length()$1", 0.7),
            (r"\.size\(\)", ".length()", 0.8),
            (r"\.size\(\)", ".length", 0.9),
            (r"\.length\(\)", ".size()", 0.9),
            (r"\.length\b", ".size()", 0.9),
        ] {
            found.extend(spot.replace(pattern, new, cost));
        }
    }
    found
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let near = spot.near(&name, spot.text, COMMON).into_iter();
    near.flat_map(|(rank, near)| spot.replace_word(&name, &near, 0.9 + rank * 0.3)).collect()
}

fn undeclared(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let number = format!(r"^(\s*(?:for \()?){name}(\s*=[^=])");
    let text = format!(r"^(\s*){name}(\s*=\s*\x22)");
    let mut found = spot.replace(&number, &format!("${{1}}int {name}$2"), 1.0);
    found.extend(spot.replace(&text, &format!("${{1}}String {name}$2"), 0.9));
    found
}

fn package_of_class(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.captured(r"import [\w.]+\.(\w+);") else { return Vec::new() };
    let from = |holder: &str| {
        let new = format!("import {holder}.{name};");
        spot.rewrite(spot.line, &new, 0.6, format!("Imports {name} from {holder}"))
    };
    library::holders(Language::Java, &name).into_iter().map(from).collect()
}

fn misspelt_package(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = spot.replace(r"\b[Ss]ytem\.|\bsystem\.|\bSystm\.", "System.", 0.7);
    let wrong = spot.said(r"package (\w+) does not exist").unwrap_or_default();
    let near = spot.near(&wrong, spot.text, COMMON).into_iter();
    found.extend(near.flat_map(|(_, near)| spot.replace_word(&wrong, &near, 0.9)));
    found
}
