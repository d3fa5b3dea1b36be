//! Frames and variables as text. What is in a value is asked for within bounds: of depth, of number, and of questions a stop.

use super::client::Client;
use super::protocol::{Frame, Given, OfFrame, Scope, Scopes, Variable, Variables, WantVariables};
use crate::inspect::adapters::Adapter;
use formicary_model::{StackFrame, Variable as Shown};
use std::time::{Duration, Instant};

/// Values of one frame, things in one value, how deep, and how long a text.
const VARIABLES: usize = 40;
const ITEMS: usize = 20;
const DEPTH: u32 = 3;
const TEXT: usize = 600;
/// Questions and time that one stop may cost.
const QUESTIONS: u32 = 400;
const TIME: Duration = Duration::from_secs(10);

/// What may still be asked at a stop.
#[derive(Debug)]
pub struct Budget {
    questions: u32,
    until: Instant,
}

impl Budget {
    /// For a stop, or for one expression.
    pub fn of_a_stop() -> Self {
        Self { questions: QUESTIONS, until: Instant::now() + TIME }
    }

    /// One more question, and how long its answer may take; none where it was enough.
    pub fn take(&mut self) -> Option<Duration> {
        self.questions = self.questions.checked_sub(1)?;
        let left = self.until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }
}

/// A frame as others see it; whether it is the program's own is told by where its file is.
pub fn shown(frame: &Frame, home: &str) -> StackFrame {
    let path = frame.source.as_ref().and_then(|source| source.path.clone());
    let inside = path.as_deref().and_then(|path| path.strip_prefix(home)?.strip_prefix('/'));
    let own = inside.is_some();
    StackFrame {
        function: Some(function_name(&frame.name)).filter(|name| !name.is_empty()),
        file: inside.map(str::to_owned).or(path),
        line: u32::try_from(frame.line).ok().filter(|line| *line > 0),
        own,
        ..StackFrame::default()
    }
}

/// The function without its arguments and without the compiler's own marks.
fn function_name(name: &str) -> String {
    let mut name = name.trim();
    for mark in [" [artificial]", " [opt]", " [inlined]", " const"] {
        name = name.strip_suffix(mark).unwrap_or(name);
    }
    if let Some((before, hash)) = name.rsplit_once("::h")
        && hash.len() == 16
        && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        name = before;
    }
    // The parenthesis that the last one closes.
    if name.ends_with(')') {
        let mut depth = 0;
        for (at, byte) in name.bytes().enumerate().rev() {
            depth += i32::from(byte == b')') - i32::from(byte == b'(');
            if depth == 0 {
                let before = &name[..at];
                if !before.is_empty() && !before.ends_with('.') && !before.ends_with("operator") {
                    name = before;
                }
                break;
            }
        }
    }
    name.to_owned()
}

/// The local variables of a frame.
pub fn locals(client: &mut Client, adapter: &Adapter, frame: &Frame, budget: &mut Budget) -> Vec<Shown> {
    let Some(patience) = budget.take() else { return Vec::new() };
    let scopes: Scopes = client.ask("scopes", OfFrame { frame_id: frame.id }, patience).unwrap_or_default();
    let mut found = Vec::new();
    for scope in scopes.scopes.iter().filter(|scope| is_local(scope)) {
        for variable in children(client, scope.variables_reference, None, budget) {
            let declared =
                variable.extensions.as_ref().and_then(|extensions| extensions.declaration.as_ref());
            // What is declared further down has no value yet.
            let early = declared.and_then(|place| place.line).is_some_and(|line| line > frame.line);
            let hidden = adapter.hidden.iter().any(|start| variable.name.starts_with(start.as_str()));
            let group = variable.value.is_empty() && variable.kind.as_deref().unwrap_or_default().is_empty();
            if early || hidden || group {
                continue;
            }
            if found.len() == VARIABLES {
                return found;
            }
            let value = text(client, adapter, &variable, budget, 0);
            let kind = variable.kind.unwrap_or_default();
            found.push(Shown { name: variable.name, kind, value: cut(value) });
        }
    }
    found
}

fn is_local(scope: &Scope) -> bool {
    let hint = scope.presentation_hint.as_deref();
    !scope.expensive
        && (matches!(hint, Some("locals" | "arguments"))
            || scope.name.starts_with("Local")
            || scope.name.starts_with("Arguments"))
}

fn children(client: &mut Client, reference: i64, indexed: Option<u64>, budget: &mut Budget) -> Vec<Variable> {
    let Some(patience) = budget.take().filter(|_| reference > 0) else { return Vec::new() };
    // A number is asked for only where there are that many: not all adapters know of counts.
    let count = indexed.filter(|count| *count > ITEMS as u64).map(|_| ITEMS as u32);
    let wanted = WantVariables { variables_reference: reference, count };
    let found: Variables = client.ask("variables", wanted, patience).unwrap_or_default();
    found.variables
}

/// What an expression gave, with what is in it.
pub fn of_given(client: &mut Client, adapter: &Adapter, given: Given) -> (String, String) {
    let variable = Variable {
        value: given.result,
        kind: given.kind,
        variables_reference: given.variables_reference,
        indexed_variables: given.indexed_variables,
        ..Variable::default()
    };
    let value = text(client, adapter, &variable, &mut Budget::of_a_stop(), 0);
    (cut(value), variable.kind.unwrap_or_default())
}

fn text(
    client: &mut Client,
    adapter: &Adapter,
    variable: &Variable,
    budget: &mut Budget,
    depth: u32,
) -> String {
    let value = variable.value.trim();
    if !adapter.expands {
        return value.to_owned();
    }
    // `0x00007ffe "text"`: the summary says it all.
    let (address, summary) = match value.split_once(' ') {
        Some((address, summary)) if address.starts_with("0x") => (address, summary),
        _ if value.starts_with("0x") => (value, ""),
        _ => ("", value),
    };
    if summary.starts_with(['"', '\'']) || variable.variables_reference == 0 {
        return if summary.is_empty() { value.to_owned() } else { summary.to_owned() };
    }
    // A pointer to nothing has nothing in it.
    if !address.is_empty() && address[2..].bytes().all(|digit| digit == b'0') {
        return "NULL".to_owned();
    }
    if depth >= DEPTH {
        return if address.is_empty() { "{...}".to_owned() } else { address.to_owned() };
    }
    let inside = children(client, variable.variables_reference, variable.indexed_variables, budget);
    let is_reference = variable.kind.as_deref().is_some_and(|kind| kind.trim_end().ends_with('&'));
    let arrow = if address.is_empty() || is_reference || summary.starts_with("size=") {
        String::new()
    } else {
        format!("{address} -> ")
    };
    if inside.is_empty() {
        return if summary.is_empty() { value.to_owned() } else { described(summary) };
    }
    let listed = inside.iter().all(|child| child.name.starts_with('['));
    let mut parts = Vec::new();
    for child in inside.iter().take(ITEMS) {
        let shown = text(client, adapter, child, budget, depth + 1);
        parts.push(match listed || child.name.starts_with('*') {
            true => shown,
            false => format!("{}: {shown}", child.name),
        });
    }
    let all = variable.indexed_variables.unwrap_or(0).max(inside.len() as u64);
    if all > parts.len() as u64 {
        parts.push(format!("... {all} items"));
    }
    let (open, close) = if listed { ("[", "]") } else { ("{", "}") };
    // A pointer to one plain thing holds that.
    if parts.len() == 1 && inside.first().is_some_and(|child| child.name.starts_with('*')) {
        return format!("{arrow}{}", parts.concat());
    }
    format!("{arrow}{open}{}{close}", parts.join(", "))
}

/// `prices @ 0x7ffe…`, `size=0`: what is left where nothing is in it.
fn described(summary: &str) -> String {
    match summary {
        "size=0" => "[]".to_owned(),
        _ => summary.split(" @ 0x").next().unwrap_or(summary).to_owned(),
    }
}

fn cut(text: String) -> String {
    if text.chars().count() <= TEXT {
        return text;
    }
    text.chars().take(TEXT).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_lose_what_nobody_wrote() {
        for (said, expected) in [
            ("total(int, std::vector<int, std::allocator<int>> const&)", "total"),
            ("main::total::he97d005c5c52e166", "main::total"),
            ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
            ("Shop::operator()(int) const", "Shop::operator()"),
            ("main.(*Shop).Total", "main.(*Shop).Total"),
            ("total [artificial]", "total"),
            ("<module>", "<module>"),
            ("()", "()"),
        ] {
            assert_eq!(function_name(said), expected);
        }
    }
}
