//! Bash: quoting, spaces in tests, assignments, block ends, misspelt commands.

use super::spot::{Spot, regex};
use crate::Candidate;
use formicary_diagnose::names;

const COMMON: &[&str] = &[
    "echo", "printf", "cat", "grep", "sed", "awk", "cut", "sort", "uniq", "head", "tail", "wc", "tr", "seq",
    "mkdir", "rm", "cp", "mv", "ls", "touch", "find", "xargs", "test", "read", "local", "export", "return",
    "exit", "shift", "function", "then", "else", "elif", "done", "while", "until", "case", "esac", "declare",
    "readonly", "source", "sleep", "date", "basename", "dirname", "tee", "expr", "rev", "paste", "true",
    "false", "set", "unset", "let", "eval", "mapfile", "tac", "nl", "fold",
];

pub fn candidates(spot: &Spot<'_>) -> Vec<Candidate> {
    match spot.error.error_type.as_str() {
        "command-not-found" => command(spot),
        "unbound-variable" | "parameter-not-set" => unbound(spot),
        "too-many-arguments" | "operator-expected" | "ambiguous-redirect" | "missing-operand" => quoted(spot),
        "missing-bracket" => {
            let mut found = spot.replace(r"(\[ [^\]]*[^\s\]])\]", "$1 ]", "test-spacing", 0.5);
            found.extend(spot.replace(r"(\[ [^\];]*[^\s\];])(\s*;|\s*$)", "$1 ]$2", "test-end", 0.6));
            found
        }
        "integer-expected" => spot
            .replace(r"-(?:eq)\b", "=", "text-compare", 0.8)
            .into_iter()
            .chain(spot.replace(r"-ne\b", "!=", "text-compare", 0.8))
            .collect(),
        "syntax-error" | "unclosed-quote" | "conditional-error" | "arithmetic-syntax"
        | "bad-substitution" => syntax(spot),
        "division-by-zero" => guard(spot),
        "bad-number" => spot.replace(r"\b(\w+)\b(\s*[-+*/)])", "10#$$$1$2", "octal", 0.9),
        "readonly-variable" => (1..=spot.line)
            .flat_map(|line| {
                spot.replace_on(line, r"\b(?:readonly|declare -r) ", "", "readonly-changed", 0.8)
            })
            .collect(),
        "misplaced" => spot.replace(r"\blocal ", "", "local-outside", 0.6),
        "invalid-identifier" => spot
            .replace(r"(\w)-(\w)", "${1}_$2", "dash-in-name", 0.7)
            .into_iter()
            .chain(spot.replace(r"(for|read|export|local|unset) \$", "$1 ", "dollar-in-name", 0.6))
            .collect(),
        "no-such-file" => missing(spot),
        "numeric-argument" => spot.replace(r"(exit|return) \w+", "$1 1", "numeric-argument", 1.5),
        "permission-denied" => spot.replace(r"^(\s*)(\./\S+)", "${1}bash $2", "not-executable", 0.9),
        _ => Vec::new(),
    }
}

fn command(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let here = spot.here();
    if regex(r"^\s*\$?\w+\s+=|^\s*\$?\w+=\s+|^\s*\$\w+=").is_some_and(|spaced| spaced.is_match(here)) {
        found.extend(spot.replace(r"^(\s*)\$?(\w+)\s*=\s*(\S)", "$1$2=$3", "assignment-spacing", 0.4));
    }
    if here.contains('[') {
        let mut fixed = here.to_owned();
        for (pattern, new) in [(r"(\[{1,2})([^\s\[])", "$1 $2"), (r"([^\s\]])(\]{1,2})", "$1 $2")] {
            if let Some(pattern) = regex(pattern) {
                fixed = pattern.replace_all(&fixed, new).into_owned();
            }
        }
        found.push(spot.rewrite(
            spot.line,
            &fixed,
            "test-spacing",
            0.4,
            "Puts spaces inside the brackets of the test",
        ));
        found.extend(spot.replace(r"\bif\[", "if [", "test-spacing", 0.5));
    }
    if let Some(name) = spot.said(r"^(\S+): command not found") {
        let functions: String = spot
            .text
            .lines()
            .filter(|line| line.contains("()") || line.trim_start().starts_with("function "))
            .collect::<Vec<_>>()
            .join(" ");
        for (rank, near) in names::near(&name, &functions, COMMON).iter().enumerate() {
            found.extend(spot.replace(
                &format!(r"(^|[\s;|&(]){}(\s|$|;|\))", regex::escape(&name)),
                &format!("${{1}}{near}$2"),
                "misspelt-command",
                0.7 + rank as f64 * 0.2,
            ));
        }
        for (wrong, right) in [
            ("print", "echo"),
            ("println", "echo"),
            ("elseif", "elif"),
            ("var", ""),
            ("let", ""),
            ("console.log", "echo"),
        ] {
            if wrong == name {
                found.extend(spot.replace(
                    &format!(r"\b{}\s+", regex::escape(wrong)),
                    &format!("{right} "),
                    "foreign-command",
                    0.8,
                ));
            }
        }
        // A function that is defined below its call.
        let defined = regex(&format!(r"^(?:function\s+)?{}\s*\(\)", regex::escape(&name)));
        let line = (spot.line + 1..=spot.text.lines().count() as u32)
            .find(|line| defined.as_ref().is_some_and(|pattern| pattern.is_match(spot.line_at(*line))));
        if let Some(first) = line {
            let last = (first..=spot.text.lines().count() as u32)
                .find(|line| {
                    spot.line_at(*line).trim_end() == "}" || spot.line_at(*line).trim_end().ends_with("; }")
                })
                .unwrap_or(first);
            let (start, end) = (spot.start_of(first), spot.start_of(last + 1));
            let body = spot.text[start..end].to_owned();
            let at = spot.start_of(spot.line);
            found.push(spot.make(
                vec![spot.edit(at, at, body), spot.edit(start, end, "")],
                "defined-too-late",
                0.8,
                "Moves the function above its call",
            ));
        }
        // An assignment's value that runs by mistake.
        found.extend(spot.replace(
            &format!(r"\$\({}\)", regex::escape(&name)),
            &format!("${name}"),
            "variable-as-command",
            0.9,
        ));
        found.extend(spot.replace(
            &format!(r"=(\w+) {}\b", regex::escape(&name)),
            &format!("=\"$1 {name}\""),
            "missing-quotes",
            0.9,
        ));
    }
    found
}

fn unbound(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"^(\w+): ") else { return Vec::new() };
    let assigned: String = spot
        .text
        .lines()
        .filter_map(|line| {
            line.split_once('=').map(|(left, _)| left.rsplit([' ', '\t']).next().unwrap_or_default())
        })
        .chain(spot.text.lines().filter_map(|line| line.trim_start().strip_prefix("for ")?.split(' ').next()))
        .collect::<Vec<_>>()
        .join(" ");
    let mut found = Vec::new();
    for (rank, near) in names::near(&name, &assigned, &[]).iter().enumerate() {
        found.extend(spot.replace(
            &format!(r"(\$\{{?){name}\b"),
            &format!("${{1}}{near}"),
            "misspelt-variable",
            0.6 + rank as f64 * 0.2,
        ));
        found.extend(spot.replace_word(&name, near, "misspelt-variable", 0.9));
    }
    for default in ["", "0", "1"] {
        found.extend(spot.replace(
            &format!(r"\$\{{?{name}\b\}}?"),
            &format!("$${{{name}:-{default}}}"),
            "unset-default",
            1.4,
        ));
        found.push(spot.line_before(
            1,
            &format!("{name}={default}"),
            "unset-default",
            2.0,
            format!("Gives {name} a first value"),
        ));
    }
    found
}

/// Every variable of the line between quotes.
fn quoted(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let here = spot.here();
    if let Some(pattern) = regex(r#"(^|[^"\w{$\\])(\$\{?\w+\}?)([^"\w]|$)"#) {
        let mut all = here.to_owned();
        for _ in 0..8 {
            let next = pattern.replace(&all, "${1}\"$2\"$3").into_owned();
            if next == all {
                break;
            }
            all = next;
        }
        found.push(spot.rewrite(spot.line, &all, "missing-quotes", 0.4, "Puts quotes around the variables"));
    }
    found.extend(spot.replace(r"\[ (.*) \]", "[[ $1 ]]", "double-brackets", 0.7));
    found
}

fn syntax(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let count = spot.text.lines().count() as u32;
    let end = spot.text.len();
    let newline = if spot.text.ends_with('\n') { "" } else { "\n" };
    for word in ["fi", "done", "esac", "}"] {
        found.push(spot.insert(
            end,
            &format!("{newline}{word}\n"),
            "missing-end",
            0.7,
            format!("Closes the block by {word}"),
        ));
    }
    // Heads without their words.
    for line in 1..=count {
        let text = spot.line_at(line).trim_end();
        let away = f64::from(spot.line.abs_diff(line)) * 0.05;
        let at = spot.start_of(line) + text.len();
        if regex(r"^\s*(?:if|elif)\b").is_some_and(|head| head.is_match(text))
            && !text.contains("then")
            && !spot.line_at(line + 1).trim_start().starts_with("then")
        {
            found.push(spot.insert(at, "; then", "missing-then", 0.4 + away, "Adds then"));
        }
        if regex(r"^\s*(?:for|while|until)\b").is_some_and(|head| head.is_match(text))
            && !regex(r"\bdo\b").is_some_and(|word| word.is_match(text))
            && !spot.line_at(line + 1).trim_start().starts_with("do")
        {
            found.push(spot.insert(at, "; do", "missing-do", 0.4 + away, "Adds do"));
        }
        for quote in ['"', '\''] {
            let other = if quote == '"' { '\'' } else { '"' };
            if !text.matches(quote).count().is_multiple_of(2) && !text.contains(other) {
                found.push(spot.insert(
                    at,
                    &quote.to_string(),
                    "missing-quote",
                    0.5 + away,
                    "Closes the quote",
                ));
                let inner = text.trim_end_matches([')', ']', ';', ' ', '}']);
                found.push(spot.insert(
                    spot.start_of(line) + inner.len(),
                    &quote.to_string(),
                    "missing-quote",
                    0.6 + away,
                    "Closes the quote",
                ));
            }
        }
        if text.matches("$(").count() > text.matches(')').count() {
            found.push(spot.insert(at, ")", "missing-bracket", 0.5 + away, "Closes the bracket"));
        }
        if text.contains("$((") && !text.contains("))") {
            found.extend(spot.replace_on(line, r"\)?\s*$", "))", "missing-bracket", 0.5 + away));
        }
        if text.matches("${").count() > text.matches('}').count() {
            found.extend(spot.replace_on(line, r"\$\{(\w+)", "$${$1}", "missing-bracket", 0.5 + away));
        }
        found.extend(spot.replace_on(line, r"\belse if\b", "elif", "foreign-syntax", 0.6 + away));
        found.extend(spot.replace_on(line, r"\bif\[", "if [", "test-spacing", 0.6 + away));
        found.extend(spot.replace_on(line, r";;\s*(then|do)\b", "; $1", "double-semicolon", 0.6 + away));
        found.extend(spot.replace_on(line, r"\bthen\s+if\b", "then", "foreign-syntax", 1.2 + away));
        if matches!(text.trim(), "end" | "endif" | "}" | "done" | "fi" | "esac" | "od") {
            for word in ["fi", "done", "esac"].iter().filter(|word| **word != text.trim()) {
                let indent = spot.indent(line);
                found.push(spot.rewrite(
                    line,
                    &format!("{indent}{word}"),
                    "wrong-end",
                    0.8 + away,
                    format!("Closes the block by {word}"),
                ));
            }
        }
    }
    found.extend(spot.replace(r"\(([^()]*)\)", "\\($1\\)", "unquoted-parenthesis", 1.2));
    found.extend(spot.replace(r"^(\s*echo )(.*)$", "${1}\"$2\"", "missing-quotes", 0.9));
    found.extend(spot.replace(r"\s*([-+*/])\s*\)\)", "))", "arithmetic-end", 1.0));
    found.extend(spot.replace(r"\$\{([^}:\w#!]|\w+\s)", "$${", "bad-substitution", 1.5));
    found
}

fn guard(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(divisor) = regex(r"[/%]\s*\$?(\w+)")
        .and_then(|pattern| Some(pattern.captures(spot.here())?.get(1)?.as_str().to_owned()))
    else {
        return Vec::new();
    };
    vec![spot.line_before(
        spot.line,
        &format!("[ \"${divisor}\" -eq 0 ] && {divisor}=1"),
        "zero-guard",
        2.0,
        format!("Keeps {divisor} from being zero"),
    )]
}

fn missing(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = spot.replace(r"\bmkdir ([^-])", "mkdir -p $1", "missing-parents", 0.5);
    found.extend(spot.replace(r"\brm ([^-])", "rm -f $1", "missing-file", 0.8));
    found.extend(quoted(spot));
    let Some(path) = spot.said(r"([\w./\-]+)'?: No such file") else { return found };
    for file in &spot.case.files {
        if names::distance(&path, &file.path) <= 2 {
            found.extend(spot.replace(&regex::escape(&path), &file.path, "misspelt-path", 0.6));
        }
    }
    found
}
