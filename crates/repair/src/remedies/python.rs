//! Python: names, attributes, types, keys, divisors; what looks wrong although nothing was raised.

use super::spot::{Spot, regex};
use super::{python_syntax, python_types};
use crate::{Candidate, Case, TextEdit};
use formicary_diagnose::{library, names};
use formicary_model::Language;

const BUILTINS: &[&str] = &[
    "print",
    "len",
    "range",
    "sum",
    "min",
    "max",
    "abs",
    "sorted",
    "reversed",
    "enumerate",
    "zip",
    "map",
    "filter",
    "list",
    "dict",
    "set",
    "tuple",
    "str",
    "int",
    "float",
    "bool",
    "input",
    "open",
    "isinstance",
    "type",
    "any",
    "all",
    "round",
    "ord",
    "chr",
    "True",
    "False",
    "None",
    "iter",
    "next",
    "repr",
    "hash",
    "super",
    "object",
    "ValueError",
    "TypeError",
    "KeyError",
    "IndexError",
    "Exception",
    "StopIteration",
    "frozenset",
    "bytes",
    "divmod",
    "pow",
    "hasattr",
    "getattr",
    "setattr",
    "bin",
    "hex",
    "format",
    "callable",
    "RuntimeError",
    "ZeroDivisionError",
    "NotImplementedError",
    "AttributeError",
    "return",
];

const METHODS: &[&str] = &[
    "append",
    "extend",
    "insert",
    "remove",
    "pop",
    "clear",
    "index",
    "count",
    "sort",
    "reverse",
    "copy",
    "keys",
    "values",
    "items",
    "get",
    "update",
    "setdefault",
    "popitem",
    "add",
    "discard",
    "union",
    "intersection",
    "difference",
    "split",
    "join",
    "strip",
    "lstrip",
    "rstrip",
    "replace",
    "startswith",
    "endswith",
    "lower",
    "upper",
    "title",
    "find",
    "format",
    "isdigit",
    "isalpha",
    "isalnum",
    "isspace",
    "encode",
    "decode",
    "splitlines",
    "capitalize",
    "zfill",
    "appendleft",
    "popleft",
    "read",
    "write",
    "readline",
    "readlines",
    "close",
    "most_common",
    "total_seconds",
    "casefold",
    "swapcase",
];

/// Methods that other languages or versions have, and what Python writes.
const FOREIGN: &[(&str, &str)] = &[
    ("push", "append"),
    ("push_back", "append"),
    ("add", "append"),
    ("append", "add"),
    ("length", "__len__"),
    ("trim", "strip"),
    ("toUpperCase", "upper"),
    ("toLowerCase", "lower"),
    ("iteritems", "items"),
    ("itervalues", "values"),
    ("iterkeys", "keys"),
    ("has", "__contains__"),
    ("has_key", "__contains__"),
    ("contains", "__contains__"),
    ("indexOf", "index"),
    ("concat", "extend"),
    ("delete", "remove"),
    ("put", "__setitem__"),
    ("substr", "__getitem__"),
    ("includes", "__contains__"),
];

pub fn candidates(spot: &Spot<'_>) -> Vec<Candidate> {
    match spot.kind() {
        "SyntaxError" | "IndentationError" | "TabError" => python_syntax::candidates(spot),
        "NameError" => undefined(spot),
        "UnboundLocalError" => unbound(spot),
        "AttributeError" => attribute(spot),
        "TypeError" => python_types::candidates(spot),
        "KeyError" => missing_key(spot),
        "IndexError" => beyond(spot),
        "ZeroDivisionError" => divisor(spot),
        "ModuleNotFoundError" | "ImportError" => import(spot),
        "ValueError" => value(spot),
        "RuntimeError" => changed(spot),
        "RuntimeWarning" => {
            spot.replace(r"(=\s*|return\s+|^\s*)(\w+(?:\.\w+)*\()", "${1}await $2", "missing-await", 1.0)
        }
        _ => Vec::new(),
    }
}

fn undefined(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"name '(\w+)'") else { return Vec::new() };
    let mut found = Vec::new();
    for constant in [
        ("true", "True"),
        ("false", "False"),
        ("null", "None"),
        ("nil", "None"),
        ("undefined", "None"),
        ("none", "None"),
    ] {
        if constant.0 == name {
            found.extend(spot.replace_word(&name, constant.1, "python-constant", 0.5));
        }
    }
    if let Some(meant) = spot.said(r"Did you mean: '(\w+)'") {
        found.extend(spot.replace_word(&name, &meant, "did-you-mean", 0.8));
    }
    if library::PYTHON_MODULES.contains(&name.as_str()) {
        found.push(imported(spot, &format!("import {name}")));
    }
    for holder in library::holders(Language::Python, &name) {
        found.push(imported(spot, &format!("from {holder} import {name}")));
    }
    for (rank, near) in names::near(&name, spot.text, BUILTINS).iter().enumerate() {
        found.extend(spot.replace_word(&name, near, "misspelt-name", 1.0 + rank as f64 * 0.3));
    }
    for short in names::shortened(&name, BUILTINS) {
        found.extend(spot.replace_word(&name, short, "spelt-out-name", 1.1));
    }
    // A field of the object, named without it.
    if spot.text.contains(&format!("self.{name}")) || spot.text.contains(&format!("def {name}(self")) {
        found.extend(spot.replace_word(&name, &format!("self.{name}"), "missing-self", 0.7));
    }
    found.extend(spot.replace_word(&name, &format!("\"{name}\""), "missing-quotes", 3.0));
    found
}

/// An import at the top: behind the first comment, docstring aside.
fn imported(spot: &Spot<'_>, line: &str) -> Candidate {
    let is_head = |line: &str| {
        line.starts_with("#!") || line.starts_with("# -*-") || line.starts_with("from __future__")
    };
    let head = spot.text.lines().take_while(|line| is_head(line)).count() as u32;
    spot.insert(spot.start_of(head + 1), &format!("{line}\n"), "missing-import", 0.6, format!("Adds {line}"))
}

fn unbound(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"variable '(\w+)'") else { return Vec::new() };
    let Some(function) = spot.before(r"^\s*(?:async )?def ") else { return Vec::new() };
    let body =
        (function + 1..=spot.line).find(|line| !spot.line_at(*line).trim().is_empty()).unwrap_or(spot.line);
    let word = if spot.indent(function).is_empty() { "global" } else { "nonlocal" };
    let mut found = vec![spot.line_before(
        body,
        &format!("{word} {name}"),
        "undeclared-global",
        1.0,
        format!("Declares {name} {word}"),
    )];
    for start in ["0", "None", "[]", "\"\"", "{}"] {
        found.push(spot.line_before(
            body,
            &format!("{name} = {start}"),
            "unset-local",
            2.0,
            format!("Gives {name} a first value"),
        ));
    }
    found
}

fn attribute(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"has no attribute '(\w+)'") else { return Vec::new() };
    let dotted = format!(r"\.{}\b", regex::escape(&name));
    let mut found = Vec::new();
    if let Some(meant) = spot.said(r"Did you mean: '(\w+)'") {
        found.extend(spot.replace(&dotted, &format!(".{meant}"), "did-you-mean", 0.6));
    }
    if let Some(module) = spot.said(r"module '(\w+)' has no attribute") {
        let held = library::names(Language::Python);
        for near in names::near(&name, "", &held) {
            if library::holders(Language::Python, &near).contains(&module.as_str()) {
                found.extend(spot.replace(&dotted, &format!(".{near}"), "misspelt-attribute", 0.8));
            }
        }
    }
    for (wrong, right) in FOREIGN.iter().filter(|(wrong, _)| *wrong == name) {
        let call = format!(r"(\w+(?:\.\w+)*)\.{wrong}\(([^()]*)\)");
        match *right {
            "__len__" => {
                found.extend(spot.replace(
                    &format!(r"(\w+(?:\.\w+)*)\.{wrong}(?:\(\))?"),
                    "len($1)",
                    "foreign-method",
                    0.7,
                ));
            }
            "__contains__" => found.extend(spot.replace(&call, "($2 in $1)", "foreign-method", 0.7)),
            "__setitem__" => found.extend(spot.replace(
                r"(\w+)\.put\(([^,()]+),\s*([^()]+)\)",
                "$1[$2] = $3",
                "foreign-method",
                0.7,
            )),
            "__getitem__" => {}
            right => found.extend(spot.replace(&dotted, &format!(".{right}"), "foreign-method", 0.8)),
        }
    }
    let after_dots: String = spot
        .text
        .split('.')
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ");
    for (rank, near) in names::near(&name, &after_dots, METHODS).iter().enumerate() {
        found.extend(spot.replace(
            &dotted,
            &format!(".{near}"),
            "misspelt-attribute",
            1.0 + rank as f64 * 0.3,
        ));
    }
    if spot.says("'NoneType'") {
        found.extend(guards(spot, &format!(r"(\w+(?:\.\w+)*)\.{name}\b")));
        found.extend(in_place_results(spot));
        found.extend(missing_returns(spot));
    }
    found
}

/// The statement only where its object is there.
pub fn guards(spot: &Spot<'_>, object: &str) -> Vec<Candidate> {
    let Some(object) = regex(object)
        .and_then(|pattern| pattern.captures(spot.here())?.get(1).map(|name| name.as_str().to_owned()))
    else {
        return Vec::new();
    };
    let (indent, statement) = (spot.indent(spot.line), spot.here().trim());
    let guarded = format!("{indent}if {object} is not None:\n{indent}    {statement}");
    let mut found = vec![spot.rewrite(
        spot.line,
        &guarded,
        "none-guard",
        2.5,
        format!("Does it only where {object} is not None"),
    )];
    if spot.before(r"^\s*def ").is_some() {
        found.push(spot.line_before(
            spot.line,
            &format!("if {object} is None:\n{indent}    return None"),
            "none-guard",
            2.6,
            format!("Returns where {object} is None"),
        ));
    }
    found
}

/// `x = y.sort()` gives None.
pub fn in_place_results(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (index, line) in spot.text.lines().enumerate() {
        let number = index as u32 + 1;
        if regex(r"(?:=|return|for .* in)\s*[\w.]+\.(?:sort|reverse|append|extend)\(")
            .is_some_and(|pattern| pattern.is_match(line))
        {
            found.extend(spot.replace_on(
                number,
                r"((?:=|return|in)\s*)([\w.]+)\.sort\(\)",
                "${1}sorted($2)",
                "in-place-result",
                0.9,
            ));
            found.extend(spot.replace_on(
                number,
                r"((?:=|return|in)\s*)([\w.]+)\.sort\(([^()]+)\)",
                "${1}sorted($2, $3)",
                "in-place-result",
                0.9,
            ));
            found.extend(spot.replace_on(
                number,
                r"((?:=|return|in)\s*)([\w.]+)\.reverse\(\)",
                "${1}$2[::-1]",
                "in-place-result",
                0.9,
            ));
            found.extend(spot.replace_on(
                number,
                r"(\w+)\s*=\s*(\w+\.(?:append|extend)\()",
                "$2",
                "in-place-result",
                0.9,
            ));
        }
    }
    found
}

/// Functions that compute something and return nothing.
pub fn missing_returns(spot: &Spot<'_>) -> Vec<Candidate> {
    let lines: Vec<&str> = spot.text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.trim_start().starts_with("def ")) {
        let indent = line.len() - line.trim_start().len();
        let inside = |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > indent;
        let body = lines[index + 1..].iter().take_while(|line| inside(line)).count();
        let Some(last) = (index + 1..=index + body).rev().find(|at| !lines[*at].trim().is_empty()) else {
            continue;
        };
        if lines[index + 1..=last]
            .iter()
            .any(|line| line.trim_start().starts_with("return") || line.contains("yield"))
        {
            continue;
        }
        let (number, text) = (last as u32 + 1, lines[last]);
        let left = &text[..text.len() - text.trim_start().len()];
        if let Some(target) = regex(r"^\s*(\w+)\s*(?:[-+*/|&]?=)[^=]")
            .and_then(|pattern| Some(pattern.captures(text)?.get(1)?.as_str().to_owned()))
        {
            let at = spot.start_of(number) + text.len();
            found.push(spot.insert(
                at,
                &format!("\n{left}return {target}"),
                "missing-return",
                1.5,
                format!("Returns {target}"),
            ));
        } else if !regex(r"^\s*(?:print|for|while|if|try|with|raise|assert|pass|import|del|global)\b")
            .is_some_and(|pattern| pattern.is_match(text))
        {
            found.push(spot.rewrite(
                number,
                &format!("{left}return {}", text.trim()),
                "missing-return",
                1.2,
                "Returns what is computed",
            ));
        }
        // The result that the body builds, returned at the end of the function.
        let base = lines[index + 1..=last]
            .iter()
            .find(|line| !line.trim().is_empty())
            .map_or("    ", |line| &line[..line.len() - line.trim_start().len()]);
        let built = regex(r#"^\s*(\w+)\s*=\s*(?:\[\]|\{\}|0|1|""|''|set\(\)|None|\w+\(\))"#);
        for line in &lines[index + 1..=last] {
            if let Some(name) =
                built.as_ref().and_then(|pattern| Some(pattern.captures(line)?.get(1)?.as_str().to_owned()))
            {
                let at = spot.start_of(number) + text.len();
                found.push(spot.insert(
                    at,
                    &format!("\n{base}return {name}"),
                    "missing-return",
                    1.3,
                    format!("Returns {name}"),
                ));
            }
        }
    }
    found
}

fn missing_key(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let key = spot.error.message.trim().to_owned();
    if let Some(word) = key.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let literals: String = spot.text.split(['"', '\'']).skip(1).step_by(2).collect::<Vec<_>>().join(" ");
        for near in names::near(word, &literals, &[]) {
            found.extend(spot.replace(
                &format!(r#"(["']){}(["'])"#, regex::escape(word)),
                &format!("${{1}}{near}$2"),
                "misspelt-key",
                0.8,
            ));
        }
    }
    for (suffix, default) in [("+=", "0"), ("-=", "0"), ("*=", "1")] {
        let pattern = format!(r"(\w+)\[([^\[\]]+)\]\s*{}\s*(.+)$", regex::escape(suffix));
        found.extend(spot.replace(
            &pattern,
            &format!("$1[$2] = $1.get($2, {default}) {} $3", &suffix[..1]),
            "missing-key",
            0.7,
        ));
    }
    found.extend(spot.replace(
        r"(\w+)\[([^\[\]]+)\]\.append\(",
        "$1.setdefault($2, []).append(",
        "missing-key",
        0.6,
    ));
    found.extend(spot.replace(
        r"(\w+)\[([^\[\]]+)\]\.add\(",
        "$1.setdefault($2, set()).add(",
        "missing-key",
        0.6,
    ));
    for (call, cost) in
        [("$1.get($2, 0)", 1.4), ("$1.get($2)", 1.5), ("$1.get($2, \"\")", 1.8), ("$1.get($2, [])", 1.9)]
    {
        found.extend(spot.replace(r"(\w+)\[([^\[\]]+)\]", call, "missing-key", cost));
    }
    found
}

fn beyond(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for line in (1..=spot.line).rev().take(30) {
        let cost = 1.0 + f64::from(spot.line - line) * 0.05;
        found.extend(spot.replace_on(
            line,
            r"range\(len\((\w+)\) \+ 1\)",
            "range(len($1))",
            "range-end",
            cost,
        ));
        found.extend(spot.replace_on(
            line,
            r"range\(len\((\w+)\)\)",
            "range(len($1) - 1)",
            "range-end",
            cost + 0.4,
        ));
        found.extend(spot.replace_on(
            line,
            r"range\(([^()]+), len\((\w+)\) \+ 1\)",
            "range($1, len($2))",
            "range-end",
            cost,
        ));
        found.extend(spot.replace_on(
            line,
            r"range\(1, len\((\w+)\)\s*\+\s*1\)",
            "range(len($1))",
            "range-end",
            cost,
        ));
        found.extend(spot.replace_on(line, r"<= len\(", "< len(", "range-end", cost));
        found.extend(spot.replace_on(line, r"(while .+) <= ", "$1 < ", "range-end", cost + 0.2));
    }
    found.extend(spot.replace(r"\[len\((\w+)\)\]", "[len($1) - 1]", "range-end", 0.8));
    found.extend(spot.replace(r"\[(\w+) \+ 1\]", "[$1]", "range-end", 1.4));
    found.extend(spot.replace(r"\[(\w+)\]", "[$1 - 1]", "range-end", 1.6));
    let taken = regex(r"(\w+)(?:\[|\.pop\()")
        .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()));
    if let Some(name) = taken {
        let indent = spot.indent(spot.line);
        let guarded = format!("{indent}if {name}:\n{indent}    {}", spot.here().trim());
        found.push(spot.rewrite(
            spot.line,
            &guarded,
            "empty-guard",
            2.4,
            format!("Does it only where {name} is not empty"),
        ));
        if spot.before(r"^\s*def ").is_some() {
            found.push(spot.line_before(
                spot.line,
                &format!("if not {name}:\n{indent}    return None"),
                "empty-guard",
                2.5,
                format!("Returns where {name} is empty"),
            ));
        }
    }
    found
}

fn divisor(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let Some(pattern) = regex(r"(?:/|//|%)\s*(len\(\w+\)|[\w.]+|\([^()]*\))") else { return found };
    let divisors: Vec<String> = pattern.captures_iter(spot.here()).map(|parts| parts[1].to_owned()).collect();
    for divisor in divisors.iter().filter(|name| name.parse::<f64>().is_err()) {
        let inner = divisor.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')'));
        let test = inner.map_or_else(|| format!("{divisor} == 0"), |name| format!("not {name}"));
        let indent = spot.indent(spot.line);
        if spot.before(r"^\s*def ").is_some() && spot.here().contains("return") {
            for (value, cost) in [("0", 1.0), ("0.0", 1.2), ("None", 1.3)] {
                found.push(spot.line_before(
                    spot.line,
                    &format!("if {test}:\n{indent}    return {value}"),
                    "zero-guard",
                    cost,
                    format!("Returns {value} where {divisor} is zero"),
                ));
            }
        }
        found.extend(spot.replace(r"=\s*([^=].*)$", &format!("= $1 if {divisor} else 0"), "zero-guard", 1.5));
    }
    found
}

fn import(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(module) = spot.said(r"No module named '(\w+)") {
        for near in names::near(&module, "", library::PYTHON_MODULES) {
            let mut edits: Vec<TextEdit> = Vec::new();
            for (start, _) in spot.text.match_indices(module.as_str()) {
                edits.push(spot.edit(start, start + module.len(), near.clone()));
            }
            found.push(spot.make(edits, "misspelt-module", 0.8, format!("Imports {near}")));
            found.extend(spot.replace_word(&module, &near, "misspelt-module", 0.9));
        }
        for holder in library::holders(Language::Python, &module) {
            found.push(spot.rewrite(
                spot.line,
                &format!("from {holder} import {module}"),
                "module-of-name",
                1.0,
                format!("Imports {module} from {holder}"),
            ));
        }
    }
    if let Some(name) = spot.said(r"cannot import name '(\w+)'") {
        for holder in library::holders(Language::Python, &name) {
            found.extend(spot.replace(
                r"from [\w.]+ import",
                &format!("from {holder} import"),
                "module-of-name",
                0.8,
            ));
        }
        let held = library::names(Language::Python);
        for near in names::near(&name, spot.text, &held) {
            let pattern = format!(r"\b{}\b", regex::escape(&name));
            let edits = regex(&pattern).map(|pattern| {
                pattern
                    .find_iter(spot.text)
                    .map(|place| spot.edit(place.start(), place.end(), near.clone()))
                    .collect()
            });
            found.push(spot.make(edits.unwrap_or_default(), "misspelt-name", 0.9, format!("Imports {near}")));
            found.extend(spot.replace_word(&name, &near, "misspelt-name", 0.9));
        }
    }
    found
}

fn value(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found =
        spot.replace(r"\bint\(([^()]*(?:\([^()]*\))?)\)", "int(float($1))", "integer-of-text", 1.5);
    found.extend(spot.replace(r"\bint\((\w+)\)", "int($1.strip())", "integer-of-text", 2.0));
    found.extend(spot.replace(r"\.index\(([^()]*)\)", ".find($1)", "index-for-find", 1.5));
    if spot.says("not enough values to unpack") || spot.says("too many values to unpack") {
        found.extend(spot.replace(r"in (\w+):", "in $1.items():", "missing-items", 0.8));
        found.extend(spot.replace(r"in (\w+):", "in enumerate($1):", "missing-enumerate", 0.9));
        found.extend(spot.replace(r"(\w+), (\w+) = ", "$1, *$2 = ", "unpacking", 2.0));
        found.extend(spot.replace(r"(\w+), (\w+) = ", "$1, $2, _ = ", "unpacking", 2.0));
    }
    found
}

fn changed(spot: &Spot<'_>) -> Vec<Candidate> {
    if !spot.says("during iteration") {
        return Vec::new();
    }
    spot.replace(r"in ([\w.]+(?:\(\))?)\s*:", "in list($1):", "changed-while-iterated", 0.7)
}

/// What looks wrong although nothing was raised: defaults that are kept between calls, texts with braces and no `f`.
pub fn suspicions(case: &Case) -> Vec<Candidate> {
    if case.language != Language::Python {
        return Vec::new();
    }
    let mut found = Vec::new();
    let braces =
        regex(r#"(^|[^\w"'])("[^"\n]*\{\w+[^"\n]*\}[^"\n]*"|'[^'\n]*\{\w+[^'\n]*\}[^'\n]*')([^.]|$)"#);
    let default = regex(r"^(\s*)def .*?\b(\w+)\s*=\s*(\[\]|\{\})[^:]*:\s*$");
    for (file, case_file) in case.files.iter().enumerate().filter(|(_, file)| file.editable) {
        let mut start = 0;
        for line in case_file.text.split_inclusive('\n') {
            let candidate = |edits, rule: &str, cost, why: String| Candidate {
                edits,
                origin: format!("rules/{rule}"),
                cost,
                confidence: 0.4,
                explanation: why,
            };
            if let Some(place) =
                braces.as_ref().and_then(|pattern| pattern.captures(line)).and_then(|parts| parts.get(2))
            {
                let at = start + place.start();
                let edit = TextEdit { file, start: at, end: at, replacement: "f".into() };
                found.push(candidate(
                    vec![edit],
                    "missing-f",
                    1.5,
                    "Makes an f-string of a text with braces".into(),
                ));
            }
            if let Some(parts) = default.as_ref().and_then(|pattern| pattern.captures(line.trim_end())) {
                let (indent, name, value) = (&parts[1], &parts[2], &parts[3]);
                if let Some(place) = parts.get(3) {
                    let head = TextEdit {
                        file,
                        start: start + place.start(),
                        end: start + place.end(),
                        replacement: "None".into(),
                    };
                    let body = format!("{indent}    if {name} is None:\n{indent}        {name} = {value}\n");
                    let tail = TextEdit {
                        file,
                        start: start + line.len(),
                        end: start + line.len(),
                        replacement: body,
                    };
                    found.push(candidate(
                        vec![head, tail],
                        "mutable-default",
                        1.2,
                        format!("Makes a new {name} in each call"),
                    ));
                }
            }
            start += line.len();
        }
    }
    found.truncate(20);
    found
}
