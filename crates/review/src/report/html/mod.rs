//! One self-contained page: score, trends, treemap, dependency graph, findings with filters, the source with marks.
//!
//! Everything that comes from the project is escaped, and the page's own policy allows no script but the one whose hash
//! it names, so a hostile file name or text has nothing to run in.

mod charts;
mod source;

use super::{Display, decimal};
use crate::reviewer::Review;
use formicary_model::review::{Category, Comparator, Finding, ReviewReport, Severity, Standing};
use formicary_model::visible::markup;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// SHA-256 of the script, as browsers want it; a test holds it to the script.
const SCRIPT_HASH: &str = "sha256-TJR+MoJerJDO3g8WxxSeulqCQslA3pqKohPdc2riR0w=";

/// The page.
pub fn write(review: &Review, display: &Display) -> String {
    let report = &review.report;
    let mut shown: Vec<&Finding> =
        report.findings.iter().filter(|finding| finding.is_open() && display.shows(finding)).collect();
    // The worst first; the order within a file stays.
    shown.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let title = format!("Review of {}", markup(&review.name));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"referrer\" content=\"no-referrer\"><title>{title}</title><style>{STYLE}</style></head><body>\n\
         <header><h1>{title}</h1><p class=\"faint\">formicary {}</p></header><main>\n",
        markup(&report.version)
    );
    verdict(report, &mut page);
    gates(report, &mut page);
    change(report, &mut page);
    score(report, &mut page);
    card("Hot spots", &hot_spots(report), &mut page);
    card("Where the lines are, and how hot", &charts::treemap(report), &mut page);
    card("Which module uses which", &charts::graph(report), &mut page);
    card("Trend", &charts::trend(report), &mut page);
    findings(&shown, &mut page);
    card("Source", &source::files(review, &shown), &mut page);
    notes(report, &mut page);
    page.push_str(&format!("</main><script>{SCRIPT}</script></body></html>\n"));
    page
}

fn card(title: &str, body: &str, page: &mut String) {
    if !body.is_empty() {
        page.push_str(&format!("<section class=\"card\"><h2>{title}</h2>{body}</section>\n"));
    }
}

/// What it comes to, in one line before everything else.
fn verdict(report: &ReviewReport, page: &mut String) {
    let open = report.open_findings().count();
    let grave = report.open_findings().filter(|finding| finding.severity >= Severity::High).count();
    let findings = match (open, grave) {
        (0, _) => "no findings".to_owned(),
        (1, 0) => "1 finding".to_owned(),
        (open, 0) => format!("{open} findings"),
        (1, _) => "1 finding, of high severity or worse".to_owned(),
        (open, grave) => format!("{open} findings, {grave} of high severity or worse"),
    };
    let gate = match &report.gate {
        Some(gate) if gate.passed => "<span class=\"pass\">Gate passed</span>, ".to_owned(),
        Some(gate) => {
            let failed = gate.checks.iter().filter(|check| !check.passed).count();
            format!("<span class=\"fail\">Gate failed</span> ({failed} of {} checks), ", gate.checks.len())
        }
        None => String::new(),
    };
    let (total, grade) = (report.score.total, report.score.grade);
    page.push_str(&format!(
        "<section class=\"card verdict\"><h2>Verdict</h2><p>{gate}score {total:.0} ({grade}), {findings}.</p></section>\n"
    ));
}

fn score(report: &ReviewReport, page: &mut String) {
    let (score, project) = (&report.score, &report.project);
    page.push_str(&format!(
        "<div class=\"top\"><section class=\"card\"><h2>Score</h2><span class=\"total\">{:.0}</span>\
         <span class=\"grade\">{}</span><p class=\"faint\">of 100</p></section>\
         <section class=\"card\"><h2>By category</h2><div class=\"bars\">",
        score.total, score.grade
    ));
    for category in &score.categories {
        page.push_str(&format!(
            "<span>{}</span><div class=\"bar\" title=\"lost to density {:.1}, to hot spots {:.1}\">\
             <i class=\"{}\" style=\"width:{:.0}%\"></i></div><span class=\"faint\">{:.0} {} · {}</span>",
            category.category.word().replace('_', " "),
            category.lost_to_density,
            category.lost_to_hot_spots,
            category.grade,
            category.score,
            category.score,
            category.grade,
            category.findings
        ));
    }
    page.push_str("</div></section></div>\n");
    let figures = [
        ("files", project.files.to_string()),
        ("lines of code", project.lines.source.to_string()),
        ("functions", project.functions.to_string()),
        ("classes", project.classes.to_string()),
        ("comment share", format!("{:.0} %", 100.0 * project.lines.comment_density())),
        ("cyclomatic, mean", format!("{:.1}", project.cyclomatic_mean)),
        ("cyclomatic, max", project.cyclomatic_max.to_string()),
        ("cognitive, max", project.cognitive_max.to_string()),
        ("maintainability, mean", format!("{:.0}", project.maintainability_mean)),
        ("import cycles", project.cycles.to_string()),
    ];
    let figures: String =
        figures.iter().map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>")).collect();
    card("Figures", &format!("<dl class=\"figures\">{figures}</dl>"), page);
}

fn change(report: &ReviewReport, page: &mut String) {
    let Some(change) = &report.change else { return };
    let mut body = format!(
        "<p>{}: {} lines in {} files; <b>{}</b> new findings, <b>{}</b> mended.</p>",
        markup(&change.compared),
        change.changed_lines,
        change.changed_files,
        change.new_findings,
        change.fixed_findings
    );
    for gaming in &change.gaming {
        let line = gaming.line.map(|line| format!(":{line}")).unwrap_or_default();
        body.push_str(&format!(
            "<p class=\"fail\">{}{line} {}</p>",
            markup(&gaming.file),
            markup(&gaming.message)
        ));
    }
    card("The change", &body, page);
}

fn gates(report: &ReviewReport, page: &mut String) {
    let Some(gate) = report.gate.as_ref().filter(|gate| !gate.checks.is_empty()) else { return };
    let rows: String = gate
        .checks
        .iter()
        .map(|check| {
            let (class, word) = if check.passed { ("pass", "pass") } else { ("fail", "fail") };
            let side = if check.comparator == Comparator::AtMost { "at most" } else { "at least" };
            let actual = if check.actual >= f64::MAX { "none".into() } else { decimal(check.actual) };
            format!(
                "<tr><td class=\"{class}\">{word}</td><td>{} {}</td><td>{actual}</td><td>{side} {}</td><td>{}</td></tr>",
                markup(&check.metric),
                markup(check.path.as_deref().unwrap_or_default()),
                check.threshold,
                markup(check.place.as_deref().unwrap_or_default())
            )
        })
        .collect();
    card(
        "Gate",
        &format!(
            "<table><tr><th></th><th>metric</th><th>is</th><th>must be</th><th>where</th></tr>{rows}</table>"
        ),
        page,
    );
}

fn hot_spots(report: &ReviewReport) -> String {
    if report.score.hot_spots.is_empty() {
        return String::new();
    }
    let rows = report.score.hot_spots.iter().take(12).map(|spot| {
        format!(
            "<tr><td>{}:{}</td><td>{}</td><td>{}</td><td>{:.1}</td></tr>",
            markup(&spot.file),
            spot.line,
            markup(spot.symbol.as_deref().unwrap_or_default()),
            markup(&spot.reason),
            spot.heat
        )
    });
    let rows: String = rows.collect();
    format!("<table><tr><th>place</th><th>function</th><th>why</th><th>heat</th></tr>{rows}</table>")
}

fn findings(shown: &[&Finding], page: &mut String) {
    let options = |words: Vec<&str>| -> String {
        words
            .iter()
            .map(|word| format!("<option value=\"{word}\">{}</option>", word.replace('_', " ")))
            .collect()
    };
    let severities = options(Severity::ALL.iter().rev().map(|severity| severity.word()).collect());
    let categories = options(Category::ALL.iter().map(|category| category.word()).collect());
    let mut body = format!(
        "<div class=\"filters\"><input id=\"search\" type=\"search\" placeholder=\"search\" aria-label=\"search\">\
         <select id=\"severity\" aria-label=\"severity\"><option value=\"\">any severity</option>{severities}</select>\
         <select id=\"category\" aria-label=\"category\"><option value=\"\">any category</option>{categories}</select>\
         <select id=\"standing\" aria-label=\"standing\"><option value=\"\">new and known</option>\
         <option value=\"new\">new</option><option value=\"known\">known</option></select>\
         <span id=\"count\" class=\"faint\">{}</span></div>",
        shown.len()
    );
    for finding in shown {
        body.push_str(&one(finding));
    }
    card("Findings", &body, page);
}

fn one(finding: &Finding) -> String {
    let standing = match finding.standing {
        Standing::Unknown => "",
        Standing::New | Standing::Worse => "new",
        Standing::Unchanged => "known",
    };
    let text = format!("{} {} {}", finding.rule, finding.file, finding.message).to_lowercase();
    let cwe = finding
        .cwe
        .map(|number| format!("<span class=\"tag plain\">CWE-{number}</span>"))
        .unwrap_or_default();
    let mut body = format!(
        "<article class=\"finding\" data-severity=\"{0}\" data-category=\"{1}\" data-standing=\"{standing}\" \
         data-text=\"{2}\"><span class=\"tag {0}\">{0}</span><span class=\"rule\">{3}</span>{cwe}<p>{4}</p>\
         <p><a href=\"#{5}\">{6}:{7}</a> <span class=\"faint\">{8}</span></p>",
        finding.severity,
        finding.category,
        markup(&text),
        markup(&finding.rule),
        markup(&finding.message),
        source::anchor(&finding.file, finding.span.start_line),
        markup(&finding.file),
        finding.span.start_line,
        markup(finding.symbol.as_deref().unwrap_or_default())
    );
    if !finding.path.is_empty() {
        let steps = finding.path.iter().map(|step| {
            format!("<li>{}:{} {}</li>", markup(&step.file), step.span.start_line, markup(&step.message))
        });
        body.push_str(&format!("<ol>{}</ol>", steps.collect::<String>()));
    }
    for line in [&finding.why, &finding.suggestion] {
        if !line.is_empty() {
            body.push_str(&format!("<p class=\"faint\">{}</p>", markup(line)));
        }
    }
    body.push_str("</article>");
    body
}

fn notes(report: &ReviewReport, page: &mut String) {
    if report.notes.is_empty() {
        return;
    }
    let lines = report.notes.iter().take(200).map(|note| {
        let file = note.file.as_deref().unwrap_or_default();
        let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("<p>{}{line} {}</p>", markup(file), markup(&note.message))
    });
    card("Notes", &lines.collect::<String>(), page);
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest as _, Sha256};

    #[test]
    fn the_policy_names_the_script() {
        use base64::Engine as _;
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(SCRIPT));
        assert_eq!(SCRIPT_HASH, format!("sha256-{hash}"));
    }

    #[test]
    fn nothing_of_the_project_means_anything_to_a_browser() {
        assert_eq!(markup("<script>\"'&\u{1b}\u{202e}"), "&lt;script&gt;&quot;&#39;&amp;\\u{1b}\\u{202e}");
    }
}
