//! Answers read patiently. Models name files before a block, in its first line, or in its first comment; they write edits as
//! blocks between marks, diffs with or without fences, or everything as one JSON object.

use super::proposal::{Change, Proposal};
use crate::schema;
use serde_json::{Value, json};

/// The form of an answer that is one JSON object.
pub fn answer_schema() -> Value {
    let text = json!({"type": "string"});
    let list = |properties: Value, required: Value| json!({"type": "array", "items": {"type": "object", "properties": properties, "required": required, "additionalProperties": false}});
    json!({"type": "object", "additionalProperties": false, "properties": {
        "files": list(json!({"path": text, "content": text}), json!(["path", "content"])),
        "edits": list(json!({"path": text, "search": text, "replace": text}), json!(["path", "search", "replace"])),
        "diff": text,
        "delete": {"type": "array", "items": text},
        "command": text,
        "packages": {"type": "array", "items": text},
        "summary": text,
        "plan": {"type": "array", "items": text},
        "step_done": {"type": "boolean"},
    }})
}

/// Reads an answer. `usual` is the file that an unnamed block is, where there is one.
pub fn read(answer: &str, usual: Option<&str>) -> Result<Proposal, String> {
    if let Some(object) = json_object(answer) {
        return from_json(&object);
    }
    let mut proposal = Proposal::default();
    let lines: Vec<&str> = answer.lines().collect();
    let mut said = Vec::new();
    let mut at = 0;
    let mut unnamed = Vec::new();
    while at < lines.len() {
        let line = lines[at];
        if is_search_mark(line) {
            at = edit(&lines, at, named_before(&lines, at), &mut proposal)?;
        } else if let Some(fence) = fence(line) {
            let end = match fence_end(&lines, at, fence) {
                Ok(end) => end,
                // What a program prints is often shown at the end, and cut there.
                Err(_) if is_shown(&lines, at) && !(proposal.changes.is_empty() && unnamed.is_empty()) => {
                    break;
                }
                Err(why) => return Err(why),
            };
            block(&lines, at, end, &mut proposal, &mut unnamed)?;
            at = end + 1;
        } else if line.starts_with("--- ") && lines.get(at + 1).is_some_and(|next| next.starts_with("+++ ")) {
            let end = (at..lines.len()).find(|end| lines[*end].starts_with("```")).unwrap_or(lines.len());
            proposal.changes.push(Change::Diff(format!("{}\n", lines[at..end].join("\n"))));
            at = end;
        } else {
            if let Some(command) = named_command(line) {
                proposal.command = Some(command);
            }
            proposal.step_done |= is_step_done(line);
            if is_plan(line) && proposal.plan.is_empty() {
                proposal.plan = lines[at + 1..].iter().map_while(|line| plan_step(line)).collect();
            }
            said.push(line);
            at += 1;
        }
    }
    // Blocks of a language are meant before blocks of none, which often show what is printed.
    if unnamed.iter().any(|(kind, _)| !kind.is_empty()) {
        unnamed.retain(|(kind, _)| !kind.is_empty());
    }
    if proposal.changes.is_empty() {
        match (unnamed.len(), usual) {
            (1, Some(path)) => {
                let (_, text) = unnamed.remove(0);
                proposal.changes.push(Change::Whole { path: path.to_owned(), text });
            }
            (0, _) => {}
            (count, _) => {
                return Err(format!(
                    "there are {count} code blocks without a file's name; write the path in a line before each block"
                ));
            }
        }
    }
    proposal.summary = said.join("\n").trim().chars().take(2_000).collect();
    Ok(proposal)
}

fn json_object(answer: &str) -> Option<Value> {
    let text = answer.trim();
    let text = text.strip_prefix("```json").and_then(|rest| rest.strip_suffix("```")).unwrap_or(text).trim();
    if !text.starts_with('{') {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let ours =
        ["files", "edits", "diff", "delete", "command", "plan"].iter().any(|key| value.get(key).is_some());
    ours.then_some(value)
}

fn from_json(value: &Value) -> Result<Proposal, String> {
    schema::check(value, &answer_schema())?;
    let word = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let list = |key: &str| value[key].as_array().cloned().unwrap_or_default();
    let mut changes = Vec::new();
    for file in list("files") {
        changes.push(Change::Whole { path: word(&file, "path"), text: word(&file, "content") });
    }
    for edit in list("edits") {
        let (path, search, replace) = (word(&edit, "path"), word(&edit, "search"), word(&edit, "replace"));
        changes.push(Change::Replace { path, search, replace });
    }
    if let Some(diff) = value["diff"].as_str().filter(|diff| !diff.trim().is_empty()) {
        changes.push(Change::Diff(diff.to_owned()));
    }
    for path in list("delete") {
        changes.push(Change::Delete { path: path.as_str().unwrap_or_default().to_owned() });
    }
    let packages = list("packages").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let command = value["command"].as_str().filter(|command| !command.trim().is_empty()).map(str::to_owned);
    let plan = list("plan").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let step_done = value["step_done"] == true;
    Ok(Proposal { changes, command, packages, summary: word(value, "summary"), plan, step_done })
}

/// Whether a block has neither a language nor a file's name.
fn is_shown(lines: &[&str], at: usize) -> bool {
    lines[at].trim().trim_matches('`').is_empty() && named_before(lines, at).is_none()
}

fn bare(line: &str) -> String {
    line.trim().trim_matches(['*', '#', ':', '.', '!', ' ']).to_lowercase()
}

fn is_plan(line: &str) -> bool {
    bare(line) == "plan"
}

fn is_step_done(line: &str) -> bool {
    let line = bare(line);
    line == "step done" || line.starts_with("step done:")
}

/// `1. What is to be done`, or `1) …`.
fn plan_step(line: &str) -> Option<String> {
    let line = line.trim();
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = line[digits..].strip_prefix(['.', ')']).filter(|_| digits > 0)?.trim();
    (!rest.is_empty()).then(|| rest.to_owned())
}

fn is_search_mark(line: &str) -> bool {
    line.trim_end().starts_with("<<<<<<<") && line.contains("SEARCH")
}

fn fence(line: &str) -> Option<&str> {
    let trimmed = line.trim_start();
    let ticks = trimmed.len() - trimmed.trim_start_matches('`').len();
    (ticks >= 3).then(|| &trimmed[..ticks])
}

fn fence_end(lines: &[&str], start: usize, fence: &str) -> Result<usize, String> {
    let closes = |line: &str| line.trim() == fence;
    // A block of edits may hold fences of the code that it changes.
    let mut inside = false;
    for (offset, line) in lines[start + 1..].iter().enumerate() {
        inside = if is_search_mark(line) { true } else { inside && !line.starts_with(">>>>>>>") };
        if !inside && closes(line) {
            return Ok(start + 1 + offset);
        }
    }
    Err(format!("the block that begins in line {} of the answer has no end; was the answer cut?", start + 1))
}

fn block(
    lines: &[&str],
    start: usize,
    end: usize,
    proposal: &mut Proposal,
    unnamed: &mut Vec<(String, String)>,
) -> Result<(), String> {
    let info = lines[start].trim_start().trim_start_matches('`').trim();
    let body = &lines[start + 1..end];
    let kind = info.split([' ', ':']).next().unwrap_or_default().to_ascii_lowercase();
    let text = || if body.is_empty() { String::new() } else { format!("{}\n", body.join("\n")) };
    if body.iter().any(|line| is_search_mark(line)) {
        let mut path = named_in(info).or_else(|| named_before(lines, start));
        let mut at = 0;
        while at < body.len() {
            if is_search_mark(body[at]) {
                at = edit(body, at, named_before(body, at).or(path.clone()), proposal)?;
            } else {
                path = looks_like_path(body[at]).or(path);
                at += 1;
            }
        }
        return Ok(());
    }
    if kind == "diff"
        || kind == "patch"
        || (body.len() > 2 && body[0].starts_with("--- ") && body[1].starts_with("+++ "))
    {
        proposal.changes.push(Change::Diff(text()));
        return Ok(());
    }
    let name =
        named_in(info).or_else(|| named_before(lines, start)).or_else(|| named_by_comment(body.first()?));
    match name {
        Some(path) => proposal.changes.push(Change::Whole { path, text: text() }),
        None if kind == "command" => proposal.command = Some(body.join("\n").trim().to_owned()),
        // Shell, output and JSON are shown, seldom meant as a file.
        None if matches!(
            kind.as_str(),
            "sh" | "bash" | "shell" | "console" | "text" | "txt" | "json" | "output"
        ) =>
        {
            if matches!(kind.as_str(), "sh" | "bash" | "shell" | "console")
                && body.len() == 1
                && proposal.command.is_none()
            {
                proposal.command = Some(body[0].trim().trim_start_matches("$ ").to_owned());
            }
        }
        None => unnamed.push((kind, text())),
    }
    Ok(())
}

fn edit(
    lines: &[&str],
    start: usize,
    path: Option<String>,
    proposal: &mut Proposal,
) -> Result<usize, String> {
    let find = |from: usize, mark: &str| (from..lines.len()).find(|at| lines[*at].starts_with(mark));
    let (Some(middle), Some(end)) = (find(start, "======="), find(start, ">>>>>>>")) else {
        return Err("a SEARCH block is not complete: it needs =======, then >>>>>>> REPLACE".into());
    };
    if middle > end {
        return Err("a SEARCH block is not complete: ======= stands after >>>>>>> REPLACE".into());
    }
    let same = || match proposal.changes.last() {
        Some(Change::Replace { path, .. }) => Some(path.clone()),
        _ => None,
    };
    let path = path.or_else(same).ok_or("a SEARCH block names no file; write its path in the line before")?;
    let text = |from: usize, to: usize| match from < to {
        true => format!("{}\n", lines[from..to].join("\n")),
        false => String::new(),
    };
    let change = Change::Replace { path, search: text(start + 1, middle), replace: text(middle + 1, end) };
    proposal.changes.push(change);
    Ok(end + 1)
}

/// A path in the line before, empty lines between left out.
fn named_before(lines: &[&str], at: usize) -> Option<String> {
    let before = lines[..at]
        .iter()
        .rev()
        .map(|line| line.trim())
        .find(|line| !line.is_empty() && fence(line).is_none())?;
    looks_like_path(before)
}

fn named_in(info: &str) -> Option<String> {
    let rest = info.split_once([' ', ':']).map_or("", |(_, rest)| rest);
    let word = rest.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches("path=").trim_start_matches("file=").trim_start_matches("title=");
        looks_like_path(word.trim_matches('"'))
    });
    word.or_else(|| looks_like_path(info).filter(|path| path.contains('.')))
}

fn named_by_comment(line: &str) -> Option<String> {
    let line = line.trim();
    let body = ["#", "//", "--", "/*", "<!--"].iter().find_map(|mark| line.strip_prefix(mark))?.trim();
    let body = body.trim_end_matches("*/").trim_end_matches("-->").trim();
    let named =
        ["file:", "File:", "path:", "filename:", "Filename:"].iter().find_map(|word| body.strip_prefix(word));
    looks_like_path(named.unwrap_or(body).trim())
}

/// A path, with the ornaments that models put around it; prose is none.
fn looks_like_path(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches('#').trim();
    let text = text.strip_prefix("File:").or_else(|| text.strip_prefix("file:")).unwrap_or(text).trim();
    let text = text
        .trim_end_matches(':')
        .trim_matches(['*', '`', '"', '\''])
        .trim_end_matches(':')
        .trim_matches('`');
    let plain = !text.is_empty() && text.len() < 200 && !text.contains(char::is_whitespace);
    let name = text.rsplit('/').next().unwrap_or(text);
    let ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        (!stem.is_empty() || name.starts_with('.'))
            && (1..=10).contains(&ending.len())
            && ending.chars().all(char::is_alphanumeric)
    });
    let known = matches!(name, "Makefile" | "Dockerfile" | "LICENSE" | "README");
    (plain && (ending || known)).then(|| text.to_owned())
}

fn named_command(line: &str) -> Option<String> {
    let line = line.trim();
    let rest =
        ["Command:", "COMMAND:", "Run:", "**Command:**"].iter().find_map(|word| line.strip_prefix(word))?;
    let command = rest.trim().trim_matches('`').trim();
    (!command.is_empty()).then(|| command.to_owned())
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
