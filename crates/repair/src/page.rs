//! The report of an attempt to mend a program as a page to read: one file, no script, nothing from elsewhere, everything
//! escaped. Names, messages and values come from strangers' programs.

use formicary_model::visible::markup;
use formicary_model::{
    Diagnosis, ErrorDiagnosis, ErrorPlace, FixReport, FixStatus, ModelUse, PatchEvidence, RankedPatch,
    StackFrame, TestRun,
};
use std::fmt::Write as _;

const STYLE: &str = include_str!("page.css");
/// Frames of a stack that are shown, and variables of each.
const FRAMES: usize = 20;
const VARIABLES: usize = 30;

/// The page.
pub fn page(report: &FixReport) -> String {
    let title = match report.status {
        FixStatus::Fixed => "Fixed",
        FixStatus::Suggested => "Suggested, not verified",
        FixStatus::NotFixed => "Not fixed",
        FixStatus::NothingWrong => "Nothing wrong",
    };
    let mut html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{title}</title><style>{STYLE}</style><h1>Debugging report <span class=\"badge {}\">{title}</span></h1>\
         <p class=\"faint\">{} · <code>{}</code> · {} candidates · {:.1} s</p>",
        report.status.word(),
        markup(&report.language),
        markup(report.command.last().map_or("", String::as_str)),
        report.candidates,
        report.seconds,
    );
    for note in &report.notes {
        let _ = write!(html, "<p>Note: {}</p>", markup(note));
    }
    report.diagnosis.iter().for_each(|diagnosis| diagnosed(&mut html, diagnosis));
    if !report.patches.is_empty() {
        html.push_str(match report.status {
            FixStatus::Suggested => "<h2>Candidates, by rule</h2>",
            _ => "<h2>Patches that pass</h2>",
        });
        report.patches.iter().for_each(|patch| patched(&mut html, patch));
    }
    missing(&mut html, report);
    suspects(&mut html, report);
    report.model.iter().for_each(|model| asked(&mut html, model));
    html.push_str("<h2>The tests before</h2>");
    run(&mut html, "before", &report.baseline);
    html.push_str("</html>\n");
    html
}

fn diagnosed(html: &mut String, diagnosis: &Diagnosis) {
    if diagnosis.errors.is_empty() {
        return;
    }
    html.push_str("<h2>Why it fails</h2>");
    for error in diagnosis.errors.iter().take(10) {
        failure(html, error);
    }
}

fn failure(html: &mut String, error: &ErrorDiagnosis) {
    let message = error.message.lines().take(12).collect::<Vec<_>>().join("\n");
    let _ = write!(
        html,
        "<section><p><b>{}</b> <span class=\"faint\">({})</span></p><pre>{}</pre><p>{}</p>",
        markup(&error.error_type),
        error.category,
        markup(&message),
        markup(&error.root_cause)
    );
    if error.chain.len() > 1 {
        html.push_str("<ol>");
        for step in &error.chain {
            let _ = write!(html, "<li class=\"value\">{}", markup(&step.to_string()));
        }
        html.push_str("</ol>");
    }
    error.place.iter().for_each(|place| shown(html, place));
    if !error.suggestions.is_empty() {
        html.push_str("<ul>");
        for suggestion in error.suggestions.iter().take(8) {
            let _ = write!(
                html,
                "<li>{} <span class=\"faint\">[{}]</span>",
                markup(&suggestion.text),
                markup(&suggestion.origin)
            );
        }
        html.push_str("</ul>");
    }
    if !error.stack.is_empty() {
        let open = if error.stack.iter().any(|frame| !frame.variables.is_empty()) { " open" } else { "" };
        let _ = write!(html, "<details{open}><summary>Stack, {} calls</summary>", error.stack.len());
        error.stack.iter().take(FRAMES).for_each(|frame| called(html, frame));
        html.push_str("</details>");
    }
    html.push_str("</section>");
}

fn shown(html: &mut String, place: &ErrorPlace) {
    let _ = write!(html, "<p class=\"faint\">{}:{}</p><pre>", markup(&place.file), place.line);
    for line in &place.frame {
        let here = line.number == place.line;
        let class = if here { "here" } else { "line" };
        let _ = write!(html, "<span class=\"{class}\">{:>5} │ {}</span>", line.number, markup(&line.text));
        if let Some(column) = place.column.filter(|_| here) {
            let marks = place.end_column.map_or(1, |end| end.saturating_sub(column).clamp(1, 200)) as usize;
            let left = " ".repeat((column as usize).saturating_sub(1).min(400));
            let _ = write!(html, "<span class=\"mark\">      │ {left}{}</span>", "^".repeat(marks));
        }
    }
    html.push_str("</pre>");
}

fn called(html: &mut String, frame: &StackFrame) {
    let name = markup(frame.function.as_deref().unwrap_or("?"));
    let name =
        if frame.own { format!("<b>{name}</b>") } else { format!("<span class=\"faint\">{name}</span>") };
    let place = frame.file.as_deref().map(markup).unwrap_or_default();
    let line = frame.line.map(|line| format!(":{line}")).unwrap_or_default();
    let _ = write!(html, "<p>{name} <span class=\"faint\">{place}{line}</span></p>");
    // What stands in the variables of a library helps nobody who reads.
    if frame.variables.is_empty() || !frame.own {
        return;
    }
    html.push_str("<table>");
    for variable in frame.variables.iter().take(VARIABLES) {
        let _ = write!(
            html,
            "<tr><td class=\"value\">{}<td class=\"faint\">{}<td class=\"value\">{}",
            markup(&variable.name),
            markup(&variable.kind),
            markup(&variable.value)
        );
    }
    html.push_str("</table>");
}

fn patched(html: &mut String, patch: &RankedPatch) {
    let _ = write!(
        html,
        "<section><p><b>{}. {}</b> <span class=\"faint\">{} · confidence {:.0} %</span></p><pre>{}</pre>",
        patch.rank,
        markup(&patch.explanation),
        markup(&patch.origin),
        patch.confidence * 100.0,
        diff(&patch.diff)
    );
    for caveat in &patch.caveats {
        let _ = write!(html, "<p>Caveat: {}</p>", markup(caveat));
    }
    if let Some(verification) = &patch.verification {
        for worse in &verification.regressions {
            let _ = write!(html, "<p>Look: {}</p>", markup(worse));
        }
        let times = verification.after.len();
        let level = verification.enforcement.level.word();
        let shown = match patch.evidence {
            PatchEvidence::Candidate => format!("ran to its end {times} of {times} times"),
            _ => format!("passed {times} of {times} runs of the tests"),
        };
        let _ = write!(html, "<p class=\"faint\">{shown} in a fresh sandbox ({level})</p>");
        verification.after.iter().for_each(|after| run(html, "after", after));
    }
    html.push_str("</section>");
}

fn missing(html: &mut String, report: &FixReport) {
    if report.missing.is_empty() {
        return;
    }
    html.push_str("<h2>Packages that were missing</h2><table><tr><th>import<th>package<th>");
    for missing in &report.missing {
        let state = if missing.installed { "installed for these runs" } else { "not installed" };
        let _ =
            write!(html, "<tr><td>{}<td>{}<td>{state}", markup(&missing.module), markup(&missing.package));
    }
    html.push_str("</table>");
}

fn suspects(html: &mut String, report: &FixReport) {
    if report.suspects.is_empty() {
        return;
    }
    html.push_str("<h2>Suspicious lines</h2><table><tr><th>line<th>suspicion<th><th>why");
    for line in report.suspects.iter().take(15) {
        let share = (line.ochiai * 100.0).clamp(0.0, 100.0);
        let _ = write!(
            html,
            "<tr><td class=\"value\">{}:{}<td>{:.2}<td class=\"bar\"><i style=\"width:{share:.0}%\"></i><td>{}",
            markup(&line.path),
            line.line,
            line.ochiai,
            markup(&line.reason)
        );
    }
    html.push_str("</table>");
}

fn asked(html: &mut String, model: &ModelUse) {
    let _ = write!(
        html,
        "<h2>The model</h2><p>{}: asked {} times, {} tokens read, {} written</p>",
        markup(&model.name),
        model.requests,
        model.input_tokens,
        model.output_tokens
    );
    for tried in &model.rejected {
        let _ = write!(
            html,
            "<details><summary>A proposal that did not pass</summary><pre>{}</pre><pre>{}</pre></details>",
            diff(&tried.change),
            markup(&tried.why)
        );
    }
}

fn run(html: &mut String, when: &str, run: &TestRun) {
    let ended = run.exit_code.map_or_else(|| run.status.to_string(), |code| format!("exit code {code}"));
    let _ = write!(
        html,
        "<details><summary>{when}: {} <span class=\"faint\">({}, {:.2} s, run {})</span></summary><pre>{}</pre></details>",
        if run.passed { "passed" } else { "failed" },
        markup(&ended),
        run.duration,
        markup(&run.run_id),
        markup(&run.output)
    );
}

fn diff(text: &str) -> String {
    let mut html = String::new();
    for line in text.lines() {
        let class = match line.chars().next() {
            Some('+') => "add",
            Some('-') => "del",
            Some('@') => "at",
            _ => "line",
        };
        let _ = write!(html, "<span class=\"{class}\">{}</span>", markup(line));
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_program_becomes_markup() {
        let text = markup("<script>alert('x')</script>\u{1b}[31m\u{202e}&\"");
        assert_eq!(text, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\\u{1b}[31m\\u{202e}&amp;&quot;");
        assert_eq!(
            diff("+<b>\n-x\n y"),
            "<span class=\"add\">+&lt;b&gt;</span><span class=\"del\">-x</span><span class=\"line\"> y</span>"
        );
    }
}
