//! SARIF 2.1.0, for code-scanning services: fingerprints, the state against a baseline, suppressions, fixes, code flows.

use super::Display;
use formicary_model::review::{
    Confidence, Finding, Fix, Note, ReviewReport, RuleInfo, Severity, Span, Standing, Step, SuppressionKind,
};
use formicary_model::visible;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const FINGERPRINT: &str = "formicary/v1";
const ROOT: &str = "PROJECTROOT";

/// The log.
pub fn write(report: &ReviewReport, display: &Display, rules: &[RuleInfo]) -> String {
    let shown: Vec<&Finding> = report.findings.iter().filter(|finding| display.shows(finding)).collect();
    let (descriptors, places) = descriptors(&shown, rules);
    let results: Vec<Value> = shown.iter().map(|finding| result(finding, &places)).collect();
    let notes: Vec<Value> = report.notes.iter().map(notification).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "formicary",
                "version": report.version,
                "semanticVersion": report.version,
                "informationUri": "https://github.com/formicary/formicary",
                "rules": descriptors,
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {ROOT: {"description": {"text": "The folder of the project"}}},
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notes}],
            "results": results,
            "properties": {"score": report.score.total, "grade": report.score.grade.to_string()},
        }],
    });
    let mut text = visible::json(serde_json::to_string_pretty(&log).unwrap_or_default());
    text.push('\n');
    text
}

type Places = BTreeMap<String, usize>;

fn descriptors(findings: &[&Finding], rules: &[RuleInfo]) -> (Vec<Value>, Places) {
    let mut used: BTreeMap<&str, &Finding> = BTreeMap::new();
    for finding in findings {
        used.entry(&finding.rule).or_insert(finding);
    }
    let mut places = Places::new();
    let mut found = Vec::new();
    for (index, (name, finding)) in used.into_iter().enumerate() {
        places.insert(name.to_owned(), index);
        let info = rules.iter().find(|rule| rule.name == name);
        let title = info.map_or(name, |rule| rule.title.as_ref());
        let why = info.map_or(finding.why.as_ref(), |rule| rule.why.as_ref());
        let help = info.map_or(finding.suggestion.as_ref(), |rule| rule.suggestion.as_ref());
        let severity = info.map_or(finding.severity, |rule| rule.severity);
        let mut tags = vec![finding.category.word().to_owned()];
        tags.extend(finding.cwe.map(|number| format!("external/cwe/cwe-{number:03}")));
        let mut properties = json!({"tags": tags, "precision": precision(finding.confidence)});
        if tags.iter().any(|tag| tag == "security" || tag == "malicious") {
            properties["security-severity"] = json!(security_severity(severity));
        }
        found.push(json!({
            "id": name,
            "shortDescription": {"text": or(title, name)},
            "fullDescription": {"text": or(why, or(title, name))},
            "help": {"text": or(help, or(why, name))},
            "defaultConfiguration": {"level": level(severity)},
            "properties": properties,
        }));
    }
    (found, places)
}

fn or<'a>(text: &'a str, other: &'a str) -> &'a str {
    if text.is_empty() { other } else { text }
}

fn result(finding: &Finding, places: &Places) -> Value {
    let mut result = Map::new();
    result.insert("ruleId".into(), json!(finding.rule));
    result.insert("ruleIndex".into(), json!(places.get(finding.rule.as_ref())));
    result.insert("level".into(), json!(level(finding.severity)));
    result.insert("message".into(), json!({"text": or(&finding.message, &finding.rule)}));
    result.insert("locations".into(), json!([location(&finding.file, &finding.span, None)]));
    if !finding.fingerprint.is_empty() {
        result.insert("partialFingerprints".into(), json!({FINGERPRINT: finding.fingerprint}));
    }
    let state = match finding.standing {
        Standing::Unknown => None,
        Standing::New => Some("new"),
        Standing::Worse => Some("updated"),
        Standing::Unchanged => Some("unchanged"),
    };
    if let Some(state) = state {
        result.insert("baselineState".into(), json!(state));
    }
    if let Some(suppression) = &finding.suppression {
        let kind = match suppression.kind {
            SuppressionKind::Comment | SuppressionKind::Foreign => "inSource",
        };
        let entry = json!([{"kind": kind, "status": "accepted", "justification": suppression.reason}]);
        result.insert("suppressions".into(), entry);
    }
    if let Some(fix) = &finding.fix {
        result.insert("fixes".into(), json!([fix_of(&finding.file, fix)]));
    }
    if !finding.path.is_empty() {
        let steps: Vec<Value> = finding.path.iter().map(|step| json!({"location": step_of(step)})).collect();
        result.insert("codeFlows".into(), json!([{"threadFlows": [{"locations": steps}]}]));
    }
    if !finding.related.is_empty() {
        let related: Vec<Value> = finding.related.iter().map(step_of).collect();
        result.insert("relatedLocations".into(), json!(related));
    }
    result.insert(
        "properties".into(),
        json!({
            "severity": finding.severity,
            "confidence": finding.confidence,
            "category": finding.category,
            "suggestion": finding.suggestion,
            "tool": finding.tool,
        }),
    );
    Value::Object(result)
}

fn step_of(step: &Step) -> Value {
    location(&step.file, &step.span, Some(&step.message))
}

fn location(file: &str, span: &Span, message: Option<&str>) -> Value {
    let mut location = json!({"physicalLocation": {
        "artifactLocation": artifact(file),
        "region": region(span),
    }});
    if let Some(message) = message {
        location["message"] = json!({"text": message});
    }
    location
}

fn artifact(file: &str) -> Value {
    json!({"uri": uri(file), "uriBaseId": ROOT})
}

fn region(span: &Span) -> Value {
    let line = span.start_line.max(1);
    let column = span.start_column.max(1);
    let end_line = span.end_line.max(line);
    let least = if end_line == line { column } else { 1 };
    json!({
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": span.end_column.max(least),
    })
}

fn fix_of(file: &str, fix: &Fix) -> Value {
    let replacements: Vec<Value> = fix
        .edits
        .iter()
        .map(|edit| json!({"deletedRegion": region(&edit.span), "insertedContent": {"text": edit.replacement}}))
        .collect();
    json!({
        "description": {"text": fix.description},
        "artifactChanges": [{"artifactLocation": artifact(file), "replacements": replacements}],
        "properties": {"safety": fix.safety},
    })
}

fn notification(note: &Note) -> Value {
    let mut value = json!({"level": "note", "message": {"text": note.message}});
    if let Some(file) = &note.file {
        let span = Span::of_line(note.line.unwrap_or(1));
        value["locations"] = json!([location(file, &span, None)]);
    }
    value
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    }
}

fn precision(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    }
}

fn security_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "9.5",
        Severity::High => "8.0",
        Severity::Medium => "5.5",
        Severity::Low => "3.0",
        Severity::Info => "0.5",
    }
}

/// A path as a relative reference: everything but the plain characters is written by its bytes.
fn uri(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(byte.into())
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("a b/ü#.py"), "a%20b/%C3%BC%23.py");
    }

    #[test]
    fn regions_never_end_before_they_start() {
        let region = region(&Span { start_line: 3, start_column: 9, ..Span::default() });
        assert_eq!((&region["endLine"], &region["endColumn"]), (&json!(3), &json!(9)));
    }
}
