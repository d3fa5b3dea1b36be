//! JavaScript and TypeScript: names, methods, null, brackets, await, modules.

use super::spot::{Spot, regex};
use crate::Candidate;
use formicary_diagnose::{library, names};

const COMMON: &[&str] = &[
    "console",
    "log",
    "length",
    "push",
    "pop",
    "shift",
    "unshift",
    "slice",
    "splice",
    "map",
    "filter",
    "reduce",
    "forEach",
    "indexOf",
    "includes",
    "join",
    "split",
    "toUpperCase",
    "toLowerCase",
    "trim",
    "replace",
    "substring",
    "charAt",
    "concat",
    "sort",
    "reverse",
    "find",
    "findIndex",
    "some",
    "every",
    "keys",
    "values",
    "entries",
    "Object",
    "Array",
    "Math",
    "JSON",
    "parse",
    "stringify",
    "parseInt",
    "parseFloat",
    "Number",
    "String",
    "Boolean",
    "Promise",
    "async",
    "await",
    "function",
    "return",
    "const",
    "let",
    "var",
    "undefined",
    "null",
    "true",
    "false",
    "Map",
    "Set",
    "has",
    "get",
    "set",
    "add",
    "delete",
    "floor",
    "ceil",
    "round",
    "max",
    "min",
    "abs",
    "sqrt",
    "pow",
    "random",
    "toString",
    "toFixed",
    "startsWith",
    "endsWith",
    "repeat",
    "padStart",
    "setTimeout",
    "require",
    "module",
    "exports",
    "process",
    "Error",
    "isArray",
    "from",
    "fill",
    "flat",
];

pub fn candidates(spot: &Spot<'_>) -> Vec<Candidate> {
    match spot.kind() {
        "ReferenceError" => reference(spot),
        "TypeError" => types(spot),
        "SyntaxError" => syntax(spot),
        "RangeError" => {
            spot.replace(r"new Array\(([^()]+)\)", "new Array(Math.max(0, $1))", "negative-length", 1.5)
        }
        "Error" => module(spot),
        _ => Vec::new(),
    }
}

fn reference(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(name) = spot.said(r"access '(\w+)' before initialization") {
        let declared = regex(&format!(r"^\s*(?:const|let) {name}\b"));
        let line = (spot.line + 1..=spot.text.lines().count() as u32)
            .find(|line| declared.as_ref().is_some_and(|pattern| pattern.is_match(spot.line_at(*line))));
        if let Some(line) = line {
            let (start, text) = (spot.start_of(line), spot.line_at(line));
            let mut end = start + text.len();
            end += usize::from(spot.text[end..].starts_with('\n'));
            let at = spot.start_of(spot.line);
            let edits = vec![spot.edit(at, at, format!("{text}\n")), spot.edit(start, end, "")];
            found.push(spot.make(edits, "used-too-early", 0.7, format!("Moves {name} above its first use")));
        }
        return found;
    }
    let Some(name) = spot.said(r"^(\w+) is not defined") else { return found };
    for constant in [
        ("True", "true"),
        ("False", "false"),
        ("None", "null"),
        ("nil", "null"),
        ("NULL", "null"),
        ("print", "console.log"),
        ("len", "length"),
        ("self", "this"),
    ] {
        if constant.0 == name {
            found.extend(spot.replace_word(&name, constant.1, "foreign-name", 0.6));
        }
    }
    if library::NODE_MODULES.contains(&name.as_str()) {
        let line = if name == "require" {
            String::new()
        } else if spot.text.contains("import ") && !spot.text.contains("require(") {
            format!("import {name} from \"{name}\";\n")
        } else {
            format!("const {name} = require(\"{name}\");\n")
        };
        found.push(spot.insert(0, &line, "missing-require", 0.5, format!("Loads {name}")));
    }
    if spot.text.contains(&format!("this.{name}"))
        || regex(&format!(r"(?m)^\s+(?:async )?{name}\([^)]*\)\s*\{{"))
            .is_some_and(|method| method.is_match(spot.text))
    {
        found.extend(spot.replace_word(&name, &format!("this.{name}"), "missing-this", 0.7));
    }
    for (rank, near) in names::near(&name, spot.text, COMMON).iter().enumerate() {
        found.extend(spot.replace_word(&name, near, "misspelt-name", 0.9 + rank as f64 * 0.3));
    }
    found.extend(spot.replace(
        &format!(r"^(\s*(?:for \()?){name}(\s*=)"),
        &format!("${{1}}let {name}$2"),
        "undeclared-variable",
        0.8,
    ));
    found.extend(spot.replace(
        &format!(r"for \({name} "),
        &format!("for (const {name} "),
        "undeclared-variable",
        0.7,
    ));
    found.extend(spot.replace_word(&name, &format!("\"{name}\""), "missing-quotes", 2.5));
    found
}

fn types(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if spot.says("Assignment to constant") {
        let name = regex(r"(\w+)\s*(?:[-+*/%]?=|\+\+|--)")
            .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()))
            .unwrap_or_default();
        for line in (1..=spot.line).rev() {
            found.extend(spot.replace_on(
                line,
                &format!(r"\bconst ({name}\b)"),
                "let $1",
                "const-changed",
                0.5,
            ));
        }
        found.extend(spot.replace(r"\bconst (\w+ = )", "let $1", "const-changed", 0.6));
    }
    if let Some(called) = spot.said(r"^(?:\S*\.)?(\w+) is not a function") {
        let foreign: &[(&str, &str)] = &[
            ("append", "push"),
            ("add", "push"),
            ("contains", "includes"),
            ("has", "includes"),
            ("size", "length"),
            ("strip", "trim"),
            ("upper", "toUpperCase"),
            ("lower", "toLowerCase"),
            ("remove", "splice"),
            ("get", "at"),
            ("push", "add"),
            ("len", "length"),
            ("startswith", "startsWith"),
            ("each", "forEach"),
            ("foreach", "forEach"),
            ("toUppercase", "toUpperCase"),
            ("touppercase", "toUpperCase"),
        ];
        for (_, right) in foreign.iter().filter(|(wrong, _)| *wrong == called) {
            found.extend(spot.replace(
                &format!(r"\.{called}\b"),
                &format!(".{right}"),
                "foreign-method",
                0.7,
            ));
        }
        found.extend(spot.replace(&format!(r"\.{called}\(\)"), &format!(".{called}"), "called-value", 0.8));
        found.extend(spot.replace(r"\.(?:len|size|count)\(\)", ".length", "foreign-method", 0.8));
        for (rank, near) in names::near(&called, spot.text, COMMON).iter().enumerate() {
            found.extend(spot.replace_word(&called, near, "misspelt-method", 0.9 + rank as f64 * 0.2));
        }
        found.extend(spot.replace(
            r"(\w+)\.(map|filter|forEach|reduce|join)\(",
            "Object.values($1).$2(",
            "object-as-list",
            1.5,
        ));
        found.extend(spot.replace(
            r"(\w+)\.(map|filter|forEach|reduce|join)\(",
            "[...$1].$2(",
            "iterable-as-list",
            1.4,
        ));
        found.extend(spot.replace(r"(=\s*|return )(\w+\()", "${1}await $2", "missing-await", 1.5));
        found.extend(spot.replace(
            r"(\w+)\.(toUpperCase|toLowerCase|trim|split|includes)\(",
            "String($1).$2(",
            "number-as-text",
            1.6,
        ));
    }
    if spot.says("is not iterable") {
        found.extend(spot.replace(r"of ([\w.]+)\)", "of Object.entries($1))", "object-as-list", 0.8));
        found.extend(spot.replace(r"of ([\w.]+)\)", "of Object.keys($1))", "object-as-list", 0.9));
        found.extend(spot.replace(r"of ([\w.]+)\)", "of Object.values($1))", "object-as-list", 1.0));
        found.extend(spot.replace(r" of ", " in ", "of-for-in", 1.1));
    }
    if spot.says("cannot be invoked without 'new'") {
        let name = spot.said(r"constructor (\w+)").unwrap_or_default();
        found.extend(spot.replace(&format!(r"\b{name}\("), &format!("new {name}("), "missing-new", 0.5));
    }
    if spot.says("is not a constructor") {
        found.extend(spot.replace(r"\bnew (\w)", "$1", "needless-new", 0.8));
    }
    if spot.says("BigInt") {
        found.extend(spot.replace(r"\b(\d+)\b([^n]|$)", "${1}n$2", "bigint", 0.9));
    }
    if spot.says("undefined") || spot.says("null") {
        let read = spot.said(r"reading '(\w+)'");
        if let Some(read) = read {
            found.extend(spot.replace(&format!(r"\.{read}\b"), &format!("?.{read}"), "null-guard", 1.2));
            found.extend(spot.replace(
                &format!(r"([\w.\[\]]+)\.{read}\b"),
                &format!("($1 || \"\").{read}"),
                "null-guard",
                1.6,
            ));
            let object = regex(&format!(r"([\w.\[\]]+)\.{read}\b"))
                .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()));
            if let Some(object) = object {
                found.push(spot.line_before(
                    spot.line,
                    &format!("if ({object} == null) return;"),
                    "null-guard",
                    1.8,
                    format!("Returns where {object} is missing"),
                ));
                found.push(spot.line_before(
                    spot.line,
                    &format!("if ({object} == null) return null;"),
                    "null-guard",
                    1.8,
                    format!("Returns where {object} is missing"),
                ));
                let last = object.rsplit('.').next().unwrap_or_default();
                if object.contains('.') {
                    for near in names::near(last, spot.text, COMMON) {
                        found.extend(spot.replace_word(last, &near, "misspelt-member", 1.0));
                    }
                }
            }
        }
        for line in (1..=spot.line).rev().take(10) {
            let cost = 1.0 + f64::from(spot.line - line) * 0.1;
            found.extend(spot.replace_on(line, r"<= (\w+)\.length", "< $1.length", "loop-end", cost));
        }
        found.extend(spot.replace(r"\[(\w+)\.length\]", "[$1.length - 1]", "last-index", 0.7));
        found.extend(spot.replace(r"(=\s*|return )(\w+\()", "${1}await $2", "missing-await", 1.6));
        // A callback that lost its object.
        found.extend(this(spot));
    }
    found
}

/// `function` callbacks have a `this` of their own.
fn this(spot: &Spot<'_>) -> Vec<Candidate> {
    if !spot.here().contains("this.") {
        return Vec::new();
    }
    (1..=spot.line)
        .rev()
        .take(6)
        .flat_map(|line| {
            spot.replace_on(line, r"function\s*\(([^()]*)\)\s*\{", "($1) => {", "lost-this", 0.8)
        })
        .collect()
}

fn syntax(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if spot.says("has already been declared") {
        found.extend(spot.replace(r"\b(?:let|const|var) (\w+\s*=)", "$1", "declared-twice", 0.6));
    }
    if spot.says("await is only valid") {
        let line = spot.before(r"\bfunction\b|=>");
        if let Some(line) = line {
            found.extend(spot.replace_on(line, r"\bfunction\b", "async function", "missing-async", 0.5));
            found.extend(spot.replace_on(
                line,
                r"(\([^()]*\)|\w+)\s*=>",
                "async $1 =>",
                "missing-async",
                0.6,
            ));
        }
    }
    if spot.says("export named") {
        let name = spot.said(r"named '(\w+)'").unwrap_or_default();
        found.extend(spot.replace(&format!(r"\{{\s*{name}\s*\}}"), &name, "default-import", 0.8));
    }
    if spot.says("import statement outside a module") {
        found.extend(spot.replace(
            r#"import \{([^}]*)\} from (["'][^"']+["'])"#,
            "const {$1} = require($2)",
            "module-syntax",
            0.7,
        ));
        found.extend(spot.replace(
            r#"import (\w+) from (["'][^"']+["'])"#,
            "const $1 = require($2)",
            "module-syntax",
            0.7,
        ));
    }
    for line in [spot.line, spot.line.saturating_sub(1).max(1)] {
        let away = f64::from(spot.line - line) * 0.3;
        let code = spot.line_at(line).split("//").next().unwrap_or_default().trim_end();
        let trimmed = code.trim_end_matches([';', '{', ' ']);
        let balance =
            |open: char, close: char| code.matches(open).count() as i64 - code.matches(close).count() as i64;
        for (open, close) in [('(', ')'), ('[', ']')] {
            let at = spot.start_of(line) + trimmed.len();
            if balance(open, close) > 0 {
                found.push(spot.insert(
                    at,
                    &close.to_string(),
                    "missing-bracket",
                    0.5 + away,
                    "Closes the bracket",
                ));
            }
            if balance(open, close) < 0 && trimmed.ends_with(close) {
                found.push(spot.make(
                    vec![spot.edit(at - 1, at, "")],
                    "unmatched-bracket",
                    0.6 + away,
                    "Removes a bracket that closes nothing",
                ));
            }
        }
        for quote in ['"', '\'', '`'] {
            if !code.matches(quote).count().is_multiple_of(2) {
                let at = spot.start_of(line) + code.trim_end_matches([';', ')', ']', '}', ',']).len();
                found.push(spot.insert(
                    at,
                    &quote.to_string(),
                    "missing-quote",
                    0.5 + away,
                    "Closes the quote",
                ));
                found.push(spot.insert(
                    spot.start_of(line) + code.len(),
                    &quote.to_string(),
                    "missing-quote",
                    0.6 + away,
                    "Closes the quote",
                ));
            }
        }
        let end = spot.start_of(line) + code.len();
        found.push(spot.insert(end, ",", "missing-comma", 1.2 + away, "Adds a comma at the end of the line"));
        if regex(r"^\s*(?:if|for|while|function|else|class|async)\b")
            .is_some_and(|opens| opens.is_match(code))
            && !code.ends_with('{')
        {
            found.push(spot.insert(end, " {", "missing-brace", 0.7 + away, "Opens the block"));
        }
    }
    if spot.text.matches('{').count() > spot.text.matches('}').count() {
        found.push(spot.insert(spot.text.len(), "}\n", "missing-brace", 0.6, "Closes the block at the end"));
        found.push(spot.insert(
            spot.text.len(),
            "});\n",
            "missing-brace",
            0.9,
            "Closes the callback at the end",
        ));
    } else if spot.text.matches('}').count() > spot.text.matches('{').count() && spot.here().trim() == "}" {
        found.push(spot.rewrite(spot.line, "", "needless-brace", 0.7, "Removes a brace that closes nothing"));
    }
    for (pattern, new) in [
        (r"\belif\b", "else if"),
        (r"\bdef (\w+)", "function $1"),
        (r"\band\b", "&&"),
        (r"\bor\b", "||"),
        (r"\bnot ", "!"),
        (r"=<", "<="),
        (r"\bfun\b|\bfunc\b|\bfuncton\b|\bfuntion\b", "function"),
        (r#"(["'\w\])])(\s+)(["'\w\[({])"#, "$1,$2$3"),
        (r"\bif ([^(].*[^{ ])\s*\{", "if ($1) {"),
        (r"\bint (\w+ =)", "let $1"),
        (r"= ;", "= 0;"),
        (r":\s*$", " {"),
    ] {
        found.extend(spot.replace(pattern, new, "foreign-syntax", 1.0));
    }
    found
}

fn module(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(wrong) = spot.said(r"Cannot find (?:module|package) '([^']+)'") else { return Vec::new() };
    let mut found = Vec::new();
    for near in names::near(&wrong, "", library::NODE_MODULES) {
        found.extend(spot.replace(
            &format!(r#"(["']){}(["'])"#, regex::escape(&wrong)),
            &format!("${{1}}{near}$2"),
            "misspelt-module",
            0.7,
        ));
    }
    for file in &spot.case.files {
        let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
        if wrong.trim_start_matches("./") == stem
            || names::distance(wrong.trim_start_matches("./").trim_end_matches(".js"), stem) <= 2
        {
            found.extend(spot.replace(
                &format!(r#"(["']){}(["'])"#, regex::escape(&wrong)),
                &format!("${{1}}./{}$2", file.path),
                "relative-module",
                0.6,
            ));
        }
    }
    found
}
