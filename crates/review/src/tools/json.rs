//! Output in JSON. Pointers (RFC 6901) say where things stand; `*` in a list's pointer goes through all of its entries.

use super::description::Told;
use serde::Deserialize;
use serde_json::Value;

/// Where things stand.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The findings: a pointer to a list, with `*` for lists on the way.
    #[serde(default)]
    pub items: String,
    /// Whether each line is a document of its own.
    #[serde(default)]
    pub by_line: bool,
    /// A pointer that must be there, with what it must hold, for an entry to count.
    pub only: Option<(String, String)>,
    /// The file; `^` begins a pointer from the entry around.
    pub file: String,
    /// The line.
    pub line: String,
    /// The column.
    #[serde(default)]
    pub column: String,
    /// The last line.
    #[serde(default)]
    pub end_line: String,
    /// The column after the last.
    #[serde(default)]
    pub end_column: String,
    /// The rule.
    pub rule: String,
    /// What is wrong.
    pub message: String,
    /// The tool's word for how bad it is.
    #[serde(default)]
    pub severity: String,
    /// The number in the Common Weakness Enumeration, or a text that begins with it.
    #[serde(default)]
    pub cwe: String,
    /// What is added to columns that count from 0.
    #[serde(default)]
    pub column_offset: u32,
}

/// The findings in some output; nothing where it is not JSON.
pub fn read(shape: &Shape, output: &str) -> Vec<Told> {
    let mut found = Vec::new();
    if shape.by_line {
        for document in output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            collect(shape, &document, &document, &shape.items, &mut found);
        }
    } else if let Ok(document) = serde_json::from_str::<Value>(output.trim()) {
        collect(shape, &document, &document, &shape.items, &mut found);
    }
    found
}

fn collect(shape: &Shape, value: &Value, around: &Value, pointer: &str, found: &mut Vec<Told>) {
    match pointer.split_once("/*") {
        Some((before, after)) => {
            let list = value.pointer(before).and_then(Value::as_array);
            for entry in list.into_iter().flatten() {
                // The innermost list holds findings; what surrounds them may hold their file.
                let around = if after.contains("/*") { around } else { value };
                let around = if after.is_empty() { around } else { entry };
                collect(shape, entry, around, after, found);
            }
        }
        None => {
            if let Some(entry) = value.pointer(pointer) {
                found.extend(one(shape, entry, around));
            }
        }
    }
}

fn one(shape: &Shape, entry: &Value, around: &Value) -> Option<Told> {
    let at = |pointer: &str| match pointer.strip_prefix('^') {
        Some(outer) => around.pointer(outer),
        None if pointer.is_empty() => None,
        None => entry.pointer(pointer),
    };
    let text = |pointer: &str| match at(pointer) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let number = |pointer: &str| at(pointer).and_then(Value::as_u64).unwrap_or_default() as u32;
    if let Some((pointer, wanted)) = &shape.only
        && text(pointer) != *wanted
    {
        return None;
    }
    let column =
        |pointer: &str| if at(pointer).is_some() { number(pointer) + shape.column_offset } else { 0 };
    let told = Told {
        file: text(&shape.file),
        line: number(&shape.line),
        column: column(&shape.column),
        end_line: number(&shape.end_line),
        end_column: column(&shape.end_column),
        rule: text(&shape.rule),
        severity: text(&shape.severity),
        message: text(&shape.message).lines().next().unwrap_or_default().to_owned(),
        cwe: first_number(&text(&shape.cwe)),
    };
    (!told.file.is_empty()).then_some(told)
}

fn first_number(text: &str) -> Option<u32> {
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
