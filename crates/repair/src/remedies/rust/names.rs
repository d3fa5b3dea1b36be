//! Names and members that are not found.

use super::COMMON;
use crate::Candidate;
use crate::remedies::remedy::{RUST, Remedy, Way};
use crate::remedies::spot::{Spot, fits};
use formicary_diagnose::library;
use formicary_model::Language;

const FAILED: &[&str] = &["E0425", "E0412", "E0433", "E0405", "E0422", "E0432", "error"];
const MEMBERS: &[&str] = &["E0599", "E0609", "E0560", "E0026"];

/// Names of other languages.
const FOREIGN: &[(&str, &str)] = &[
    ("null", "None"),
    ("nil", "None"),
    ("string", "String"),
    ("int", "i32"),
    ("True", "true"),
    ("False", "false"),
    ("float", "f64"),
    ("boolean", "bool"),
];
/// Methods of other languages.
const FOREIGN_METHODS: &[(&str, &str)] = &[
    ("append", "push"),
    ("add", "push"),
    ("length", "len"),
    ("size", "len"),
    ("has", "contains"),
    ("push_back", "push"),
    ("toString", "to_string"),
    ("upper", "to_uppercase"),
    ("lower", "to_lowercase"),
    ("add", "insert"),
    ("strip", "trim"),
    ("charAt", "chars"),
    ("put", "insert"),
    ("substr", "get"),
];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-use", about: "Brings a name of the library into scope",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(missing_use),
        examples: &[("E0433", "failed to resolve: use of undeclared type `HashMap`", "fn main() {\n▸    let m: HashMap<i32, i32> = HashMap::new();\n}", "use std::collections::HashMap;\nfn main() {\n    let m: HashMap<i32, i32> = HashMap::new();\n}")],
    },
    Remedy {
        name: "misspelt-name", about: "Takes a name near to the one that nothing defines",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(misspelt),
        examples: &[("E0425", "cannot find value `cuont` in this scope", "let count = 3;\nf(cuont);", "let count = 3;\nf(count);")],
    },
    Remedy {
        name: "foreign-name", about: "Writes Rust's name for that of another language",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            undefined(spot).map(|name| spot.replace_foreign(&name, FOREIGN, 0.7)).unwrap_or_default()
        }),
        examples: &[("E0412", "cannot find type `int` in this scope", "let n: int = 1;", "let n: i32 = 1;")],
    },
    Remedy {
        name: "missing-self", about: "Asks the object for a field that is named without it",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(missing_self),
        examples: &[("E0425", "cannot find value `age` in this scope", "struct A { age: u32 }\nimpl A { fn old(&self) -> u32 { age } }", "struct A { age: u32 }\nimpl A { fn old(&self) -> u32 { self.age } }")],
    },
    Remedy {
        name: "missing-let", about: "Declares a variable where it is first set",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let Some(name) = undefined(spot) else { return Vec::new() };
            spot.replace(&format!(r"^(\s*){name}(\s*=)"), &format!("${{1}}let {name}$2"), 0.8)
        }),
        examples: &[("E0425", "cannot find value `n` in this scope", "    n = 1;", "    let n = 1;")],
    },
    Remedy {
        name: "foreign-method", about: "Writes Rust's name for a method of another language",
        languages: RUST, answers: MEMBERS, says: &[],
        way: Way::Propose(|spot| {
            member(spot).map(|name| spot.replace_method(&name, FOREIGN_METHODS, 0.7)).unwrap_or_default()
        }),
        examples: &[("E0599", "no method named `append` found for struct `Vec<i32>` in the current scope", "xs.append(1);", "xs.push(1);")],
    },
    Remedy {
        name: "length-call", about: "Asks for a length by its method",
        languages: RUST, answers: MEMBERS, says: &[],
        way: Way::Propose(|spot| {
            let Some(_) = member(spot) else { return Vec::new() };
            spot.replace(r"\.(length|len|size)\b([^(]|$)", ".len()$2", 0.8)
        }),
        examples: &[("E0609", "no field `len` on type `Vec<i32>`", "let n = xs.len;", "let n = xs.len();")],
    },
    Remedy {
        name: "misspelt-member", about: "Takes a member whose name is near",
        languages: RUST, answers: MEMBERS, says: &[],
        way: Way::Propose(|spot| {
            let Some(name) = member(spot) else { return Vec::new() };
            let near = spot.near(&name, spot.text, COMMON).into_iter();
            near.flat_map(|(rank, near)| spot.replace_word(&name, &near, 0.8 + rank * 0.2)).collect()
        }),
        examples: &[("E0599", "no method named `psuh` found for struct `Vec<i32>` in the current scope", "xs.psuh(1);", "xs.push(1);")],
    },
];

/// The name that nothing defines.
fn undefined(spot: &Spot<'_>) -> Option<String> {
    spot.said(
        r"(?:value|type|function|macro|struct|trait|variant|module|derive macro|import|crate) (?:.*?)'(?:\w+::)*(\w+)'|cannot find (?:\w+ )*'(\w+)'|undeclared (?:type|crate or module) '(\w+)'",
    )
}

fn missing_use(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = undefined(spot) else { return Vec::new() };
    // Behind comments and inner attributes.
    let skip = |line: &&str| line.starts_with("//!") || line.starts_with("#![");
    let head = spot.start_of(spot.text.lines().take_while(skip).count() as u32 + 1);
    let used = |holder: &str| {
        let line = format!("use {holder}::{name};\n");
        spot.insert(head, &line, 0.6, format!("Adds use {holder}::{name}"))
    };
    library::holders(Language::Rust, &name).into_iter().map(used).collect()
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = undefined(spot) else { return Vec::new() };
    let known = format!("{COMMON} {}", library::names(Language::Rust).join(" "));
    let near = spot.near(&name, spot.text, &known).into_iter();
    near.flat_map(|(rank, near)| spot.replace_word(&name, &near, 0.9 + rank * 0.3)).collect()
}

fn missing_self(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = undefined(spot) else { return Vec::new() };
    let is_there = spot.text.contains(&format!("self.{name}")) || fits(&format!(r"\b{name}\s*:"), spot.text);
    if is_there { spot.replace_word(&name, &format!("self.{name}"), 0.8) } else { Vec::new() }
}

/// The member that is not there.
fn member(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"named '(\w+)'|field '(\w+)'")
}
