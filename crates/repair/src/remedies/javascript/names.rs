//! Names that nothing defines, and modules that are not found.

use super::COMMON;
use crate::Candidate;
use crate::remedies::remedy::{Remedy, SCRIPT, Way};
use crate::remedies::spot::{Spot, fits, regex};
use formicary_diagnose::{library, names};

const FAILED: &[&str] = &["ReferenceError"];

/// Names of other languages.
const FOREIGN: &[(&str, &str)] = &[
    ("True", "true"),
    ("False", "false"),
    ("None", "null"),
    ("nil", "null"),
    ("NULL", "null"),
    ("print", "console.log"),
    ("len", "length"),
    ("self", "this"),
];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "used-too-early", about: "Moves a declaration above its first use",
        languages: SCRIPT, answers: FAILED, says: &["before initialization"],
        way: Way::Propose(used_too_early),
        examples: &[("ReferenceError", "Cannot access 'n' before initialization", "▸console.log(n);\nconst n = 1;\n", "const n = 1;\nconsole.log(n);\n")],
    },
    Remedy {
        name: "foreign-name", about: "Writes JavaScript's name for that of another language",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            undefined(spot).map(|name| spot.replace_foreign(&name, FOREIGN, 0.6)).unwrap_or_default()
        }),
        examples: &[("ReferenceError", "None is not defined", "x = None;", "x = null;")],
    },
    Remedy {
        name: "missing-require", about: "Loads a module of Node",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(missing_require),
        examples: &[
            ("ReferenceError", "fs is not defined", "fs.readFileSync('a');", "const fs = require(\"fs\");\nfs.readFileSync('a');"),
            ("ReferenceError", "fs is not defined", "import path from \"path\";\nfs.readFileSync('a');", "import fs from \"fs\";\nimport path from \"path\";\nfs.readFileSync('a');"),
        ],
    },
    Remedy {
        name: "missing-this", about: "Asks the object for a field or method that is named without it",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(missing_this),
        examples: &[("ReferenceError", "age is not defined", "class A {\n  constructor() { this.age = 1; }\n▸  old() { return age; }\n}", "class A {\n  constructor() { this.age = 1; }\n  old() { return this.age; }\n}")],
    },
    Remedy {
        name: "misspelt-name", about: "Takes a name near to the one that nothing defines",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(misspelt),
        examples: &[("ReferenceError", "cuont is not defined", "const count = 3;\nconsole.log(cuont);", "const count = 3;\nconsole.log(count);")],
    },
    Remedy {
        name: "undeclared-variable", about: "Declares a variable where it is first set",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(undeclared),
        examples: &[
            ("ReferenceError", "n is not defined", "n = 1;", "let n = 1;"),
            ("ReferenceError", "x is not defined", "for (x of xs) {", "for (const x of xs) {"),
        ],
    },
    Remedy {
        name: "missing-quotes", about: "Makes text of a name that nothing defines",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let quoted = |name: String| spot.replace_word(&name, &format!("\"{name}\""), 2.5);
            undefined(spot).map(quoted).unwrap_or_default()
        }),
        examples: &[("ReferenceError", "hello is not defined", "console.log(hello)", "console.log(\"hello\")")],
    },
    Remedy {
        name: "misspelt-module", about: "Loads a module of Node whose name is near",
        languages: SCRIPT, answers: &["Error"], says: &["Cannot find"],
        way: Way::Propose(misspelt_module),
        examples: &[("Error", "Cannot find module 'pth'", "const p = require('pth');", "const p = require('path');")],
    },
    Remedy {
        name: "relative-module", about: "Loads a file of the project by its path",
        languages: SCRIPT, answers: &["Error"], says: &["Cannot find"],
        way: Way::Propose(relative_module),
        examples: &[("Error", "Cannot find module 'main'", "require('main');", "require('./main.js');")],
    },
];

fn undefined(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"^(\w+) is not defined")
}

fn used_too_early(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"access '(\w+)' before initialization") else { return Vec::new() };
    let declared = regex(&format!(r"^\s*(?:const|let) {name}\b"));
    let declares =
        |line: &u32| declared.as_ref().is_some_and(|pattern| pattern.is_match(spot.line_at(*line)));
    let Some(line) = (spot.line + 1..=spot.count()).find(declares) else { return Vec::new() };
    let (start, text) = (spot.start_of(line), spot.line_at(line));
    let mut end = start + text.len();
    end += usize::from(spot.text[end..].starts_with('\n'));
    let at = spot.start_of(spot.line);
    let edits = vec![spot.edit(at, at, format!("{text}\n")), spot.edit(start, end, "")];
    vec![spot.make(edits, 0.7, format!("Moves {name} above its first use"))]
}

fn missing_require(spot: &Spot<'_>) -> Vec<Candidate> {
    let is_module = |name: &String| library::NODE_MODULES.contains(&name.as_str()) && name != "require";
    let Some(name) = undefined(spot).filter(is_module) else { return Vec::new() };
    let line = if spot.text.contains("import ") && !spot.text.contains("require(") {
        format!("import {name} from \"{name}\";\n")
    } else {
        format!("const {name} = require(\"{name}\");\n")
    };
    vec![spot.insert(0, &line, 0.5, format!("Loads {name}"))]
}

fn missing_this(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = undefined(spot) else { return Vec::new() };
    let is_there = spot.text.contains(&format!("this.{name}"))
        || fits(&format!(r"(?m)^\s+(?:async )?{name}\([^)]*\)\s*\{{"), spot.text);
    if is_there { spot.replace_word(&name, &format!("this.{name}"), 0.7) } else { Vec::new() }
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = undefined(spot) else { return Vec::new() };
    let near = spot.near(&name, spot.text, COMMON).into_iter();
    near.flat_map(|(rank, near)| spot.replace_word(&name, &near, 0.9 + rank * 0.3)).collect()
}

fn undeclared(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = undefined(spot) else { return Vec::new() };
    let assigned = format!(r"^(\s*(?:for \()?){name}(\s*=)");
    let mut found = spot.replace(&assigned, &format!("${{1}}let {name}$2"), 0.8);
    found.extend(spot.replace(&format!(r"for \({name} "), &format!("for (const {name} "), 0.7));
    found
}

fn missing_module(spot: &Spot<'_>) -> Option<(String, String)> {
    let wrong = spot.said(r"Cannot find (?:module|package) '([^']+)'")?;
    let quoted = format!(r#"(["']){}(["'])"#, regex::escape(&wrong));
    Some((wrong, quoted))
}

fn misspelt_module(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((wrong, quoted)) = missing_module(spot) else { return Vec::new() };
    let near = names::near(&wrong, "", library::NODE_MODULES).into_iter();
    near.flat_map(|near| spot.replace(&quoted, &format!("${{1}}{near}$2"), 0.7)).collect()
}

fn relative_module(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some((wrong, quoted)) = missing_module(spot) else { return Vec::new() };
    let plain = wrong.trim_start_matches("./");
    let is_meant = |path: &str| {
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        plain == stem || names::distance(plain.trim_end_matches(".js"), stem) <= 2
    };
    let files = spot.case.files.iter().filter(|file| is_meant(&file.path));
    files.flat_map(|file| spot.replace(&quoted, &format!("${{1}}./{}$2", file.path), 0.6)).collect()
}
