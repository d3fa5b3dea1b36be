//! Text with metavariables, filled from a match.

use super::transform::Transform;
use crate::matching::{Capture, Captures, Subject};
use crate::placeholders::variables;
use std::collections::BTreeMap;
use std::ops::Range;
use tree_sitter::Node;

/// A replacement text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Variable { name: Option<String>, written: String },
}

impl Template {
    /// Reads a template; every text is one.
    pub fn new(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut at = 0;
        for (start, end, variable) in variables(text) {
            parts.push(Part::Text(text[at..start].to_owned()));
            parts.push(Part::Variable { name: variable.name, written: variable.written });
            at = end;
        }
        parts.push(Part::Text(text[at..].to_owned()));
        Self { parts }
    }

    /// The metavariables that it uses.
    pub fn variables(&self) -> Vec<&str> {
        self.parts
            .iter()
            .filter_map(|part| match part {
                Part::Variable { name, .. } => name.as_deref(),
                Part::Text(_) => None,
            })
            .collect()
    }

    /// The template with its metavariables filled; lines after the first are indented as the line at `place` is.
    pub(crate) fn fill(&self, filling: &Filling<'_, '_, '_>, place: usize) -> String {
        let source = filling.subject.source;
        let indent = indent_at(source, place);
        let line_end = if source.contains("\r\n") { "\r\n" } else { "\n" };
        let mut out = String::new();
        let mut swallow_comma = false;
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    let text = if swallow_comma { without_leading_comma(text) } else { text.as_str() };
                    swallow_comma = false;
                    for (number, line) in text.split('\n').enumerate() {
                        if number > 0 {
                            out.push_str(line_end);
                            if !line.is_empty() || text.ends_with('\n') {
                                out.push_str(indent);
                            }
                        }
                        out.push_str(line);
                    }
                }
                Part::Variable { name: None, written } => out.push_str(written),
                Part::Variable { name: Some(name), written } => {
                    match filling.text(name, current_indent(&out, indent)) {
                        Some(text) if text.is_empty() => {
                            let before = out.trim_end().len();
                            if out[..before].ends_with(',') {
                                out.truncate(before - 1);
                            } else {
                                swallow_comma = true;
                            }
                        }
                        Some(text) => out.push_str(&text),
                        None => out.push_str(written),
                    }
                }
            }
        }
        out
    }
}

fn without_leading_comma(text: &str) -> &str {
    match text.trim_start().strip_prefix(',') {
        Some(rest) => rest.trim_start_matches([' ', '\t']),
        None => text,
    }
}

/// What a template is filled from.
pub(crate) struct Filling<'p, 't, 's> {
    pub subject: &'s Subject<'t>,
    pub captures: &'s Captures<'p, 't>,
    /// What transforms made of captures.
    pub made: BTreeMap<String, String>,
}

impl<'p, 't, 's> Filling<'p, 't, 's> {
    pub fn new(
        subject: &'s Subject<'t>,
        captures: &'s Captures<'p, 't>,
        transforms: &[(String, Transform)],
    ) -> Self {
        let mut filling = Self { subject, captures, made: BTreeMap::new() };
        for (name, transform) in transforms {
            if let Some(text) = filling.text(transform.source(), None) {
                let made = transform.apply(&text);
                filling.made.insert(name.clone(), made);
            }
        }
        filling
    }

    /// What a metavariable stands for, its further lines moved to this indentation.
    fn text(&self, name: &str, indent: Option<&str>) -> Option<String> {
        if let Some(made) = self.made.get(name) {
            return Some(made.clone());
        }
        let capture = self.captures.get(name)?;
        let text = capture_text(self.subject, capture);
        match (indent, capture.range()) {
            (Some(indent), Some(range)) if text.contains('\n') => {
                Some(moved(self.subject, capture, &text, range, indent))
            }
            _ => Some(text),
        }
    }
}

/// The indentation of the line that is being written.
fn current_indent<'o>(out: &'o str, first: &'o str) -> Option<&'o str> {
    match out.rsplit_once('\n') {
        Some((_, line)) => Some(&line[..line.len() - line.trim_start().len()]),
        None => Some(first),
    }
}

fn indent_at(source: &str, offset: usize) -> &str {
    let start = source.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
    let line = source.get(start..).unwrap_or("");
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The text of a capture; what stands apart in the file is joined by commas.
pub(crate) fn capture_text<'t>(subject: &Subject<'t>, capture: &Capture<'t>) -> String {
    match capture {
        Capture::One(node) => subject.text(*node).to_owned(),
        Capture::Many(nodes) => {
            if nodes.windows(2).all(|pair| beside(subject, pair[0], pair[1])) {
                return capture.range().and_then(|range| subject.source.get(range)).unwrap_or("").to_owned();
            }
            nodes.iter().map(|node| subject.text(*node)).collect::<Vec<_>>().join(", ")
        }
    }
}

fn beside<'t>(subject: &Subject<'t>, first: Node<'t>, second: Node<'t>) -> bool {
    let mut next = first.next_sibling();
    while let Some(node) = next {
        if node == second {
            return true;
        }
        if !subject.kinds.is_skipped(node.kind_id()) {
            return false;
        }
        next = node.next_sibling();
    }
    false
}

/// Moves the lines after the first from the indentation that they have to another; the inside of strings stays.
fn moved(
    subject: &Subject<'_>,
    capture: &Capture<'_>,
    text: &str,
    range: Range<usize>,
    indent: &str,
) -> String {
    let from = indent_at(subject.source, range.start);
    if from == indent {
        return text.to_owned();
    }
    let strings = multi_line_strings(capture);
    let mut offset = range.start;
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
            let literal = strings.iter().any(|string| string.start < offset && offset < string.end);
            match line.strip_prefix(from) {
                Some(rest) if !literal && !rest.trim().is_empty() => {
                    out.push_str(indent);
                    out.push_str(rest);
                }
                _ => out.push_str(line),
            }
        } else {
            out.push_str(line);
        }
        offset += line.len() + 1;
    }
    out
}

fn multi_line_strings(capture: &Capture<'_>) -> Vec<Range<usize>> {
    let mut pending: Vec<Node<'_>> = match capture {
        Capture::One(node) => vec![*node],
        Capture::Many(nodes) => nodes.clone(),
    };
    let mut found = Vec::new();
    while let Some(node) = pending.pop() {
        if node.start_position().row == node.end_position().row {
            continue;
        }
        if node.kind().contains("string") {
            found.push(node.byte_range());
            continue;
        }
        let mut cursor = node.walk();
        pending.extend(node.children(&mut cursor));
    }
    found
}

/// A message with its metavariables filled.
pub(crate) fn fill<'t>(message: &str, subject: &Subject<'t>, captures: &Captures<'_, 't>) -> String {
    if !message.contains('$') {
        return message.to_owned();
    }
    let filling = Filling::new(subject, captures, &[]);
    let short = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts = Template::new(message).parts;
    let filled = parts.into_iter().map(|part| match part {
        Part::Text(text) => text,
        Part::Variable { name, written } => {
            name.and_then(|name| filling.text(&name, None)).map_or(written, short)
        }
    });
    filled.collect()
}
