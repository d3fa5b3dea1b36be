//! Java: imports, names, semicolons, types, returns, checked exceptions.

use super::spot::{Spot, regex};
use crate::Candidate;
use formicary_diagnose::{library, names};
use formicary_model::Language;

const COMMON: &[&str] = &[
    "String",
    "System",
    "Integer",
    "Double",
    "Boolean",
    "Math",
    "println",
    "print",
    "printf",
    "length",
    "size",
    "charAt",
    "substring",
    "equals",
    "add",
    "get",
    "put",
    "remove",
    "contains",
    "containsKey",
    "isEmpty",
    "toString",
    "indexOf",
    "public",
    "static",
    "void",
    "return",
    "int",
    "double",
    "boolean",
    "char",
    "long",
    "class",
    "append",
    "parseInt",
    "valueOf",
    "out",
    "toUpperCase",
    "toLowerCase",
    "getOrDefault",
    "StringBuilder",
    "Object",
    "push",
    "pop",
    "peek",
    "set",
    "sort",
    "trim",
    "split",
    "replace",
    "max",
    "min",
    "abs",
    "sqrt",
    "pow",
    "main",
    "args",
    "private",
    "final",
    "new",
    "while",
    "for",
    "import",
];

pub fn candidates(spot: &Spot<'_>) -> Vec<Candidate> {
    match spot.error.error_type.as_str() {
        "cannot-find-symbol" => symbol(spot),
        "package-does-not-exist" => package(spot),
        "token-expected" | "illegal-start" | "unclosed-string" | "end-of-file" | "unclosed-character" => {
            syntax(spot)
        }
        "incompatible-types" | "bad-operand-types" => types(spot),
        "missing-return" => missing_return(spot),
        "uninitialized-variable" => uninitialized(spot),
        "unreported-exception" => unreported(spot),
        "non-static-from-static" => non_static(spot),
        "final-reassigned" => {
            let name = spot.said(r"variable (\w+)").unwrap_or_default();
            let line = spot.before(&format!(r"\bfinal\b.*\b{name}\b"));
            line.map(|line| spot.replace_on(line, r"\bfinal ", "", "final-changed", 0.7)).unwrap_or_default()
        }
        "already-defined" => spot.replace(r"^(\s*)[\w<>\[\]]+ (\w+\s*=)", "$1$2", "declared-twice", 0.8),
        "unreachable-statement" => {
            vec![spot.rewrite(spot.line, "", "unreachable", 1.0, "Leaves out what is never reached")]
        }
        "wrong-arguments" => {
            let mut found = spot.replace(r"(\w+\([^()]*?),\s*[^,()]+\)", "$1)", "argument-dropped", 1.5);
            found.extend(spot.replace(
                r"(\w+)\(([^,()]+), ([^,()]+)\)",
                "$1($3, $2)",
                "swapped-arguments",
                1.2,
            ));
            found
        }
        "private-access" => {
            let name = spot.said(r"(\w+)(?:\(.*\))? has private").unwrap_or_default();
            let lines = 1..=spot.text.lines().count() as u32;
            lines
                .flat_map(|line| {
                    spot.replace_on(
                        line,
                        &format!(r"\bprivate (.*\b{name}\b)"),
                        "public $1",
                        "private-member",
                        1.0,
                    )
                })
                .collect()
        }
        "cannot-be-dereferenced" => {
            spot.replace(r"(\w+)\.equals\(([^()]+)\)", "$1 == $2", "equals-of-number", 0.8)
        }
        "array-required" => spot.replace(r"(\w+)\[([^\[\]]+)\]", "$1.get($2)", "indexed-list", 0.7),
        "return-type-required" => ["void", "int", "String"]
            .iter()
            .flat_map(|kind| spot.replace(r"(\w+\s*\()", &format!("{kind} $1"), "missing-type", 1.0))
            .collect(),
        "bad-override" => spot.replace(r"@Override", "", "needless-override", 1.5),
        "number-too-large" => spot.replace(r"\b(\d{10,})\b", "${1}L", "long-number", 0.6),
        "missing-override" => Vec::new(),
        _ => runtime(spot),
    }
}

fn symbol(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"symbol:\s+\w+ (\w+)") else { return Vec::new() };
    let mut found = Vec::new();
    for holder in library::holders(Language::Java, &name) {
        if !spot.text.contains(&format!("import {holder}.{name};")) {
            found.push(import(spot, &format!("{holder}.{name}")));
            if !spot.text.contains(&format!("import {holder}.*")) {
                found.push(import(spot, &format!("{holder}.*")));
            }
        }
    }
    let foreign: &[(&str, &str)] = &[
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
    for (_, right) in foreign.iter().filter(|(wrong, _)| *wrong == name) {
        found.extend(spot.replace_word(&name, right, "foreign-name", 0.7));
    }
    found.extend(spot.replace(&format!(r"\.{name}\b(\()?"), ".length$1", "length-call", 1.4));
    if name == "length" || name == "size" {
        found.extend(spot.replace(r"\.length\(\)", ".length", "length-call", 0.7));
        found.extend(spot.replace(r"\.length\b([^(]|$)", ".length()$1", "length-call", 0.7));
        found.extend(spot.replace(r"\.size\(\)", ".length()", "length-call", 0.8));
        found.extend(spot.replace(r"\.size\(\)", ".length", "length-call", 0.9));
        found.extend(spot.replace(r"\.length\(\)", ".size()", "length-call", 0.9));
        found.extend(spot.replace(r"\.length\b", ".size()", "length-call", 0.9));
    }
    for (rank, near) in names::near(&name, spot.text, COMMON).iter().enumerate() {
        found.extend(spot.replace_word(&name, near, "misspelt-name", 0.9 + rank as f64 * 0.3));
    }
    found.extend(spot.replace(
        &format!(r"^(\s*(?:for \()?){name}(\s*=[^=])"),
        &format!("${{1}}int {name}$2"),
        "undeclared-variable",
        1.0,
    ));
    found.extend(spot.replace(
        &format!(r"^(\s*){name}(\s*=\s*\x22)"),
        &format!("${{1}}String {name}$2"),
        "undeclared-variable",
        0.9,
    ));
    found
}

fn import(spot: &Spot<'_>, path: &str) -> Candidate {
    let lines: Vec<&str> = spot.text.lines().collect();
    let after = lines
        .iter()
        .rposition(|line| line.starts_with("import "))
        .or_else(|| lines.iter().position(|line| line.starts_with("package ")));
    let line = after.map_or(1, |index| index as u32 + 2);
    spot.insert(
        spot.start_of(line),
        &format!("import {path};\n"),
        "missing-import",
        0.6,
        format!("Imports {path}"),
    )
}

fn package(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(name) = regex(r"import [\w.]+\.(\w+);")
        .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()))
    {
        for holder in library::holders(Language::Java, &name) {
            found.push(spot.rewrite(
                spot.line,
                &format!("import {holder}.{name};"),
                "package-of-class",
                0.6,
                format!("Imports {name} from {holder}"),
            ));
        }
    }
    found.extend(spot.replace(r"\b[Ss]ytem\.|\bsystem\.|\bSystm\.", "System.", "misspelt-name", 0.7));
    let wrong = spot.said(r"package (\w+) does not exist").unwrap_or_default();
    for near in names::near(&wrong, spot.text, COMMON) {
        found.extend(spot.replace_word(&wrong, &near, "misspelt-name", 0.9));
    }
    found.push(spot.rewrite(spot.line, "", "needless-import", 2.0, "Leaves the import out"));
    found
}

fn syntax(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let token = spot.said(r"'(.)' expected");
    for line in [spot.line, spot.line.saturating_sub(1).max(1)] {
        let away = f64::from(spot.line - line) * 0.3;
        let text = spot.line_at(line);
        let code = text.split("//").next().unwrap_or(text).trim_end();
        let end = spot.start_of(line) + code.len();
        let balance =
            |open: char, close: char| code.matches(open).count() as i64 - code.matches(close).count() as i64;
        if balance('(', ')') > 0 {
            let at = spot.start_of(line) + code.trim_end_matches([';', '{', ' ']).len();
            found.push(spot.insert(at, ")", "missing-bracket", 0.4 + away, "Closes the bracket"));
        }
        if balance('[', ']') > 0 {
            let at = spot.start_of(line) + code.trim_end_matches([';', ')', ' ']).len();
            found.push(spot.insert(at, "]", "missing-bracket", 0.4 + away, "Closes the bracket"));
        }
        if !code.matches('"').count().is_multiple_of(2) {
            let at = spot.start_of(line) + code.trim_end_matches([';', ')', ' ']).len();
            found.push(spot.insert(at, "\"", "missing-quote", 0.4 + away, "Closes the quote"));
        }
        if let Some(token) = &token {
            found.push(spot.insert(
                end,
                token,
                "missing-token",
                0.5 + away,
                format!("Adds {token} at the end of the line"),
            ));
        }
        if !code.is_empty() && !code.ends_with([';', '{', '}']) {
            found.push(spot.insert(end, ";", "missing-semicolon", 0.6 + away, "Ends the statement"));
            found.push(spot.insert(end, " {", "missing-brace", 1.0 + away, "Opens the block"));
        }
    }
    if let (Some(at), Some(token)) = (spot.column_byte(), &token) {
        found.push(spot.insert(at, token, "missing-token", 0.6, format!("Adds {token}")));
    }
    let (open, close) = (spot.text.matches('{').count(), spot.text.matches('}').count());
    if open > close {
        found.push(spot.insert(spot.text.len(), "}\n", "missing-brace", 0.5, "Closes the block at the end"));
    }
    if close > open && spot.here().trim() == "}" {
        found.push(spot.rewrite(spot.line, "", "needless-brace", 0.6, "Removes a brace that closes nothing"));
    }
    found.extend(spot.replace(r"'([^']{2,})'", "\"$1\"", "quotes", 0.5));
    for (pattern, new) in [
        (r"\belif\b", "else if"),
        (r"\band\b", "&&"),
        (r"\bor\b", "||"),
        (r"\bnot ", "!"),
        (r"for \((.*) in (.*)\)", "for ($1 : $2)"),
        (r"\bif ([^(].*[^{ ])\s*\{", "if ($1) {"),
        (r"\bthen\b", "{"),
    ] {
        found.extend(spot.replace(pattern, new, "foreign-syntax", 1.0));
    }
    for word in names::of(spot.here()).keys() {
        for near in names::near(word, "", COMMON).into_iter().take(1) {
            found.extend(spot.replace_word(word, &near, "misspelt-keyword", 1.3));
        }
    }
    found
}

fn types(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(wanted) = spot.said(r"conversion from \w+ to (\w+)") {
        found.extend(spot.replace(
            r"(=\s*|return\s+)([^=;]+);",
            &format!("${{1}}({wanted}) ($2);"),
            "missing-cast",
            0.7,
        ));
        found.extend(spot.replace(
            &format!(r"\b{wanted} (\w+\s*=)"),
            &format!("{} $1", spot.said(r"conversion from (\w+)").unwrap_or_default()),
            "declared-type",
            1.0,
        ));
    }
    if spot.says("String cannot be converted to int") {
        found.extend(spot.replace(r"=\s*([^;]+);", "= Integer.parseInt($1);", "text-to-number", 0.8));
        found.extend(spot.replace(r#"=\s*"(-?\d+)";"#, "= $1;", "number-as-text", 0.7));
        found.extend(spot.replace(r"return ([^;]+);", "return Integer.parseInt($1);", "text-to-number", 1.0));
    }
    if spot.says("cannot be converted to String") {
        found.extend(spot.replace(
            r"(=\s*|return\s+)([^=;]+);",
            "${1}String.valueOf($2);",
            "number-to-text",
            0.8,
        ));
        found.extend(spot.replace(r"(\w+\()([^()]+)\)", "${1}String.valueOf($2))", "number-to-text", 1.0));
    }
    if spot.says("cannot be converted to boolean") {
        found.extend(spot.replace(r"([^=!<>])=([^=])", "$1==$2", "equals-for-compare", 0.6));
        found.extend(spot.replace(r"(if|while) \((\w+)\)", "$1 ($2 != 0)", "number-as-condition", 0.9));
        found.extend(spot.replace(r"(if|while) \((\w+)\)", "$1 ($2 != null)", "object-as-condition", 1.0));
    }
    if let (Some(from), Some(to)) = (spot.said(r"types: (\S+) cannot"), spot.said(r"converted to (\S+)")) {
        let lines = [Some(spot.line), spot.before(r"\b(?:public|private|static)\b.*\(.*\)\s*\{")];
        for line in lines.into_iter().flatten() {
            found.extend(spot.replace_on(
                line,
                &format!(r"\b{}(\[\])? (\w)", regex::escape(&to)),
                &format!("{from} $2"),
                "declared-type",
                1.1,
            ));
        }
    }
    if spot.says("unexpected return value") {
        let line = spot.before(r"\bvoid\b");
        for kind in ["int", "String", "boolean", "double"] {
            found.extend(
                line.map(|line| spot.replace_on(line, r"\bvoid\b", kind, "return-type", 1.0))
                    .unwrap_or_default(),
            );
        }
    }
    found.extend(spot.replace(r"(\w+) ([-*/]) (\w+)", "Integer.parseInt($1) $2 $3", "text-to-number", 1.6));
    found
}

fn missing_return(spot: &Spot<'_>) -> Vec<Candidate> {
    let head = spot.before(r"\)\s*(?:throws [\w, ]+)?\{\s*$");
    let method = (1..=spot.line).rev().find(|line| {
        regex(
            r"^\s*(?:public|private|protected|static|final|\w[\w<>\[\]]* \w+\().*\)\s*(?:throws [\w, ]+)?\{",
        )
        .is_some_and(|opens| {
            opens.is_match(spot.line_at(*line))
                && !regex(r"^\s*(?:if|for|while|switch|else|\})")
                    .is_some_and(|other| other.is_match(spot.line_at(*line)))
        })
    });
    let text = spot.line_at(method.or(head).unwrap_or(spot.line));
    let values: &[&str] = if text.contains("boolean ") {
        &["false", "true"]
    } else if regex(r"\b(?:int|long|double|float|short|byte|char)\b \w+\(")
        .is_some_and(|number| number.is_match(text))
    {
        &["0", "-1", "1"]
    } else {
        &["null", "\"\""]
    };
    let mut all: Vec<String> = values.iter().rev().map(|value| (*value).to_owned()).collect();
    let declared = regex(r"^\s*(?:final )?[\w<>\[\], ]+ (\w+)\s*=");
    for line in method.unwrap_or(spot.line)..spot.line {
        all.extend(
            declared
                .as_ref()
                .and_then(|pattern| Some(pattern.captures(spot.line_at(line))?.get(1)?.as_str().to_owned())),
        );
    }
    let indent = spot.indent(spot.line);
    let start = spot.start_of(spot.line);
    all.iter()
        .rev()
        .enumerate()
        .map(|(rank, value)| {
            spot.insert(
                start,
                &format!("{indent}    return {value};\n"),
                "missing-return",
                1.0 + rank as f64 * 0.1,
                format!("Returns {value} at the end"),
            )
        })
        .collect()
}

fn uninitialized(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"variable (\w+)") else { return Vec::new() };
    let Some(line) = spot.before(&format!(r"\b{name}\s*;")) else { return Vec::new() };
    ["0", "\"\"", "null", "false", "1"]
        .iter()
        .enumerate()
        .flat_map(|(rank, value)| {
            spot.replace_on(
                line,
                &format!(r"\b{name}\s*;"),
                &format!("{name} = {value};"),
                "uninitialized",
                0.8 + rank as f64 * 0.1,
            )
        })
        .collect()
}

fn unreported(spot: &Spot<'_>) -> Vec<Candidate> {
    let kind = spot.said(r"exception ([\w.]+)").unwrap_or_else(|| "Exception".into());
    let Some(line) = spot.before(r"^\s*(?:public|private|protected|static)\b.*\)\s*\{") else {
        return Vec::new();
    };
    ["Exception".to_owned(), kind]
        .iter()
        .flat_map(|kind| {
            spot.replace_on(line, r"\)\s*\{", &format!(") throws {kind} {{"), "missing-throws", 0.7)
        })
        .collect()
}

fn non_static(spot: &Spot<'_>) -> Vec<Candidate> {
    let name = spot.said(r"(?:variable|method) (\w+)").unwrap_or_default();
    let mut found = Vec::new();
    for line in 1..=spot.text.lines().count() as u32 {
        let text = spot.line_at(line);
        if text.contains("static") || line == spot.line {
            continue;
        }
        found.extend(spot.replace_on(
            line,
            &format!(r"^(\s*)((?:public |private |protected |final )*)([\w<>\[\], ]+ {name}\s*(?:[=;(]))"),
            "$1${2}static $3",
            "missing-static",
            0.7,
        ));
    }
    found
}

fn runtime(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let kind = spot.kind();
    if kind.contains("IndexOutOfBounds") {
        for line in (1..=spot.line).rev().take(12) {
            let cost = 1.0 + f64::from(spot.line - line) * 0.1;
            found.extend(spot.replace_on(line, r"(for\s*\(.*|while\s*\(.*)<=", "$1<", "loop-end", cost));
            found.extend(spot.replace_on(
                line,
                r"(for\s*\(.*)\.length;",
                "$1.length - 1;",
                "loop-end",
                cost + 0.5,
            ));
        }
        found.extend(spot.replace(r"\[(\w+)\.length\]", "[$1.length - 1]", "last-index", 0.7));
        found.extend(spot.replace(r"\((\w+)\.(length|size)\(\)\)", "($1.$2() - 1)", "last-index", 0.8));
    }
    let returned = if spot.before(r"\bvoid\b.*\{").is_some_and(|line| spot.line - line < 10) {
        "return;"
    } else {
        "return 0;"
    };
    if kind == "ArithmeticException"
        && let Some(divisor) = regex(r"[/%]\s*([\w.]+(?:\(\))?)")
            .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()))
    {
        found.push(spot.line_before(
            spot.line,
            &format!("if ({divisor} == 0) {returned}"),
            "zero-guard",
            1.2,
            format!("Returns where {divisor} is zero"),
        ));
        found.push(spot.line_before(
            spot.line,
            &format!("if ({divisor} == 0) return 0;"),
            "zero-guard",
            1.3,
            format!("Returns where {divisor} is zero"),
        ));
    }
    if kind == "NullPointerException" {
        let null = spot.said(r#"because "<?([\w.]+)"#);
        let object = null.or_else(|| {
            regex(r"(\w+)\.\w+\(")
                .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()))
        });
        if let Some(object) = object {
            for value in ["return;", "return 0;", "return null;", "return false;", "return \"\";"] {
                found.push(spot.line_before(
                    spot.line,
                    &format!("if ({object} == null) {value}"),
                    "null-guard",
                    1.5,
                    format!("Returns where {object} is null"),
                ));
            }
        }
        found.extend(spot.replace(r"(\w+)\.get\(([^()]+)\)", "$1.getOrDefault($2, 0)", "missing-key", 1.0));
        found.extend(spot.replace(
            r"(\w+)\.equals\((\x22[^\x22]*\x22)\)",
            "$2.equals($1)",
            "null-compare",
            1.0,
        ));
    }
    if kind == "UnsupportedOperationException" {
        for line in 1..=spot.line {
            found.extend(spot.replace_on(
                line,
                r"((?:java\.util\.)?(?:List|Set)\.of\([^()]*\)|(?:java\.util\.)?Arrays\.asList\([^()]*\))",
                "new java.util.ArrayList<>($1)",
                "fixed-list",
                0.7,
            ));
        }
    }
    if kind == "ConcurrentModificationException" {
        for line in (1..=spot.line + 1).rev().take(4) {
            found.extend(spot.replace_on(
                line,
                r"for \((.+) : (\w+)\)",
                "for ($1 : new java.util.ArrayList<>($2))",
                "changed-while-iterated",
                0.7,
            ));
        }
    }
    found
}
