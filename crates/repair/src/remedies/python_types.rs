//! Python: values of the wrong type, and calls with the wrong arguments.

use super::python::{guards, in_place_results, missing_returns};
use super::spot::{Spot, regex};
use crate::Candidate;
use formicary_diagnose::names;

pub fn candidates(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let operand = r"([\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?)";
    if spot.says("can only concatenate str")
        || spot.says("must be str, not")
        || spot.says("and 'str'")
        || spot.says("'str' and")
        || spot.says("sequence item")
    {
        for (pattern, new) in
            [(format!(r"\+\s*{operand}"), "+ str($1)"), (format!(r"{operand}\s*\+"), "str($1) +")]
        {
            found.extend(spot.replace(&pattern, new, "text-and-number", 1.0));
        }
        for (pattern, new) in [
            (format!(r"([-+*/<>=]=?\s*){operand}"), "${1}int($2)"),
            (format!(r"{operand}(\s*[-+*/<>])"), "int($1)$2"),
        ] {
            found.extend(spot.replace(&pattern, new, "text-and-number", 1.3));
        }
        found.extend(inputs(spot));
        found.extend(spot.replace(
            r"\.join\(([^()]+)\)",
            ".join(str(item) for item in $1)",
            "text-and-number",
            0.9,
        ));
    }
    if spot.says("positional argument")
        && spot.says("given")
        && let Some(name) = spot.said(r"(?:\w+\.)*(\w+)\(\) takes")
    {
        if let Some(line) = definition(spot, &name) {
            found.extend(spot.replace_on(line, r"\(\s*\)", "(self)", "missing-self", 0.7));
            if !spot.line_at(line).contains("self") {
                found.extend(spot.replace_on(line, r"\((\w)", "(self, $1", "missing-self", 0.8));
            }
        }
        let last = format!(r"(\b{name}\([^()]*?),\s*[^,()]+\)");
        found.extend(spot.replace(&last, "$1)", "argument-dropped", 2.0));
    }
    if spot.says("missing") && spot.says("required") {
        if spot.says("'self'") {
            found.extend(spot.replace(r"\b([A-Z]\w*)\.(\w+)\(", "$1().$2(", "missing-instance", 0.8));
        }
        if let Some(name) = spot.said(r"(?:\w+\.)*(\w+)\(\) missing")
            && let Some(line) = definition(spot, &name)
            && let Some(parameter) = spot.said(r"argument: '(\w+)'|and '(\w+)'$")
        {
            for default in ["None", "0", "1", "\"\"", "[]"] {
                found.extend(spot.replace_on(
                    line,
                    &format!(r"\b{parameter}\b(\s*[,)])"),
                    &format!("{parameter}={default}$1"),
                    "default-argument",
                    2.2,
                ));
            }
            found.extend(spot.replace(
                &format!(r"(\b{name}\([^()]*)\)"),
                &format!("$1, {parameter})"),
                "missing-argument",
                1.8,
            ));
            found.extend(spot.replace(
                &format!(r"\b{name}\(\)"),
                &format!("{name}({parameter})"),
                "missing-argument",
                1.8,
            ));
        }
    }
    if let Some(wrong) = spot.said(r"unexpected keyword argument '(\w+)'") {
        for near in names::near(&wrong, spot.text, &[]) {
            found.extend(spot.replace(
                &format!(r"\b{wrong}="),
                &format!("{near}="),
                "misspelt-argument",
                0.9,
            ));
        }
    }
    if spot.says("is not callable") {
        found.extend(spot.replace(r"(\w+)\(([^()]+)\)", "$1[$2]", "called-for-indexed", 1.2));
        found.extend(spot.replace(r"(\w)\(\)", "$1", "called-value", 1.2));
        found.extend(spot.replace(r"(\d|\))\s*\(", "$1 * (", "missing-operator", 1.5));
    }
    if spot.says("is not subscriptable") {
        found.extend(spot.replace(r"(\w+)\[([^\[\]]+)\]", "$1($2)", "indexed-for-called", 1.2));
        found.extend(spot.replace(r"(\w+)\[", "$1()[", "missing-call", 1.5));
    }
    if spot.says("object is not iterable") || spot.says("cannot unpack non-iterable") {
        found.extend(spot.replace(r"\bin ([^:]+):", "in range($1):", "missing-range", 0.8));
        found.extend(spot.replace(r"\bin ([^:]+):", "in str($1):", "missing-text", 2.0));
    }
    if spot.says("indices must be integers")
        || spot.says("cannot be interpreted as an integer")
        || spot.says("slice indices")
    {
        found.extend(spot.replace(r"([^/])/([^/])", "$1//$2", "integer-division", 0.8));
        found.extend(spot.replace(r"\[([^\[\]:]+)\]", "[int($1)]", "integer-index", 1.4));
        found.extend(spot.replace(
            r"range\(([^()]*(?:\([^()]*\))?[^()]*)\)",
            "range(int($1))",
            "integer-index",
            1.4,
        ));
        for line in 1..spot.line {
            found.extend(spot.replace_on(line, r"([^/])/([^/])", "$1//$2", "integer-division", 1.2));
        }
    }
    if spot.says("unhashable type") {
        found.extend(spot.replace(r"\[(\w+)\](\s*=)", "[tuple($1)]$2", "unhashable-key", 1.0));
        found.extend(spot.replace(r"\.add\(([^()]+)\)", ".add(tuple($1))", "unhashable-key", 1.0));
        found.extend(spot.replace(r"\[\[([^\[\]]*)\]\]", "[($1)]", "unhashable-key", 0.9));
    }
    if spot.says("does not support item assignment")
        && let Some(name) = regex(r"(\w+)\[")
            .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()))
    {
        found.push(spot.line_before(
            spot.line,
            &format!("{name} = list({name})"),
            "immutable-changed",
            1.5,
            format!("Makes {name} a list first"),
        ));
    }
    if spot.says("'coroutine'") || spot.says("coroutine") {
        found.extend(spot.replace(r"(=\s*|return\s+|\()(\w+\()", "${1}await $2", "missing-await", 1.0));
        for line in 1..=spot.line {
            found.extend(spot.replace_on(line, r"(=\s*)(\w+\()", "${1}await $2", "missing-await", 1.3));
        }
    }
    if spot.says("NoneType") {
        found.extend(in_place_results(spot));
        found.extend(missing_returns(spot));
        found.extend(guards(spot, r"(\w+)(?:\[|\s*[-+*/])"));
    }
    if spot.says("'builtin_function_or_method'") || spot.says("'method'") || spot.says("'function'") {
        found.extend(spot.replace(r"(\.\w+)(\s*(?:[-+*/<>=,)\]:]|$))", "$1()$2", "missing-call", 1.0));
        found.extend(spot.replace(r"(\.\w+)\[([^\[\]]*)\]", "$1($2)", "indexed-for-called", 0.9));
    }
    found
}

/// `input()` gives text where a number is wanted.
fn inputs(spot: &Spot<'_>) -> Vec<Candidate> {
    (1..=spot.line)
        .flat_map(|line| spot.replace_on(line, r"=\s*(input\([^()]*\))", "= int($1)", "text-input", 0.9))
        .collect()
}

fn definition(spot: &Spot<'_>, name: &str) -> Option<u32> {
    let start = regex(&format!(r"^\s*(?:async )?def {}\b", regex::escape(name)))?;
    spot.text.lines().position(|line| start.is_match(line)).map(|index| index as u32 + 1)
}
