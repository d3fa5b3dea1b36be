//! Go: unused things, missing imports, names, types, returns.

use super::spot::{Spot, regex};
use crate::Candidate;
use formicary_diagnose::{library, names};
use formicary_model::Language;

const COMMON: &[&str] = &[
    "int",
    "string",
    "float64",
    "bool",
    "byte",
    "rune",
    "error",
    "len",
    "cap",
    "append",
    "make",
    "new",
    "copy",
    "delete",
    "panic",
    "recover",
    "print",
    "println",
    "nil",
    "true",
    "false",
    "Println",
    "Printf",
    "Sprintf",
    "Errorf",
    "Atoi",
    "Itoa",
    "Contains",
    "Split",
    "Join",
    "Repeat",
    "Replace",
    "TrimSpace",
    "ToUpper",
    "ToLower",
    "Ints",
    "Strings",
    "Slice",
    "Sqrt",
    "Abs",
    "Max",
    "Min",
    "Floor",
    "HasPrefix",
    "HasSuffix",
    "Fields",
    "return",
    "func",
    "range",
    "Sleep",
    "Add",
    "Done",
    "Wait",
    "Lock",
    "Unlock",
    "Error",
    "MaxInt64",
    "MinInt64",
    "MaxInt",
    "MinInt",
    "Index",
    "Exit",
    "Args",
    "Pow",
    "Ceil",
];

pub fn candidates(spot: &Spot<'_>) -> Vec<Candidate> {
    match spot.error.error_type.as_str() {
        "undefined" => undefined(spot),
        "unused-variable" => unused_variable(spot),
        "unused-import" => unused_import(spot),
        "package-not-found" => package(spot),
        "no-field-or-method" | "unknown-field" => member(spot),
        "no-new-variables" => spot.replace(":=", "=", "needless-colon", 0.5),
        "assignment-mismatch" => {
            let mut found = spot.replace(r"(\w+)\s*(:?=)\s*", "$1, _ $2 ", "missing-result", 0.8);
            found.extend(spot.replace(r"(\w+), \w+\s*(:?=)\s*", "$1 $2 ", "needless-result", 1.0));
            found
        }
        "type-mismatch" | "mismatched-types" | "invalid-operation" | "constant-overflow" => types(spot),
        "missing-return" => missing_return(spot),
        "syntax-error" => syntax(spot),
        "unused-result" => spot.replace(r"^(\s*)(\S.*)$", "${1}_ = $2", "unused-result", 1.0),
        "wrong-arguments" => spot.replace(r"(\w+\([^()]*?),\s*[^,()]+\)", "$1)", "argument-dropped", 1.2),
        "wrong-return" => {
            let mut found = spot.replace(r"return (.+)$", "return $1, nil", "missing-nil", 0.8);
            found.extend(spot.replace(r"return ([^,]+), .+$", "return $1", "needless-result", 1.0));
            found
        }
        "panic" => runtime(spot),
        "fatal error" => concurrency(spot),
        _ => Vec::new(),
    }
}

fn undefined(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(whole) = spot.said(r"undefined: ([\w.]+)|^([\w.]+) not (?:declared|exported)") else {
        return Vec::new();
    };
    let name = whole.rsplit('.').next().unwrap_or(&whole).to_owned();
    let mut found = Vec::new();
    for holder in library::holders(Language::Go, &name) {
        found.push(import(spot, holder));
    }
    for constant in [("null", "nil"), ("None", "nil"), ("True", "true"), ("False", "false"), ("NULL", "nil")]
    {
        if constant.0 == name {
            found.extend(spot.replace_word(&name, constant.1, "foreign-constant", 0.6));
        }
    }
    for (rank, near) in names::near(&name, spot.text, COMMON).iter().enumerate() {
        found.extend(spot.replace_word(&name, near, "misspelt-name", 0.9 + rank as f64 * 0.3));
    }
    if whole == name {
        found.extend(spot.replace(
            &format!(r"^(\s*(?:for )?){name}(\s*)="),
            &format!("${{1}}{name}$2:="),
            "undeclared-variable",
            0.8,
        ));
    }
    let mut upper = name.clone();
    if let Some(first) = upper.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    found.extend(spot.replace(&format!(r"\.{name}\b"), &format!(".{upper}"), "exported-name", 0.6));
    found
}

fn import(spot: &Spot<'_>, path: &str) -> Candidate {
    let why = format!("Imports {path}");
    if let Some(at) = spot.text.find("import (") {
        return spot.insert(at + "import (".len(), &format!("\n\t\"{path}\""), "missing-import", 0.5, why);
    }
    let line = (1..)
        .zip(spot.text.lines())
        .find(|(_, line)| line.starts_with("package "))
        .map_or(1, |(line, _)| line);
    spot.insert(spot.start_of(line + 1), &format!("import \"{path}\"\n"), "missing-import", 0.5, why)
}

fn unused_variable(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"^(\w+) declared|not used: (\w+)") else { return Vec::new() };
    let at = spot.start_of(spot.line) + spot.here().len();
    let mut found = spot.replace(&format!(r"\b{name}(\s*,|,?\s*\w*\s*:=)"), "_$1", "unused-variable", 0.6);
    found.extend(spot.replace(&format!(r",(\s*){name}(\s*:=)"), ",${1}_$2", "unused-variable", 0.5));
    if !spot.here().trim_end().ends_with('{') {
        found.push(spot.insert(
            at,
            &format!("\n{}_ = {name}", spot.indent(spot.line)),
            "unused-variable",
            0.7,
            format!("Uses {name}"),
        ));
    }
    let start = spot.start_of(spot.line);
    found.push(spot.make(
        vec![spot.edit(start, at, "")],
        "unused-variable",
        1.2,
        format!("Leaves {name} out"),
    ));
    found
}

fn unused_import(spot: &Spot<'_>) -> Vec<Candidate> {
    let start = spot.start_of(spot.line);
    let end = start + spot.here().len();
    vec![spot.make(vec![spot.edit(start, end, "")], "unused-import", 0.5, "Removes the import")]
}

fn package(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(wrong) = spot.said(r#"package ([\w./]+) is not|package "?([\w./]+)"?"#) else {
        return Vec::new();
    };
    let paths = [
        "fmt",
        "strings",
        "strconv",
        "os",
        "errors",
        "math",
        "sort",
        "time",
        "sync",
        "bufio",
        "io",
        "bytes",
        "math/rand",
        "encoding/json",
        "regexp",
        "unicode",
        "context",
        "log",
        "path/filepath",
        "container/heap",
        "container/list",
    ];
    let near = paths.iter().filter(|right| {
        names::distance(&wrong, right) <= 2 || right.rsplit('/').next() == Some(wrong.as_str())
    });
    near.flat_map(|right| {
        spot.replace(
            &format!("\"{}\"", regex::escape(&wrong)),
            &format!("\"{right}\""),
            "misspelt-package",
            0.7,
        )
    })
    .collect()
}

fn member(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"has no field or method (\w+)|unknown field '?(\w+)") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (rank, near) in names::near(&name, spot.text, COMMON).iter().enumerate() {
        found.extend(spot.replace(
            &format!(r"(\.|\b){name}\b"),
            &format!("${{1}}{near}"),
            "misspelt-member",
            0.8 + rank as f64 * 0.2,
        ));
    }
    if name == "length" || name == "size" || name == "len" {
        found.extend(spot.replace(&format!(r"(\w+)\.{name}(?:\(\))?"), "len($1)", "foreign-length", 0.7));
    }
    found
}

fn types(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let types = ["float64", "int", "int64", "string", "byte", "rune"];
    let operand = r"\b([\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?)";
    for wanted in types.iter().filter(|name| spot.error.message.contains(*name)) {
        for (pattern, new) in [
            (format!(r"{operand}(\s*[-+*/<>=!])"), format!("{wanted}($1)$2")),
            (format!(r"([-+*/<>=]\s*){operand}"), format!("${{1}}{wanted}($2)")),
            (format!(r"(return\s+){operand}"), format!("${{1}}{wanted}($2)")),
            (format!(r"([(,]\s*){operand}(\s*[,)])"), format!("${{1}}{wanted}($2)$3")),
        ] {
            found.extend(spot.replace(&pattern, &new, "conversion", 1.0));
        }
    }
    if spot.says("string") {
        found.extend(
            spot.replace(r"\+\s*(\w+)", "+ strconv.Itoa($1)", "number-to-text", 1.2).into_iter().map(
                |mut candidate| {
                    if !spot.text.contains("\"strconv\"") {
                        candidate.edits.extend(import(spot, "strconv").edits);
                    }
                    candidate
                },
            ),
        );
        found.extend(spot.replace(r"\+\s*(\w+)", "+ fmt.Sprint($1)", "number-to-text", 1.1));
        found.extend(spot.replace(r#"= "(\d+)""#, "= $1", "number-as-text", 1.0));
        found.extend(spot.replace(r"\bint\b", "string", "declared-type", 1.4));
        found.extend(spot.replace(r"\bstring\b", "int", "declared-type", 1.6));
        found.extend(spot.replace(r"'([^']*)'", "\"$1\"", "quotes", 1.0));
    }
    if spot.says("nil") {
        found.extend(spot.replace(r"\bnil\b", "\"\"", "zero-value", 1.5));
        found.extend(spot.replace(r"\bnil\b", "0", "zero-value", 1.5));
    }
    if spot.says("overflows") || spot.says("truncated") {
        found.extend(spot.replace(r"\bu?int(?:8|16|32)\b", "int64", "wider-type", 0.8));
        found.extend(spot.replace(r"\bint\b", "float64", "wider-type", 1.0));
    }
    if spot.says("pointer receiver") || spot.says("method has pointer receiver") {
        found.extend(spot.replace(r"([=(,]\s*)(\w+\{)", "${1}&$2", "missing-address", 0.7));
    }
    found.extend(spot.replace(r"([(,=]\s*)(\w+)(\s*[,)]|$)", "${1}&$2$3", "missing-address", 1.8));
    found.extend(spot.replace(r"([(,=]\s*)(\w+)(\s*[,)]|$)", "${1}*$2$3", "missing-star", 1.9));
    found
}

fn missing_return(spot: &Spot<'_>) -> Vec<Candidate> {
    let function = spot.before(r"^func ");
    let head = function.map(|line| spot.line_at(line)).unwrap_or_default();
    let values: &[&str] =
        match head.rsplit(')').next().unwrap_or_default().trim().trim_end_matches('{').trim() {
            "string" => &["\"\""],
            "bool" => &["false", "true"],
            "error" => &["nil"],
            "" => &["0, nil", "\"\", nil", "nil, nil"],
            kind if kind.starts_with(['[', '*', 'm']) => &["nil"],
            _ => &["0", "-1"],
        };
    let mut all: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
    let declared = regex(r"^\s*(?:var )?(\w+)\s*(?::=|[\w\[\]]+ =|int$|string$|float64$)");
    for line in function.unwrap_or(spot.line)..spot.line {
        all.extend(
            declared
                .as_ref()
                .and_then(|pattern| Some(pattern.captures(spot.line_at(line))?.get(1)?.as_str().to_owned())),
        );
    }
    let start = spot.start_of(spot.line);
    all.iter()
        .rev()
        .enumerate()
        .map(|(rank, value)| {
            spot.insert(
                start,
                &format!("\treturn {value}\n"),
                "missing-return",
                1.0 + rank as f64 * 0.2,
                format!("Returns {value} at the end"),
            )
        })
        .collect()
}

fn syntax(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if spot.here().trim_start().starts_with("else") || spot.says("else") {
        let above = spot.line.saturating_sub(1).max(1);
        let start = spot.start_of(above) + spot.line_at(above).len();
        let end = spot.start_of(spot.line) + spot.indent(spot.line).len();
        found.push(spot.make(
            vec![spot.edit(start, end, " ")],
            "else-on-its-line",
            0.4,
            "Puts else behind the brace",
        ));
    }
    for line in [spot.line, spot.line.saturating_sub(1).max(1)] {
        let away = f64::from(spot.line - line) * 0.3;
        let code = spot.line_at(line).trim_end();
        let end = spot.start_of(line) + code.len();
        if regex(r"^\s*(?:func|if|for|switch|else|type)\b").is_some_and(|opens| opens.is_match(code))
            && !code.ends_with('{')
        {
            found.push(spot.insert(end, " {", "missing-brace", 0.6 + away, "Opens the block"));
        }
        if spot.line_at(line + 1).trim() == "{" {
            let next = spot.start_of(line + 1) + spot.line_at(line + 1).len();
            found.push(spot.make(
                vec![spot.edit(end, next, " {")],
                "brace-on-its-line",
                0.5 + away,
                "Puts the brace behind its head",
            ));
        }
        for (open, close) in [('(', ")"), ('[', "]")] {
            if code.matches(open).count() > code.matches(close).count() {
                let at = spot.start_of(line) + code.trim_end_matches(['{', ' ']).len();
                found.push(spot.insert(at, close, "missing-bracket", 0.5 + away, "Closes the bracket"));
            }
        }
        if !code.matches('"').count().is_multiple_of(2) {
            let at = spot.start_of(line) + code.trim_end_matches([')', '{', ' ']).len();
            found.push(spot.insert(at, "\"", "missing-quote", 0.5 + away, "Closes the quote"));
        }
        found.push(spot.insert(
            end,
            ",",
            "missing-comma",
            0.9 + away,
            "Adds the comma before the line's end",
        ));
    }
    for (pattern, new) in [
        (r"^(\s*)while\b", "${1}for"),
        (r"\b(?:let|const) (\w+) =", "$1 :="),
        (r"(\w+) := ", "var $1 = "),
        (r"^(\s*)int (\w+) =", "${1}$2 :="),
        (r"\bfunction\b", "func"),
        (r"\bdef\b", "func"),
        (r"\bfun\b", "func"),
        (r"\belif\b", "else if"),
        (r"\band\b", "&&"),
        (r"\bor\b", "||"),
        (r"\bnot ", "!"),
        (r"if \((.*)\)\s*$", "if $1 {"),
        (r"\+\+(\w+)", "$1++"),
        (r";\s*$", ""),
    ] {
        found.extend(spot.replace(pattern, new, "foreign-syntax", 1.0));
    }
    if spot.text.matches('{').count() > spot.text.matches('}').count() {
        found.push(spot.insert(spot.text.len(), "}\n", "missing-brace", 0.6, "Closes the block at the end"));
        found.push(spot.line_before(
            spot.line,
            "}",
            "missing-brace",
            0.7,
            "Closes the block before this line",
        ));
    }
    found
}

fn runtime(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for line in (1..=spot.line).rev().take(10) {
        let cost = 1.0 + f64::from(spot.line - line) * 0.1;
        found.extend(spot.replace_on(line, r"<= len\(", "< len(", "loop-end", cost));
        found.extend(spot.replace_on(line, r"(for .*)<=", "$1<", "loop-end", cost + 0.2));
    }
    found.extend(spot.replace(r"\[len\((\w+)\)\]", "[len($1)-1]", "last-index", 0.8));
    if spot.says("nil map") {
        for line in 1..=spot.line {
            found.extend(spot.replace_on(
                line,
                r"var (\w+) (map\[[^\]]+\][\w\[\]{}*.]+)\s*$",
                "$1 := make($2)",
                "unmade-map",
                0.6,
            ));
        }
    }
    if spot.says("interface conversion") {
        found.extend(spot.replace(
            r"(\w+)\s*:=\s*(\w+\.\(\w+\))",
            "$1, _ := $2",
            "unchecked-conversion",
            1.0,
        ));
    }
    let function = spot.before(r"^func ").map(|line| spot.line_at(line)).unwrap_or_default();
    let zero = match function.rsplit(')').next().unwrap_or_default().trim().trim_end_matches('{').trim() {
        "" => "return",
        "string" => "return \"\"",
        "bool" => "return false",
        kind if kind.starts_with(['[', '*', 'm']) => "return nil",
        _ => "return 0",
    };
    let indent = spot.indent(spot.line);
    let mut guard = |test: String| {
        found.push(spot.line_before(
            spot.line,
            &format!("if {test} {{\n{indent}\t{zero}\n{indent}}}"),
            "guard",
            1.3,
            format!("Returns where {test}"),
        ))
    };
    if spot.says("divide by zero")
        && let Some(divisor) = regex(r"[/%]\s*(\w+)")
            .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()))
    {
        guard(format!("{divisor} == 0"));
    }
    if spot.says("nil pointer")
        && let Some(pointer) = regex(r"(\w+)\.\w+")
            .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()))
    {
        guard(format!("{pointer} == nil"));
    }
    found
}

fn concurrency(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for line in 1..=spot.line {
        found.extend(spot.replace_on(
            line,
            r"make\(chan (\w+)\)",
            "make(chan $1, 1)",
            "buffered-channel",
            1.0,
        ));
    }
    let sends = spot.here().trim();
    if sends.contains("<-") {
        let indent = spot.indent(spot.line);
        found.push(spot.rewrite(
            spot.line,
            &format!("{indent}go func() {{ {sends} }}()"),
            "send-in-goroutine",
            1.2,
            "Sends from a goroutine of its own",
        ));
    }
    found
}
