//! Statements that stand where they have no meaning, and habits of other languages.

use crate::Candidate;
use crate::remedies::remedy::{Remedy, SCRIPT, Way};
use crate::remedies::spot::Spot;

const FAILED: &[&str] = &["SyntaxError"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "declared-twice", about: "Assigns to a variable that is declared already",
        languages: SCRIPT, answers: FAILED, says: &["has already been declared"],
        way: Way::Replace(&[(r"\b(?:let|const|var) (\w+\s*=)", "$1", 0.6)]),
        examples: &[("SyntaxError", "Identifier 'n' has already been declared", "let n = 2;", "n = 2;")],
    },
    Remedy {
        name: "missing-async", about: "Makes a function asynchronous in which something is awaited",
        languages: SCRIPT, answers: FAILED, says: &["await is only valid"],
        way: Way::Propose(missing_async),
        examples: &[
            ("SyntaxError", "await is only valid in async functions and the top level bodies of modules", "function main() {\n  const value = await load();", "async function main() {\n  const value = await load();"),
            ("SyntaxError", "await is only valid in async functions and the top level bodies of modules", "const f = (x) => {\n  await g(x);", "const f = async (x) => {\n  await g(x);"),
        ],
    },
    Remedy {
        name: "default-import", about: "Imports what a module exports as its default",
        languages: SCRIPT, answers: FAILED, says: &["export named"],
        way: Way::Propose(|spot| {
            let name = spot.said(r"named '(\w+)'").unwrap_or_default();
            spot.replace(&format!(r"\{{\s*{name}\s*\}}"), &name, 0.8)
        }),
        examples: &[("SyntaxError", "The requested module './a.mjs' does not provide an export named 'a'", "import { a } from './a.mjs';", "import a from './a.mjs';")],
    },
    Remedy {
        name: "module-syntax", about: "Loads by require where import has no meaning",
        languages: SCRIPT, answers: FAILED, says: &["import statement outside a module"],
        way: Way::Replace(&[
            (r#"import \{([^}]*)\} from (["'][^"']+["'])"#, "const {$1} = require($2)", 0.7),
            (r#"import (\w+) from (["'][^"']+["'])"#, "const $1 = require($2)", 0.7),
        ]),
        examples: &[("SyntaxError", "Cannot use import statement outside a module", "import fs from 'fs';", "const fs = require('fs');")],
    },
    Remedy {
        name: "foreign-syntax", about: "Writes JavaScript for habits of other languages",
        languages: SCRIPT, answers: FAILED, says: &[],
        way: Way::Replace(&[
            (r"\belif\b", "else if", 1.0),
            (r"\bdef (\w+)", "function $1", 1.0),
            (r"\band\b", "&&", 1.0),
            (r"\bor\b", "||", 1.0),
            (r"\bnot ", "!", 1.0),
            (r"=<", "<=", 1.0),
            (r"\bfun\b|\bfunc\b|\bfuncton\b|\bfuntion\b", "function", 1.0),
            (r#"(["'\w\])])(\s+)(["'\w\[({])"#, "$1,$2$3", 1.0),
            (r"\bif ([^(].*[^{ ])\s*\{", "if ($1) {", 1.0),
            (r"\bint (\w+ =)", "let $1", 1.0),
            (r"= ;", "= 0;", 1.0),
            (r":\s*$", " {", 1.0),
        ]),
        examples: &[
            ("SyntaxError", "Unexpected identifier 'and'", "if (a and b) {", "if (a && b) {"),
            ("SyntaxError", "Unexpected identifier 'x'", "if x > 1 {", "if (x > 1) {"),
        ],
    },
];

fn missing_async(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(line) = spot.before(r"\bfunction\b|=>") else { return Vec::new() };
    let mut found = spot.replace_on(line, r"\bfunction\b", "async function", 0.5);
    found.extend(spot.replace_on(line, r"(\([^()]*\)|\w+)\s*=>", "async $1 =>", 0.6));
    found
}
