//! Values of the wrong type.

use crate::Candidate;
use crate::remedies::remedy::{RUST, Remedy, Way};
use crate::remedies::spot::Spot;

const FAILED: &[&str] = &["E0308", "E0277", "E0369"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "text-to-string", about: "Makes an owned text of a literal",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r#"("[^"]*")"#, "$1.to_string()", 0.9)]),
        examples: &[("E0308", "mismatched types", "let a: String = \"x\";", "let a: String = \"x\".to_string();")],
    },
    Remedy {
        name: "number-as-text", about: "Writes a number without quotes",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r#"=\s*"(-?\d+)""#, "= $1", 0.9)]),
        examples: &[("E0308", "mismatched types", "let n: i32 = \"5\";", "let n: i32 = 5;")],
    },
    Remedy {
        name: "missing-cast", about: "Converts a number to another type of the program",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(missing_cast),
        examples: &[("E0277", "cannot multiply `f64` by `usize`", "let c = a * b;", "let c = a * (b as f64);")],
    },
    Remedy {
        name: "missing-borrow", about: "Lends an argument",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"([(,]\s*)([a-z_]\w*)(\s*[,)])", "${1}&$2$3", 1.1)]),
        examples: &[("E0308", "mismatched types", "f(text);", "f(&text);")],
    },
    Remedy {
        name: "needless-borrow", about: "Gives a value instead of a reference",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"&([a-z_]\w*)", "$1", 1.2)]),
        examples: &[("E0308", "mismatched types", "f(&n);", "f(n);")],
    },
    Remedy {
        name: "missing-star", about: "Takes what a reference refers to",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"\b([a-z_]\w*)\b", "*$1", 1.8)]),
        examples: &[("E0308", "mismatched types", "sum += x;", "sum += *x;")],
    },
    Remedy {
        name: "needless-semicolon", about: "Returns the last expression of a function",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(needless_semicolon),
        examples: &[("E0308", "mismatched types", "▸fn f(a: i32) -> i32 {\n    a + 1;\n}", "fn f(a: i32) -> i32 {\n    a + 1\n}")],
    },
    Remedy {
        name: "question-mark", about: "Unwraps a result where none can be returned",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"\?;", ".unwrap();", 1.0)]),
        examples: &[("E0277", "the `?` operator can only be used in a function that returns `Result` or `Option`", "let n = text.parse()?;", "let n = text.parse().unwrap();")],
    },
    Remedy {
        name: "missing-some", about: "Returns a value as Some",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"^(\s*)([^;{}]+)$", "${1}Some($2)", 1.2)]),
        examples: &[("E0308", "mismatched types", "    a + 1", "    Some(a + 1)")],
    },
    Remedy {
        name: "missing-ok", about: "Returns a value as Ok",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"^(\s*)([^;{}]+)$", "${1}Ok($2)", 1.2)]),
        examples: &[("E0308", "mismatched types", "    a + 1", "    Ok(a + 1)")],
    },
    Remedy {
        name: "whole-as-float", about: "Writes a number with a point",
        languages: RUST, answers: FAILED, says: &["cannot add", "cannot multiply", "binary operation"],
        way: Way::Replace(&[(r"\b(\d+)\b([^.\d]|$)", "$1.0$2", 0.9)]),
        examples: &[("E0277", "cannot multiply `f64` by `{integer}`", "let c = a * 2;", "let c = a * 2.0;")],
    },
    Remedy {
        name: "debug-format", about: "Prints a value as programmers read it",
        languages: RUST, answers: FAILED, says: &["doesn't implement", "is not satisfied", "can't compare"],
        way: Way::Replace(&[(r"\{\}", "{:?}", 0.8)]),
        examples: &[("E0277", "`Vec<i32>` doesn't implement `std::fmt::Display`", "println!(\"{}\", xs);", "println!(\"{:?}\", xs);")],
    },
    Remedy {
        name: "index-type", about: "Makes an index of a number of another type",
        languages: RUST, answers: FAILED, says: &["cannot be indexed by"],
        way: Way::Replace(&[(r"\[([^\[\]]+)\]", "[$1 as usize]", 0.6)]),
        examples: &[("E0277", "the type `[i32]` cannot be indexed by `i32`", "let x = xs[i];", "let x = xs[i as usize];")],
    },
];

fn missing_cast(spot: &Spot<'_>) -> Vec<Candidate> {
    let operand = r"\b([a-z_]\w*(?:\.\w+)*(?:\(\))?|\d+)";
    let is_named =
        |kind: &&str| [spot.message, spot.root_cause, spot.text].iter().any(|text| text.contains(*kind));
    let mut found = Vec::new();
    for kind in ["f64", "i32", "usize", "u64", "i64", "u32"].into_iter().filter(is_named) {
        let (before, after) = (format!(r"{operand}(\s*[-+*/<>=;,)])"), format!(r"([-+*/=<>]\s*){operand}"));
        found.extend(spot.replace(&before, &format!("($1 as {kind})$2"), 1.3));
        found.extend(spot.replace(&after, &format!("${{1}}($2 as {kind})"), 1.3));
    }
    found
}

fn needless_semicolon(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = spot.replace(r";\s*$", "", 0.9);
    // The last expression of the function, ended by mistake.
    let ends_block = |line: &u32| spot.line_at(line + 1).trim() == "}";
    let lines = (spot.line..=spot.count().min(spot.line + 15)).filter(ends_block);
    found.extend(spot.replace_in(lines, r"^(\s*[^\s{}].*);\s*$", "$1", 0.8, 0.0));
    found
}
