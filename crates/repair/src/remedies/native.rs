//! C and C++: headers, names, semicolons, brackets, members, arguments.

use super::spot::{Spot, regex};
use crate::Candidate;
use formicary_diagnose::{library, names};
use formicary_model::Language;

const COMMON: &[&str] = &[
    "int",
    "char",
    "double",
    "float",
    "void",
    "long",
    "short",
    "unsigned",
    "const",
    "static",
    "struct",
    "return",
    "while",
    "for",
    "if",
    "else",
    "switch",
    "case",
    "break",
    "continue",
    "sizeof",
    "printf",
    "malloc",
    "strlen",
    "main",
    "include",
    "size",
    "push_back",
    "begin",
    "end",
    "length",
    "empty",
    "insert",
    "find",
    "substr",
    "back",
    "front",
    "pop_back",
    "first",
    "second",
    "clear",
    "erase",
    "at",
    "count",
    "cout",
    "endl",
    "string",
    "vector",
    "auto",
    "public",
    "private",
    "virtual",
];

pub fn candidates(spot: &Spot<'_>) -> Vec<Candidate> {
    match spot.error.error_type.as_str() {
        "undeclared"
        | "not-a-member"
        | "unknown-type"
        | "implicit-function"
        | "undefined-reference"
        | "-Wimplicit-function-declaration" => undeclared(spot),
        "missing-header" => header(spot),
        "token-expected" | "expected" | "unterminated" => missing_token(spot),
        "no-member" => member(spot),
        "pointer-member" | "not-a-structure" => spot.replace(r"(\w)\.(\w)", "$1->$2", "dot-for-arrow", 0.6),
        "not-a-pointer" => {
            let mut found = spot.replace("->", ".", "arrow-for-dot", 0.6);
            found.extend(spot.replace(r"\*(\w)", "$1", "needless-star", 0.9));
            found
        }
        "lvalue-required" => spot.replace(r"([^=!<>])=([^=])", "$1==$2", "equals-for-compare", 0.7),
        "wrong-arguments" | "no-matching-function" => arguments(spot),
        "read-only" => constant(spot),
        "incompatible-types" | "invalid-conversion" | "invalid-operands" => conversion(spot),
        "deleted-function" => spot.replace(r"=\s*(\w+)\s*;", "= std::move($1);", "missing-move", 0.9),
        "redefinition" => spot.replace(
            r"^(\s*)(?:const )?(?:unsigned |long )*\w+\s*\*?\s*(\w+\s*=)",
            "$1$2",
            "declared-twice",
            0.9,
        ),
        "not-a-function" => spot.replace(r"(\w+)\(([^()]*)\)", "$1[$2]", "called-for-indexed", 1.2),
        "wrong-return" | "void-value" => returned(spot),
        "jump-over" => Vec::new(),
        "private-member" => private(spot),
        _ => runtime(spot),
    }
}

fn undeclared(spot: &Spot<'_>) -> Vec<Candidate> {
    let said = spot.said(r"'(?:std::)?(\w+)(?:\([^']*\))?'");
    let Some(name) = said else { return Vec::new() };
    let cpp = spot.case.language == Language::Cpp;
    let mut found = Vec::new();
    for (rank, holder) in library::holders(spot.case.language, &name).iter().enumerate() {
        if !spot.text.contains(holder) {
            found.push(include(spot, holder, 0.6 + rank as f64 * 0.1, None));
            if cpp && !spot.here().contains(&format!("std::{name}")) {
                // A name of the library without its namespace: both are missing.
                for qualified in spot.replace_word(&name, &format!("std::{name}"), "missing-std", 0.7) {
                    found.push(include(spot, holder, 0.75, qualified.edits.into_iter().next()));
                }
            }
        }
    }
    if cpp && spot.error.error_type == "undeclared" && library::names(Language::Cpp).contains(&name.as_str())
    {
        found.extend(spot.replace(
            &format!(r"(^|[^:\w]){name}\b"),
            &format!("${{1}}std::{name}"),
            "missing-std",
            0.5,
        ));
    }
    if name == "NULL" || name == "null" || name == "nil" || name == "nullptr" {
        found.extend(spot.replace_word(&name, if cpp { "nullptr" } else { "NULL" }, "null-name", 0.7));
    }
    if !cpp && (name == "string" || name == "String") {
        found.extend(spot.replace_word(&name, "char *", "foreign-type", 0.9));
    }
    let held = library::names(spot.case.language);
    let known: Vec<&str> = COMMON.iter().chain(held.iter()).copied().collect();
    for (rank, near) in names::near(&name, spot.text, &known).iter().enumerate() {
        found.extend(spot.replace_word(&name, near, "misspelt-name", 0.9 + rank as f64 * 0.3));
    }
    found.extend(prototype(spot, &name));
    if spot.error.error_type == "undeclared" {
        let first =
            if regex(&format!(r"\b{name}\s*=[^=]")).is_some_and(|assigns| assigns.is_match(spot.here())) {
                spot.replace_on(
                    spot.line,
                    &format!(r"^(\s*)(for\s*\()?\s*{name}\b"),
                    &format!("${{1}}${{2}}int {name}"),
                    "undeclared-variable",
                    1.2,
                )
            } else {
                vec![spot.line_before(
                    spot.line,
                    &format!("int {name} = 0;"),
                    "undeclared-variable",
                    2.5,
                    format!("Declares {name}"),
                )]
            };
        found.extend(first);
    }
    found
}

/// A function that is defined below where it is called.
fn prototype(spot: &Spot<'_>, name: &str) -> Vec<Candidate> {
    let defined = regex(&format!(
        r"(?m)^((?:static |const |unsigned |struct )*\w[\w:<>]*[ *&]+{}\([^;{{]*\))\s*\{{",
        regex::escape(name)
    ));
    let Some(head) =
        defined.and_then(|pattern| Some(pattern.captures(spot.text)?.get(1)?.as_str().to_owned()))
    else {
        return Vec::new();
    };
    let line = (1..=spot.text.lines().count() as u32).find(|line| {
        let text = spot.line_at(*line);
        !text.trim().is_empty()
            && !text.starts_with('#')
            && !text.starts_with("//")
            && !text.starts_with("using ")
    });
    let at = spot.start_of(line.unwrap_or(1));
    vec![spot.insert(
        at,
        &format!("{head};\n"),
        "missing-prototype",
        0.6,
        format!("Declares {name} above its first use"),
    )]
}

fn include(spot: &Spot<'_>, header: &str, cost: f64, besides: Option<crate::TextEdit>) -> Candidate {
    let last = spot
        .text
        .lines()
        .take_while(|line| line.starts_with("//") || line.starts_with('#') || line.trim().is_empty());
    let head =
        last.collect::<Vec<_>>().iter().rposition(|line| line.starts_with('#')).map_or(0, |index| index + 1);
    let at = spot.start_of(head as u32 + 1);
    let mut edits = vec![spot.edit(at, at, format!("#include {header}\n"))];
    edits.extend(besides);
    spot.make(edits, "missing-include", cost, format!("Includes {header}"))
}

fn header(spot: &Spot<'_>) -> Vec<Candidate> {
    const HEADERS: &[&str] = &[
        "stdio.h",
        "stdlib.h",
        "string.h",
        "math.h",
        "ctype.h",
        "stdbool.h",
        "stdint.h",
        "limits.h",
        "assert.h",
        "time.h",
        "iostream",
        "vector",
        "string",
        "map",
        "set",
        "algorithm",
        "memory",
        "sstream",
        "queue",
        "stack",
        "utility",
        "unordered_map",
        "unordered_set",
        "functional",
        "numeric",
        "cmath",
        "cstdio",
        "cstdlib",
        "cstring",
    ];
    let Some(wrong) = spot.said(r"^(\S+): No such") else { return Vec::new() };
    let wanted =
        HEADERS.iter().filter(|right| names::distance(&wrong, right) <= 2 || wrong == format!("{right}.h"));
    let mut found: Vec<Candidate> = wanted
        .flat_map(|right| {
            spot.replace(
                &format!(r#"[<"]{}[>"]"#, regex::escape(&wrong)),
                &format!("<{right}>"),
                "misspelt-header",
                0.7,
            )
        })
        .collect();
    found.push(spot.rewrite(spot.line, "", "needless-include", 2.0, "Leaves the header out"));
    found
}

fn missing_token(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let tokens: Vec<String> = {
        let message = spot.error.message.replace(['‘', '’'], "'");
        message
            .split("before")
            .next()
            .unwrap_or_default()
            .split('\'')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let lines = [spot.line, spot.line.saturating_sub(1).max(1)];
    for line in lines {
        let text = spot.line_at(line);
        let code = text.split("//").next().unwrap_or(text).trim_end();
        let away = f64::from(spot.line - line) * 0.3;
        let end = spot.start_of(line) + code.len();
        for token in tokens.iter().filter(|token| [";", ")", "}", "]", "{", ":"].contains(&token.as_str())) {
            found.push(spot.insert(
                end,
                token,
                "missing-token",
                0.6 + away,
                format!("Adds {token} at the end of the line"),
            ));
        }
        if !code.is_empty() && !code.ends_with([';', '{', '}', ',']) {
            found.push(spot.insert(end, ";", "missing-semicolon", 0.7 + away, "Ends the statement"));
        }
        let count = |c: char| code.matches(c).count();
        for (open, close) in [('(', ')'), ('[', ']')] {
            if count(open) > count(close) {
                let at = spot.start_of(line) + code.trim_end_matches([';', '{', ' ']).len();
                found.push(spot.insert(
                    at,
                    &close.to_string(),
                    "missing-bracket",
                    0.5 + away,
                    "Closes the bracket",
                ));
            }
        }
        if !code.matches('"').count().is_multiple_of(2) {
            let at = spot.start_of(line) + code.trim_end_matches([';', ')']).len();
            found.push(spot.insert(at, "\"", "missing-quote", 0.5 + away, "Closes the quote"));
        }
    }
    if spot.text.matches('{').count() > spot.text.matches('}').count() {
        found.push(spot.insert(spot.text.len(), "}\n", "missing-brace", 0.6, "Closes the block at the end"));
        let text = spot.here();
        if text.trim() == "}" || text.trim_start().starts_with("else") {
            found.push(spot.line_before(
                spot.line,
                "}",
                "missing-brace",
                0.8,
                "Closes the block before this line",
            ));
        }
    }
    if let Some(at) = spot.column_byte() {
        for token in tokens.iter().filter(|token| token.len() <= 2) {
            found.push(spot.insert(at, token, "missing-token", 0.8, format!("Adds {token}")));
        }
    }
    for word in names::of(spot.here()).keys() {
        for near in names::near(word, "", COMMON).into_iter().take(1) {
            found.extend(spot.replace_word(word, &near, "misspelt-keyword", 1.3));
        }
    }
    found
}

fn member(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"no member named '(\w+)'") else { return Vec::new() };
    let pattern = format!(r"(\.|->){name}\b");
    let foreign: &[(&str, &str)] = &[
        ("push", "push_back"),
        ("append", "push_back"),
        ("add", "push_back"),
        ("length", "size"),
        ("len", "size"),
        ("pop", "pop_back"),
        ("get", "at"),
        ("contains", "count"),
        ("remove", "erase"),
        ("isEmpty", "empty"),
        ("size", "length"),
        ("add", "insert"),
        ("put", "insert"),
        ("top", "front"),
    ];
    let mut found = Vec::new();
    for (_, right) in foreign.iter().filter(|(wrong, _)| *wrong == name) {
        found.extend(spot.replace(&pattern, &format!("${{1}}{right}"), "foreign-method", 0.8));
    }
    for (rank, near) in names::near(&name, spot.text, COMMON).iter().enumerate() {
        found.extend(spot.replace(
            &pattern,
            &format!("${{1}}{near}"),
            "misspelt-member",
            0.8 + rank as f64 * 0.3,
        ));
    }
    found
}

fn arguments(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"function '?(?:[\w:<>*& ]+ )?(\w+)") else { return Vec::new() };
    let mut found = Vec::new();
    if spot.says("too many") {
        found.extend(spot.replace(
            &format!(r"(\b{name}\([^()]*?),\s*[^,()]+\)"),
            "$1)",
            "argument-dropped",
            1.0,
        ));
    }
    if spot.says("too few") {
        for value in ["0", "1"] {
            found.extend(spot.replace(
                &format!(r"(\b{name}\([^()]+)\)"),
                &format!("$1, {value})"),
                "missing-argument",
                2.0,
            ));
        }
        for variable in names::of(spot.text).keys().take(40) {
            found.extend(spot.replace(
                &format!(r"(\b{name}\([^()]+)\)"),
                &format!("$1, {variable})"),
                "missing-argument",
                2.5,
            ));
        }
    }
    found.extend(spot.replace(
        &format!(r"\b{name}\(([^,()]+), ([^,()]+)\)"),
        &format!("{name}($2, $1)"),
        "swapped-arguments",
        1.4,
    ));
    found
}

fn constant(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"'(\w+)'") else { return Vec::new() };
    let declared = regex(&format!(r"\bconst\b.*\b{name}\b"));
    let line = (1..=spot.line)
        .rev()
        .find(|line| declared.as_ref().is_some_and(|pattern| pattern.is_match(spot.line_at(*line))));
    line.map(|line| spot.replace_on(line, r"\bconst ", "", "const-changed", 0.8)).unwrap_or_default()
}

fn conversion(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = spot.replace(r"=\s*&?(\w+)\s*;", "= *$1;", "missing-star", 1.2);
    found.extend(spot.replace(r"([(,]\s*)(\w+)\s*([,)])", "${1}&$2$3", "missing-address", 1.2));
    if spot.case.language == Language::Cpp {
        found.extend(spot.replace(
            r"=\s*(std::string\(.*\)|\w+|\x22[^\x22]*\x22)\s*;",
            "= std::stoi($1);",
            "text-to-number",
            1.2,
        ));
        found.extend(spot.replace(r"=\s*(\w+)\s*;", "= std::to_string($1);", "number-to-text", 1.3));
        found.extend(spot.replace(r"\bint (\w+)\s*=", "std::string $1 =", "declared-type", 1.4));
        found.extend(spot.replace(r"\bint (\w+)\s*=", "auto $1 =", "declared-type", 1.4));
    }
    found.extend(spot.replace(r"^(\s*)int (\w+)\s*=", "${1}const char *$2 =", "declared-type", 1.6));
    found
}

fn returned(spot: &Spot<'_>) -> Vec<Candidate> {
    let line = spot.before(r"^(?:static )?void \w+\(");
    let mut found = line
        .map(|line| spot.replace_on(line, r"\bvoid (\w+\()", "int $1", "return-type", 1.0))
        .unwrap_or_default();
    found.extend(spot.replace(r"return;", "return 0;", "missing-value", 1.0));
    found
}

fn private(spot: &Spot<'_>) -> Vec<Candidate> {
    let classes = (1..=spot.text.lines().count() as u32)
        .filter(|line| spot.line_at(*line).trim_start().starts_with("class "));
    classes.flat_map(|line| spot.replace_on(line, r"\{", "{ public:", "missing-public", 1.0)).collect()
}

/// What sanitizers and the run itself tell.
fn runtime(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for line in (1..=spot.line).rev().take(12) {
        let cost = 1.0 + f64::from(spot.line - line) * 0.1;
        found.extend(spot.replace_on(line, r"(for\s*\(.*[^<])<=", "$1<", "loop-end", cost));
        found.extend(spot.replace_on(
            line,
            r"malloc\((strlen\([^()]*\))\)",
            "malloc($1 + 1)",
            "room-for-the-end",
            cost,
        ));
        found.extend(spot.replace_on(
            line,
            r"malloc\((\w+)\)",
            "malloc($1 * sizeof(int))",
            "size-of-elements",
            cost + 0.3,
        ));
    }
    let divided = regex(r"[/%]\s*(\w+)")
        .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()));
    if spot.says("division by zero")
        && let Some(divisor) = divided
    {
        found.push(spot.line_before(
            spot.line,
            &format!("if ({divisor} == 0) return 0;"),
            "zero-guard",
            1.2,
            format!("Returns where {divisor} is zero"),
        ));
    }
    if spot.says("null pointer")
        && let Some(pointer) = regex(r"\*(\w+)|(\w+)->").and_then(|pattern| {
            pattern
                .captures(spot.here())?
                .iter()
                .skip(1)
                .flatten()
                .next()
                .map(|name| name.as_str().to_owned())
        })
    {
        found.push(spot.line_before(
            spot.line,
            &format!("if (!{pointer}) return 0;"),
            "null-guard",
            1.4,
            format!("Returns where {pointer} is null"),
        ));
        found.push(spot.line_before(
            spot.line,
            &format!("if (!{pointer}) return;"),
            "null-guard",
            1.6,
            format!("Returns where {pointer} is null"),
        ));
    }
    if matches!(spot.error.error_type.as_str(), "double-free" | "heap-use-after-free") {
        found.extend((1..=spot.line).flat_map(|line| {
            spot.replace_on(line, r"^\s*(?:free\([^()]*\)|delete(?:\[\])? \w+);", "", "freed-twice", 1.5)
        }));
    }
    found
}
