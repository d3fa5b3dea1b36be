//! Rules, metrics and fixes for people; a bar on the way.

use super::table::{Cell, Table};
use crate::arguments::review::By;
use crate::terminal::{self, CAUTION, FAINT, GOOD, HEADING};
use formicary_model::review::{ChangeSummary, FixSafety, FixedFindings, ReviewReport, RuleInfo};
use formicary_model::visible::one_line;
use formicary_model::{Event, Observer};
use formicary_platform::Viewpoint;
use formicary_platform::review::counted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write as _;

/// One line for those who have the report in a file.
pub fn short(report: &ReviewReport) -> String {
    let open = report.open_findings().count();
    let score = &report.score;
    format!("{}, score {:.1} {}\n", counted(open, "finding"), score.total, score.grade)
}

/// What was fixed.
pub fn fixed(fixed: &FixedFindings) -> String {
    let done = if fixed.written { "fixed" } else { "can be fixed" };
    let mut text = format!(
        "{GOOD}{} {done}{GOOD:#} in {}",
        counted(fixed.applied, "finding"),
        counted(fixed.changes.len(), "file")
    );
    if fixed.left > 0 {
        let _ = write!(text, "; {} left: they overlap others or cannot be edited; run it again", fixed.left);
    }
    text.push('\n');
    for change in &fixed.changes {
        let _ = writeln!(text, "  {}", one_line(&change.file));
    }
    if !fixed.written {
        fixed.changes.iter().for_each(|change| text.push_str(&super::patterns::diff(&change.diff)));
    }
    text
}

/// What a change brought, above its gates.
pub fn change(change: Option<&ChangeSummary>, viewpoint: &Viewpoint) -> String {
    let Some(change) = change else { return String::new() };
    let mut text = format!(
        "{}, {} fixed, {} in {}\n",
        counted(change.new_findings, "new finding"),
        change.fixed_findings,
        counted(change.changed_lines, "line"),
        counted(change.changed_files, "file")
    );
    for gaming in &change.gaming {
        let line = gaming.line.map(|line| format!(":{line}")).unwrap_or_default();
        let (file, message) = (one_line(&viewpoint.path(&gaming.file)), one_line(&gaming.message));
        let _ = writeln!(text, "{CAUTION}look:{CAUTION:#} {file}{line}: {message}");
    }
    text
}

/// The rules as a table.
pub fn rules(rules: &[RuleInfo]) -> String {
    let mut table = Table::new(&["RULE", "TYPE", "SEVERITY", "CWE", "FIX", "LANGUAGES", "WHAT"]);
    for rule in rules {
        let languages: Vec<&str> = rule.languages.iter().map(|language| language.id()).collect();
        table.row([
            rule.name.as_ref().into(),
            rule.category.word().into(),
            rule.severity.word().into(),
            rule.cwe.map(|number| number.to_string()).unwrap_or_default().into(),
            fix_word(rule.fix).into(),
            if languages.len() == 9 { "all".into() } else { languages.join(" ").into() },
            Cell::from(rule.title.as_ref()),
        ]);
    }
    table.render()
}

fn fix_word(fix: Option<FixSafety>) -> &'static str {
    match fix {
        Some(FixSafety::Safe) => "safe",
        Some(FixSafety::Unsafe) => "unsafe",
        None => "",
    }
}

/// One rule with everything that is known of it.
pub fn rule(rule: &RuleInfo) -> String {
    let cwe = rule.cwe.map(|number| format!(", CWE-{number}")).unwrap_or_default();
    let mut text = format!(
        "{HEADING}{}{HEADING:#}: {}\n{FAINT}{}, {} severity, {} confidence{cwe}{FAINT:#}\n\n{}\n\n{}\n",
        rule.name,
        rule.title,
        rule.category,
        rule.severity,
        rule.confidence.word(),
        rule.why,
        rule.suggestion
    );
    for example in &rule.examples {
        for (word, code) in [("Bad", &example.bad), ("Good", &example.good)] {
            let _ = write!(text, "\n{HEADING}{word} {}{HEADING:#}\n", example.language.name());
            for line in code.trim_end().lines() {
                let _ = writeln!(text, "    {}", line.trim_end());
            }
        }
    }
    let _ = writeln!(
        text,
        "\n{FAINT}Allow one place: formicary: allow({}) and the reason, in a comment{FAINT:#}",
        rule.name
    );
    text
}

/// What was measured, worst first.
pub fn metrics(report: &ReviewReport, by: By, limit: usize, viewpoint: &Viewpoint) -> String {
    let mut text = match by {
        By::File => files(report, limit, viewpoint),
        By::Function => functions(report, limit, viewpoint),
        By::Class => classes(report, limit, viewpoint),
        By::Module => modules(report, limit),
    };
    let project = &report.project;
    let _ = writeln!(
        text,
        "{HEADING}{}{HEADING:#}, {}, {}; cyclomatic mean {:.2} max {}, cognitive mean {:.2} max {}, maintainability mean {:.1}",
        counted(project.files, "file"),
        counted(project.lines.source, "source line"),
        counted(project.functions, "function"),
        project.cyclomatic_mean,
        project.cyclomatic_max,
        project.cognitive_mean,
        project.cognitive_max,
        project.maintainability_mean
    );
    text
}

fn files(report: &ReviewReport, limit: usize, viewpoint: &Viewpoint) -> String {
    let headings =
        ["FILE", "LINES", "SOURCE", "LOGICAL", "COMMENT", "BLANK", "CYCLOMATIC", "COGNITIVE", "MI", "DOCS"];
    let mut table = Table::new(&headings);
    let mut files: Vec<_> = report.files.iter().collect();
    files.sort_by(|a, b| a.maintainability.total_cmp(&b.maintainability).then_with(|| a.file.cmp(&b.file)));
    for file in files.into_iter().take(limit) {
        let lines = &file.lines;
        table.row([
            viewpoint.path(&file.file).into(),
            lines.physical.to_string().into(),
            lines.source.to_string().into(),
            lines.logical.to_string().into(),
            lines.comment.to_string().into(),
            lines.blank.to_string().into(),
            file.cyclomatic.to_string().into(),
            file.cognitive.to_string().into(),
            format!("{:.1}", file.maintainability).into(),
            file.documentation.map(|share| format!("{:.0} %", 100.0 * share)).unwrap_or_default().into(),
        ]);
    }
    table.render()
}

fn functions(report: &ReviewReport, limit: usize, viewpoint: &Viewpoint) -> String {
    let headings = [
        "FUNCTION",
        "PLACE",
        "CYCLOMATIC",
        "COGNITIVE",
        "NESTING",
        "PARAMETERS",
        "EXITS",
        "SOURCE",
        "VOLUME",
        "MI",
    ];
    let mut table = Table::new(&headings);
    let all =
        report.files.iter().flat_map(|file| file.functions.iter().map(move |function| (file, function)));
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|(_, function)| std::cmp::Reverse((function.cognitive, function.cyclomatic)));
    for (file, function) in all.into_iter().take(limit) {
        table.row([
            function.name.as_str().into(),
            format!("{}:{}", viewpoint.path(&file.file), function.span.start_line).into(),
            function.cyclomatic.to_string().into(),
            function.cognitive.to_string().into(),
            function.nesting.to_string().into(),
            function.parameters.to_string().into(),
            function.exits.to_string().into(),
            function.lines.source.to_string().into(),
            format!("{:.0}", function.halstead.volume()).into(),
            format!("{:.1}", function.maintainability).into(),
        ]);
    }
    table.render()
}

fn classes(report: &ReviewReport, limit: usize, viewpoint: &Viewpoint) -> String {
    let mut table = Table::new(&["CLASS", "PLACE", "METHODS", "WMC", "CBO", "RFC", "LCOM4", "DIT"]);
    let all = report.files.iter().flat_map(|file| file.classes.iter().map(move |class| (file, class)));
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|(_, class)| std::cmp::Reverse((class.coupling, class.weighted_methods)));
    for (file, class) in all.into_iter().take(limit) {
        table.row([
            class.name.as_str().into(),
            format!("{}:{}", viewpoint.path(&file.file), class.span.start_line).into(),
            class.methods.to_string().into(),
            class.weighted_methods.to_string().into(),
            class.coupling.to_string().into(),
            class.response.to_string().into(),
            class.lack_of_cohesion.to_string().into(),
            class.inheritance_depth.to_string().into(),
        ]);
    }
    table.render()
}

fn modules(report: &ReviewReport, limit: usize) -> String {
    let headings = ["MODULE", "FAN-IN", "FAN-OUT", "INSTABILITY", "ABSTRACTNESS", "DISTANCE", "CYCLE"];
    let mut table = Table::new(&headings);
    let mut all: Vec<_> = report.modules.iter().collect();
    all.sort_by_key(|module| std::cmp::Reverse(module.fan_in + module.fan_out));
    for module in all.into_iter().take(limit) {
        table.row([
            module.name.as_str().into(),
            module.fan_in.to_string().into(),
            module.fan_out.to_string().into(),
            format!("{:.2}", module.instability).into(),
            format!("{:.2}", module.abstractness).into(),
            format!("{:.2}", module.distance).into(),
            if module.in_cycle { Cell::styled("yes", CAUTION) } else { "".into() },
        ]);
    }
    table.render()
}

/// A bar on stderr, where a person looks on.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar, unless nobody wants one.
    pub fn new(quiet: bool) -> Self {
        if quiet || !terminal::stderr_is_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::new(0);
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        Self(Some(bar))
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    fn event(&self, _: &Event) {}

    fn progress(&self, progress: &formicary_model::Progress) {
        if let Some(bar) = &self.0 {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            bar.set_message(progress.what.clone());
        }
    }
}
