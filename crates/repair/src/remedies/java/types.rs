//! Values of the wrong type.

use crate::Candidate;
use crate::remedies::remedy::{JAVA, Remedy, Way};
use crate::remedies::spot::Spot;

const FAILED: &[&str] = &["incompatible-types", "bad-operand-types"];
const BOOLEAN: &[&str] = &["cannot be converted to boolean"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-cast", about: "Converts a number to a narrower type",
        languages: JAVA, answers: FAILED, says: &["conversion from"],
        way: Way::Propose(missing_cast),
        examples: &[("incompatible-types", "incompatible types: possible lossy conversion from double to int", "int n = x * 2.0;", "int n = (int) (x * 2.0);")],
    },
    Remedy {
        name: "declared-type", about: "Declares a variable or method by the type of its value",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(declared_type),
        examples: &[
            ("incompatible-types", "incompatible types: possible lossy conversion from double to int", "int n = x * 2.0;", "double n = x * 2.0;"),
            ("incompatible-types", "incompatible types: String cannot be converted to int", "int name = \"a\";", "String name = \"a\";"),
        ],
    },
    Remedy {
        name: "text-to-number", about: "Reads a number from text",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(text_to_number),
        examples: &[("incompatible-types", "incompatible types: String cannot be converted to int", "int n = text;", "int n = Integer.parseInt(text);")],
    },
    Remedy {
        name: "number-as-text", about: "Writes a number without quotes",
        languages: JAVA, answers: FAILED, says: &["String cannot be converted to int"],
        way: Way::Replace(&[(r#"=\s*"(-?\d+)";"#, "= $1;", 0.7)]),
        examples: &[("incompatible-types", "incompatible types: String cannot be converted to int", "int n = \"5\";", "int n = 5;")],
    },
    Remedy {
        name: "number-to-text", about: "Makes text of a number",
        languages: JAVA, answers: FAILED, says: &["cannot be converted to String"],
        way: Way::Replace(&[
            (r"(=\s*|return\s+)([^=;]+);", "${1}String.valueOf($2);", 0.8),
            (r"(\w+\()([^()]+)\)", "${1}String.valueOf($2))", 1.0),
        ]),
        examples: &[("incompatible-types", "incompatible types: int cannot be converted to String", "String s = n;", "String s = String.valueOf(n);")],
    },
    Remedy {
        name: "equals-for-compare", about: "Compares where a condition assigns",
        languages: JAVA, answers: FAILED, says: BOOLEAN,
        way: Way::Replace(&[(r"([^=!<>])=([^=])", "$1==$2", 0.6)]),
        examples: &[("incompatible-types", "incompatible types: int cannot be converted to boolean", "if (a = 1) {", "if (a == 1) {")],
    },
    Remedy {
        name: "number-as-condition", about: "Asks whether a number is not zero",
        languages: JAVA, answers: FAILED, says: BOOLEAN,
        way: Way::Replace(&[(r"(if|while) \((\w+)\)", "$1 ($2 != 0)", 0.9)]),
        examples: &[("incompatible-types", "incompatible types: int cannot be converted to boolean", "while (n) {", "while (n != 0) {")],
    },
    Remedy {
        name: "object-as-condition", about: "Asks whether there is an object",
        languages: JAVA, answers: FAILED, says: BOOLEAN,
        way: Way::Replace(&[(r"(if|while) \((\w+)\)", "$1 ($2 != null)", 1.0)]),
        examples: &[("incompatible-types", "incompatible types: String cannot be converted to boolean", "if (name) {", "if (name != null) {")],
    },
    Remedy {
        name: "return-type", about: "Lets a method return what it returns",
        languages: JAVA, answers: FAILED, says: &["unexpected return value"],
        way: Way::Propose(return_type),
        examples: &[("incompatible-types", "incompatible types: unexpected return value", "static void f() {\n    return 1;", "static int f() {\n    return 1;")],
    },
];

fn missing_cast(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(to) = spot.said(r"conversion from \w+ to (\w+)") else { return Vec::new() };
    spot.replace(r"(=\s*|return\s+)([^=;]+);", &format!("${{1}}({to}) ($2);"), 0.7)
}

fn declared_type(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(to) = spot.said(r"conversion from \w+ to (\w+)") {
        let from = spot.said(r"conversion from (\w+)").unwrap_or_default();
        found.extend(spot.replace(&format!(r"\b{to} (\w+\s*=)"), &format!("{from} $1"), 1.0));
    }
    if let (Some(from), Some(to)) = (spot.said(r"types: (\S+) cannot"), spot.said(r"converted to (\S+)")) {
        let head = spot.before(r"\b(?:public|private|static)\b.*\(.*\)\s*\{");
        let pattern = format!(r"\b{}(\[\])? (\w)", regex::escape(&to));
        let lines = [Some(spot.line), head].into_iter().flatten();
        found.extend(lines.flat_map(|line| spot.replace_on(line, &pattern, &format!("{from} $2"), 1.1)));
    }
    found
}

fn text_to_number(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if spot.says("String cannot be converted to int") {
        found.extend(spot.replace(r"=\s*([^;]+);", "= Integer.parseInt($1);", 0.8));
        found.extend(spot.replace(r"return ([^;]+);", "return Integer.parseInt($1);", 1.0));
    }
    found.extend(spot.replace(r"(\w+) ([-*/]) (\w+)", "Integer.parseInt($1) $2 $3", 1.6));
    found
}

fn return_type(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(line) = spot.before(r"\bvoid\b") else { return Vec::new() };
    let kinds = ["int", "String", "boolean", "double"].into_iter();
    kinds.flat_map(|kind| spot.replace_on(line, r"\bvoid\b", kind, 1.0)).collect()
}
