//! Rust: what the compiler's own suggestions leave: names, mutability, borrows, clones, arms, panics.

use super::spot::{Spot, regex};
use crate::Candidate;
use formicary_diagnose::{library, names};
use formicary_model::Language;

const COMMON: &[&str] = &[
    "String",
    "Vec",
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "println",
    "print",
    "format",
    "vec",
    "len",
    "push",
    "push_str",
    "pop",
    "iter",
    "iter_mut",
    "into_iter",
    "collect",
    "map",
    "filter",
    "unwrap",
    "expect",
    "clone",
    "to_string",
    "to_owned",
    "as_str",
    "chars",
    "bytes",
    "lines",
    "split",
    "trim",
    "parse",
    "contains",
    "contains_key",
    "insert",
    "remove",
    "get",
    "get_mut",
    "is_empty",
    "is_some",
    "is_none",
    "sort",
    "reverse",
    "sum",
    "max",
    "min",
    "abs",
    "pow",
    "sqrt",
    "first",
    "last",
    "swap",
    "i32",
    "u32",
    "i64",
    "u64",
    "usize",
    "f64",
    "bool",
    "char",
    "str",
    "self",
    "Self",
    "mut",
    "return",
];

pub fn candidates(spot: &Spot<'_>) -> Vec<Candidate> {
    let name = || spot.said(r"'(?:\w+::)*(\w+)(?:\.\w+)*'");
    match spot.error.error_type.as_str() {
        "E0425" | "E0412" | "E0433" | "E0405" | "E0422" | "E0432" | "error" => undefined(spot),
        "E0599" | "E0609" | "E0560" | "E0026" => member(spot),
        "E0384" | "E0596" | "E0594" => mutable(spot),
        "E0382" | "E0505" | "E0507" | "E0502" | "E0499" => owned(spot),
        "E0616" | "E0603" | "E0624" => {
            let name = name().unwrap_or_default();
            let lines = 1..=spot.text.lines().count() as u32;
            lines
                .flat_map(|line| {
                    spot.replace_on(
                        line,
                        &format!(
                            r"(^|[{{,\s])((?:fn|struct|enum|const|static|mod|type|trait) {name}\b|{name}\s*:)"
                        ),
                        "${1}pub $2",
                        "missing-pub",
                        0.7,
                    )
                })
                .collect()
        }
        "E0308" | "E0277" | "E0369" => types(spot),
        "E0004" => arms(spot),
        "E0106" => spot.replace(r"&(\w)", "&'static $1", "static-lifetime", 1.0),
        "E0373" => spot.replace(r"(\(|=\s*)\|", "${1}move |", "missing-move", 0.5),
        "E0515" | "E0597" => spot.replace(r"&(\w+)\s*$", "$1", "returned-reference", 1.5),
        "E0063" => {
            let field = spot.said(r"missing fields? '(\w+)'").unwrap_or_default();
            ["0", "String::new()", "Default::default()", "Vec::new()"]
                .iter()
                .flat_map(|value| {
                    spot.replace(r"\s*\}", &format!(", {field}: {value} }}"), "missing-field", 1.0)
                })
                .collect()
        }
        "E0061" => spot.replace(r"(\w+\([^()]*?),\s*[^,()]+\)", "$1)", "argument-dropped", 1.2),
        "panic" => panics(spot),
        _ => Vec::new(),
    }
}

fn undefined(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(name) = spot.said(r"(?:value|type|function|macro|struct|trait|variant|module|derive macro|import|crate) (?:.*?)'(?:\w+::)*(\w+)'|cannot find (?:\w+ )*'(\w+)'|undeclared (?:type|crate or module) '(\w+)'") {
        for holder in library::holders(Language::Rust, &name) {
            let line = format!("use {holder}::{name};\n");
            found.push(spot.insert(head(spot), &line, "missing-use", 0.6, format!("Adds use {holder}::{name}")));
        }
        let held = library::names(Language::Rust);
        let known: Vec<&str> = COMMON.iter().chain(held.iter()).copied().collect();
        for (rank, near) in names::near(&name, spot.text, &known).iter().enumerate() {
            found.extend(spot.replace_word(&name, near, "misspelt-name", 0.9 + rank as f64 * 0.3));
        }
        for constant in [("null", "None"), ("nil", "None"), ("string", "String"), ("int", "i32"), ("True", "true"), ("False", "false"), ("float", "f64"), ("boolean", "bool")] {
            if constant.0 == name {
                found.extend(spot.replace_word(&name, constant.1, "foreign-name", 0.7));
            }
        }
        if spot.text.contains(&format!("self.{name}")) || regex(&format!(r"\b{name}\s*:")).is_some_and(|field| field.is_match(spot.text)) {
            found.extend(spot.replace_word(&name, &format!("self.{name}"), "missing-self", 0.8));
        }
        found.extend(spot.replace(&format!(r"^(\s*){name}(\s*=)"), &format!("${{1}}let {name}$2"), "missing-let", 0.8));
    }
    if spot.error.error_type == "error" {
        found.extend(syntax(spot));
    }
    found
}

/// The byte where a `use` may stand: behind comments and inner attributes.
fn head(spot: &Spot<'_>) -> usize {
    let skip = |line: &&str| line.starts_with("//!") || line.starts_with("#![");
    spot.start_of(spot.text.lines().take_while(skip).count() as u32 + 1)
}

fn syntax(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for line in [spot.line, spot.line.saturating_sub(1).max(1)] {
        let away = f64::from(spot.line - line) * 0.3;
        let code = spot.line_at(line).split("//").next().unwrap_or_default().trim_end();
        let end = spot.start_of(line) + code.len();
        if !code.is_empty() && !code.ends_with([';', '{', '}', ',']) {
            found.push(spot.insert(end, ";", "missing-semicolon", 0.6 + away, "Ends the statement"));
            found.push(spot.insert(end, ",", "missing-comma", 0.8 + away, "Adds the comma"));
        }
        for (open, close) in [('(', ")"), ('[', "]")] {
            if code.matches(open).count() > code.matches(close).count() {
                let at = spot.start_of(line) + code.trim_end_matches([';', '{', ' ']).len();
                found.push(spot.insert(at, close, "missing-bracket", 0.5 + away, "Closes the bracket"));
            }
        }
        if !code.matches('"').count().is_multiple_of(2) {
            let at = spot.start_of(line) + code.trim_end_matches([';', ')', ' ']).len();
            found.push(spot.insert(at, "\"", "missing-quote", 0.5 + away, "Closes the quote"));
        }
    }
    if spot.text.matches('{').count() > spot.text.matches('}').count() {
        found.push(spot.insert(spot.text.len(), "}\n", "missing-brace", 0.6, "Closes the block at the end"));
    }
    for (pattern, new) in [
        (r"\bfunction\b|\bdef\b|\bfunc\b", "fn"),
        (r"\belif\b|\belse if\b", "else if"),
        (r"\band\b", "&&"),
        (r"\bor\b", "||"),
        (r"\bprintln\(", "println!("),
        (r"(\w+)\+\+", "$1 += 1"),
        (r"\bvar\b", "let mut"),
        (r"=>", "->"),
        (r"'([^']{2,})'", "\"$1\""),
    ] {
        found.extend(spot.replace(pattern, new, "foreign-syntax", 1.0));
    }
    found
}

fn member(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"named '(\w+)'|field '(\w+)'") else { return Vec::new() };
    let foreign: &[(&str, &str)] = &[
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
    let mut found = Vec::new();
    for (_, right) in foreign.iter().filter(|(wrong, _)| *wrong == name) {
        found.extend(spot.replace(&format!(r"\.{name}\b"), &format!(".{right}"), "foreign-method", 0.7));
    }
    found.extend(spot.replace(r"\.(length|len|size)\b([^(]|$)", ".len()$2", "length-call", 0.8));
    for (rank, near) in names::near(&name, spot.text, COMMON).iter().enumerate() {
        found.extend(spot.replace_word(&name, near, "misspelt-member", 0.8 + rank as f64 * 0.2));
    }
    if name == "clone" || spot.says("trait bounds were not satisfied") || name == "eq" {
        found.extend(derive(spot));
    }
    found
}

/// The traits that programs most often lack, derived by every type of the file.
fn derive(spot: &Spot<'_>) -> Vec<Candidate> {
    let kinds = (1..=spot.text.lines().count() as u32).filter(|line| {
        regex(r"^\s*(?:pub )?(?:struct|enum) ").is_some_and(|kind| kind.is_match(spot.line_at(*line)))
    });
    kinds
        .flat_map(|line| {
            [
                "Debug",
                "Clone",
                "PartialEq",
                "Debug, Clone, PartialEq",
                "Clone, Copy",
                "PartialEq, Eq, Hash",
                "PartialEq, PartialOrd",
            ]
            .map(|traits| {
                spot.line_before(
                    line,
                    &format!("#[derive({traits})]"),
                    "missing-derive",
                    1.0,
                    format!("Derives {traits}"),
                )
            })
        })
        .collect()
}

fn mutable(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"'\*?(\w+)(?:\.\w+)*'") else { return Vec::new() };
    let mut found = Vec::new();
    for line in (1..=spot.line).rev() {
        found.extend(spot.replace_on(
            line,
            &format!(r"\blet {name}\b"),
            &format!("let mut {name}"),
            "missing-mut",
            0.5,
        ));
        found.extend(spot.replace_on(
            line,
            &format!(r"([(,]\s*){name}\s*:\s*&(\w)"),
            &format!("${{1}}{name}: &mut $2"),
            "missing-mut",
            0.6,
        ));
        found.extend(spot.replace_on(
            line,
            &format!(r"([(,]\s*){name}\s*:\s*([A-Z])"),
            &format!("${{1}}mut {name}: $2"),
            "missing-mut",
            0.7,
        ));
        if name == "self" {
            found.extend(spot.replace_on(line, r"&self\b", "&mut self", "missing-mut", 0.5));
        }
    }
    found
}

fn owned(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let name = spot.said(r"'\*?([\w.]+)'").unwrap_or_default();
    let word = format!(r"\b{}\b", regex::escape(&name));
    for line in (1..=spot.line).rev().take(25) {
        let cost = 0.8 + f64::from(spot.line - line) * 0.05;
        found.extend(spot.replace_on(
            line,
            &format!(r"([(,=]\s*|in ){word}(\s*[,);{{]|$)"),
            &format!("${{1}}{name}.clone()$2"),
            "missing-clone",
            cost,
        ));
        found.extend(spot.replace_on(
            line,
            &format!(r"([(,=]\s*|in ){word}(\s*[,);{{]|$)"),
            &format!("${{1}}&{name}$2"),
            "missing-borrow",
            cost + 0.1,
        ));
        found.extend(spot.replace_on(
            line,
            &format!(r"{word}\.into_iter\(\)"),
            &format!("{name}.iter()"),
            "consuming-loop",
            cost,
        ));
        found.extend(spot.replace_on(
            line,
            r"in &(\w+) \{",
            "in $1.clone() {",
            "changed-while-iterated",
            cost + 0.2,
        ));
    }
    found.extend(spot.replace(&format!(r"{word}\s*$"), &format!("{name}.clone()"), "missing-clone", 0.7));
    found.extend(spot.replace(r"(\w+(?:\.\w+)+)(\s*[,);]|\s*$)", "$1.clone()$2", "missing-clone", 0.9));
    found.extend(spot.replace(r"\*(\w+)(\.\w+)*", "$1$2.clone()", "missing-clone", 1.0));
    found
}

fn types(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    found.extend(spot.replace(r#"("[^"]*")"#, "$1.to_string()", "text-to-string", 0.9));
    found.extend(spot.replace(r#"=\s*"(-?\d+)""#, "= $1", "number-as-text", 0.9));
    let operand = r"\b([a-z_]\w*(?:\.\w+)*(?:\(\))?|\d+)";
    for kind in ["f64", "i32", "usize", "u64", "i64", "u32"].iter().filter(|kind| {
        spot.error.message.contains(*kind)
            || spot.error.root_cause.contains(*kind)
            || spot.text.contains(*kind)
    }) {
        found.extend(spot.replace(
            &format!(r"{operand}(\s*[-+*/<>=;,)])"),
            &format!("($1 as {kind})$2"),
            "missing-cast",
            1.3,
        ));
        found.extend(spot.replace(
            &format!(r"([-+*/=<>]\s*){operand}"),
            &format!("${{1}}($2 as {kind})"),
            "missing-cast",
            1.3,
        ));
    }
    found.extend(spot.replace(r"([(,]\s*)([a-z_]\w*)(\s*[,)])", "${1}&$2$3", "missing-borrow", 1.1));
    found.extend(spot.replace(r"&([a-z_]\w*)", "$1", "needless-borrow", 1.2));
    found.extend(spot.replace(r"\b([a-z_]\w*)\b", "*$1", "missing-star", 1.8));
    found.extend(spot.replace(r";\s*$", "", "needless-semicolon", 0.9));
    found.extend(spot.replace(r"\?;", ".unwrap();", "question-mark", 1.0));
    found.extend(spot.replace(r"^(\s*)([^;{}]+)$", "${1}Some($2)", "missing-some", 1.2));
    found.extend(spot.replace(r"^(\s*)([^;{}]+)$", "${1}Ok($2)", "missing-ok", 1.2));
    // The last expression of the function before this line, ended by mistake.
    let count = spot.text.lines().count() as u32;
    for line in spot.line..=count.min(spot.line + 15) {
        if spot.line_at(line + 1).trim() == "}" {
            found.extend(spot.replace_on(line, r"^(\s*[^\s{}].*);\s*$", "$1", "needless-semicolon", 0.8));
        }
    }
    if spot.says("cannot add") || spot.says("cannot multiply") || spot.says("binary operation") {
        found.extend(spot.replace(r"\b(\d+)\b([^.\d]|$)", "$1.0$2", "whole-as-float", 0.9));
        found.extend(derive(spot));
    }
    if spot.says("doesn't implement") || spot.says("is not satisfied") || spot.says("can't compare") {
        found.extend(derive(spot));
        found.extend(spot.replace(r"\{\}", "{:?}", "debug-format", 0.8));
    }
    if spot.says("cannot be indexed by") {
        found.extend(spot.replace(r"\[([^\[\]]+)\]", "[$1 as usize]", "index-type", 0.6));
    }
    found
}

fn arms(spot: &Spot<'_>) -> Vec<Candidate> {
    let indent = spot.indent(spot.line);
    let end = (spot.line + 1..=spot.text.lines().count() as u32)
        .find(|line| spot.line_at(*line).trim_start().starts_with('}') && spot.indent(*line) == indent);
    let Some(end) = end else { return Vec::new() };
    let at = spot.start_of(end);
    ["{}", "0", "unreachable!()", "None", "String::new()", "false", "\"\""]
        .iter()
        .enumerate()
        .map(|(rank, value)| {
            spot.insert(
                at,
                &format!("{indent}    _ => {value},\n"),
                "missing-arm",
                1.0 + rank as f64 * 0.1,
                "Adds an arm for what is left",
            )
        })
        .collect()
}

fn panics(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for line in (1..=spot.line).rev().take(10) {
        let cost = 1.0 + f64::from(spot.line - line) * 0.1;
        found.extend(spot.replace_on(line, r"\.\.=(\w+\.len\(\))", "..$1", "range-end", cost));
        found.extend(spot.replace_on(line, r"<= (\w+\.len\(\))", "< $1", "range-end", cost));
        found.extend(spot.replace_on(line, r"\.\.=", "..", "range-end", cost + 0.3));
    }
    found.extend(spot.replace(r"\[(\w+)\.len\(\)\]", "[$1.len() - 1]", "last-index", 0.7));
    found.extend(spot.replace(r"\.unwrap\(\)", ".unwrap_or_default()", "unwrap", 1.2));
    found.extend(spot.replace(r"(\w+) - 1\b", "$1.saturating_sub(1)", "underflow", 1.3));
    if spot.says("divide by zero")
        && let Some(divisor) = regex(r"[/%]\s*(\w+)")
            .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()))
    {
        found.push(spot.line_before(
            spot.line,
            &format!("if {divisor} == 0 {{ return 0; }}"),
            "zero-guard",
            1.1,
            format!("Returns where {divisor} is zero"),
        ));
    }
    found
}
