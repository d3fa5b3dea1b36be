//! A transcript as a page to read: one file, no script, nothing from elsewhere, everything escaped.

use crate::journal::Record;
use crate::order::Order;
use crate::outcome::Outcome;
use crate::redact::Redactor;
use formicary_model::visible::markup;
use serde_json::Value;
use std::fmt::Write as _;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1f;background:#fff}
pre{background:#f4f4f6;padding:.7rem;border-radius:6px;overflow:auto;white-space:pre-wrap;max-height:28rem}
details{border-left:3px solid #c9c9d2;padding:.2rem 0 .2rem .8rem;margin:.5rem 0}summary{cursor:pointer}
.ask{border-color:#5b6ee1}.run{border-color:#3f9c5a}.tool{border-color:#b9822b}.fix{border-color:#8a4fbf}.failed{color:#a3262a}
.faint{color:#6b6b76}table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0;vertical-align:top}td+td,h1,summary{overflow-wrap:anywhere}
.add{color:#1e7b38}.del{color:#a3262a}
@media(prefers-color-scheme:dark){body{background:#17171a;color:#e4e4e9}pre{background:#222227}
.failed,.del{color:#f19296}.add{color:#7ccf92}.faint{color:#a3a3ae}}";

/// The page.
pub fn page(order: &Order, records: &[Record], outcome: Option<&Outcome>) -> String {
    let mut html = String::new();
    let _ = write!(
        html,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>Run {id}</title><style>{STYLE}</style><h1>Run {id}</h1><pre>{task}</pre>",
        id = markup(&order.id),
        task = markup(&order.task.text),
    );
    if let Some(outcome) = outcome {
        let spent = &outcome.spent;
        let money = spent.money.map(|money| format!("{money:.4}")).unwrap_or_else(|| "not known".into());
        let _ = write!(
            html,
            "<h2>{}</h2><p>{}</p><table>",
            markup(outcome.ending.word()),
            markup(&outcome.reason)
        );
        for (name, value) in [
            ("model", order.model.clone()),
            ("steps", spent.steps.to_string()),
            ("attempts that did not pass", spent.attempts.to_string()),
            ("tokens read and written", format!("{} + {}", spent.input_tokens, spent.output_tokens)),
            ("money", money),
            ("seconds", format!("{:.1}", spent.seconds)),
            ("seconds in the sandbox", format!("{:.1}", spent.sandbox_seconds)),
            ("tree", outcome.tree.clone()),
        ] {
            let _ = write!(html, "<tr><td class=\"faint\">{name}<td>{}", markup(&value));
        }
        html.push_str("</table>");
        if !outcome.diff.is_empty() {
            let _ =
                write!(html, "<h2>Change</h2><pre>{}</pre>", diff(&Redactor::default().clean(&outcome.diff)));
        }
    }
    html.push_str("<h2>Transcript</h2>");
    records.iter().for_each(|record| entry(record, &mut html));
    html.push_str("</html>\n");
    html
}

fn entry(record: &Record, html: &mut String) {
    let kind = markup(&record.kind);
    let failed = record.input["failed"] == true
        || record.output["status"].as_str().is_some_and(|status| status != "success");
    let class = if failed { format!("{kind} failed") } else { kind.clone() };
    let _ = write!(
        html,
        "<details class=\"{class}\"><summary><b>{kind}</b> {} <span class=\"faint\">#{} · {:.1} s · {}</span></summary>",
        markup(&headline(record)),
        record.seq,
        record.elapsed,
        markup(&record.hash),
    );
    for value in [&record.input, &record.output] {
        if !value.is_null() {
            let text = serde_json::to_string_pretty(value)
                .unwrap_or_default()
                .replace("\\n", "\n")
                .replace("\\\"", "\"");
            let _ = write!(html, "<pre>{}</pre>", markup(&text));
        }
    }
    html.push_str("</details>");
}

/// The first line that says something; where data begins says nothing.
fn telling(text: &str) -> String {
    let says = |line: &&str| !line.trim().is_empty() && !line.starts_with("<data ");
    text.lines().find(says).unwrap_or_default().to_owned()
}

fn decision(input: &Value) -> String {
    let word = |name: &str| input[name].as_str().unwrap_or_default();
    let list = |name: &str| -> Option<String> {
        let words = input[name].as_array()?.iter().filter_map(Value::as_str);
        Some(words.collect::<Vec<_>>().join("; "))
    };
    let yes = |name: &str, yes: &'static str, no: &'static str| if input[name] == true { yes } else { no };
    if let Some(steps) = list("plan") {
        return format!("plan: {steps}");
    }
    if let Some(number) = input["step"].as_u64() {
        return format!("step {number} is {}: {}", yes("done", "done", "not done"), word("title"));
    }
    if input["judged"].is_string() {
        let by = Some(word("by")).filter(|by| !by.is_empty()).map(|by| format!(" by {by}"));
        let failing = list("failing").filter(|names| !names.is_empty()).map(|names| format!(": {names}"));
        return format!("{}{}{}", word("judged"), by.unwrap_or_default(), failing.unwrap_or_default());
    }
    if input["unusable"].is_string() {
        return format!("the answer cannot be used: {}", word("unusable"));
    }
    if input["judgement"].is_boolean() {
        return format!(
            "by the model's judgement {}: {}",
            yes("judgement", "done", "not done"),
            word("reason")
        );
    }
    list("gate")
        .map_or_else(|| input.to_string(), |lines| format!("the review does not let it pass: {lines}"))
}

/// What a record is about, in one line.
pub fn headline(record: &Record) -> String {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let (input, output) = (&record.input, &record.output);
    let text = match record.kind.as_str() {
        "started" => word(&input["task"]),
        "ask" => {
            let answer = &output["answer"];
            let calls: Vec<String> = answer["tool_calls"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|call| word(&call["name"]))
                .collect();
            match (calls.is_empty(), answer.is_null()) {
                (_, true) => "no answer in time".to_owned(),
                (false, _) => format!("{} → {}", word(&input["purpose"]), calls.join(", ")),
                (true, _) => format!("{} → {}", word(&input["purpose"]), word(&answer["text"])),
            }
        }
        "run" => {
            let command = input["command"].as_str().unwrap_or("the program");
            let seen: Option<crate::observe::Observation> = serde_json::from_value(output.clone()).ok();
            let seen = seen.map_or_else(|| "not run".to_owned(), |seen| seen.headline());
            format!("{}: {command} → {seen}", word(&input["purpose"]))
        }
        "inspect" => format!(
            "{} → {}",
            input["breakpoints"],
            output["told"].as_str().unwrap_or_default().lines().nth(1).unwrap_or_default()
        ),
        "tool" => format!("{} → {}", word(&input["name"]), telling(&word(&input["reply"]))),
        "decision" => decision(input),
        "fix" => format!(
            "without a model: {}",
            output["explanation"].as_str().filter(|text| !text.is_empty()).unwrap_or("nothing found")
        ),
        "human" => format!("{} → {}", word(&input["question"]), word(output)),
        "ended" => format!("{}: {}", word(&input["ending"]), word(&input["reason"])),
        _ => input.to_string(),
    };
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.chars().take(160).collect()
}

fn diff(text: &str) -> String {
    let line = |line: &str| match line.chars().next() {
        Some('+') => format!("<span class=\"add\">{}</span>\n", markup(line)),
        Some('-') => format!("<span class=\"del\">{}</span>\n", markup(line)),
        _ => format!("{}\n", markup(line)),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Rules, Task};
    use serde_json::json;

    #[test]
    fn hostile_text_stays_text() {
        let evil = "</pre><script>alert(1)</script>\" onload='x' \u{202e}";
        let order = Order {
            id: evil.into(),
            started: 0,
            model: evil.into(),
            task: Task { text: evil.into(), ..Task::default() },
            rules: Rules::default(),
            budget: Budget::default(),
            folder: None,
        };
        let record = Record {
            seq: 0,
            kind: evil.into(),
            elapsed: 0.0,
            input: json!({"name": evil, "reply": evil}),
            output: json!(evil),
            previous: String::new(),
            hash: evil.into(),
        };
        let kinds = ["started", "ask", "run", "tool", "fix", "human", "ended", "decision", evil];
        let records: Vec<Record> =
            kinds.iter().map(|kind| Record { kind: (*kind).into(), ..record.clone() }).collect();
        let html = page(&order, &records, None);
        assert!(!html.contains("<script") && !html.contains("onload='") && !html.contains('\u{202e}'));
    }
}
