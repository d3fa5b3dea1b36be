//! `formicary review`, `gate`, `metrics` and `rules`.

use crate::arguments::GlobalArguments;
use crate::arguments::review::{
    FailOn, GateArguments, MetricsArguments, ReviewArguments, RulesArguments, ScopeArguments,
};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::review::{self as render, Progress};
use crate::{signals, terminal};
use formicary_model::Failure;
use formicary_model::review::{FixSafety, Severity};
use formicary_platform::review::{ReviewDone, ReviewOptions};
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::reviewing::report::{Display, Format, generate_report, terminal as text};
use formicary_platform::{Cancel, Platform, exit};
use std::path::Path;

/// Reviews, and shows what was found.
pub fn run(arguments: ReviewArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let display = Display {
        categories: arguments.types.clone(),
        severity: arguments.severity,
        only_new: arguments.scope.new.is_some(),
        most: arguments.limit,
    };
    let outputs = outputs(&arguments)?;
    let (platform, done) = review(&arguments.scope, arguments.record, global)?;
    if arguments.write_baseline {
        let path = platform.write_baseline(&done)?;
        let count = done.review.report.open_findings().count();
        terminal::print(&format!(
            "{count} findings are in {}\n",
            terminal::printable(&path.display().to_string())
        ))?;
        return Ok(0);
    }
    if arguments.fix {
        let most = if arguments.unsafe_fixes { FixSafety::Unsafe } else { FixSafety::Safe };
        let fixed = platform.fix(&done, most)?;
        terminal::print(&render::fixed(&fixed))?;
        return Ok(0);
    }
    let rules = platform.review_rules();
    for (path, format) in &outputs {
        let report = generate_report(&done.review, *format, &display, &rules);
        let report = if *format == Format::Terminal { terminal::without_styles(&report) } else { report };
        std::fs::write(path, report).map_err(|error| {
            invalid(format!("{}: {error}", path.display()), "name a file that you may write")
        })?;
    }
    let on_stdout = match (arguments.format, global.json) {
        (Some(form), _) => Some(form.0),
        (None, true) => Some(Format::Json),
        (None, false) if outputs.is_empty() => Some(Format::Terminal),
        (None, false) => None,
    };
    match on_stdout {
        Some(format) => {
            let report = generate_report(&done.review, format, &display, &rules);
            match format {
                Format::Json | Format::Sarif => terminal::print_data(&report)?,
                _ => terminal::print(&report)?,
            }
        }
        None => terminal::print(&render::short(&done.review.report))?,
    }
    let fail_on = match (arguments.fail_on, done.settings.fail_on) {
        (Some(FailOn::Never), _) => None,
        (Some(FailOn::From(severity)), _) => Some(severity),
        (None, configured) => Some(configured.unwrap_or(Severity::High)),
    };
    let code = if fails(&done, fail_on) { exit::NOT_PASSED } else { 0 };
    // The process ends here: giving every text and finding back one by one would only take time.
    std::mem::forget(done);
    Ok(code)
}

// What was known before is nobody's fault now; what is not shown still counts.
fn fails(done: &ReviewDone, fail_on: Option<Severity>) -> bool {
    let Some(least) = fail_on else { return false };
    let counts = |standing: formicary_model::review::Standing| standing.is_blamed() || standing.is_unknown();
    let mut open = done.review.report.open_findings();
    open.any(|finding| finding.severity >= least && counts(finding.standing))
}

/// Checks the gates.
pub fn gate(arguments: &GateArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (_, done) = review(&arguments.scope, false, global)?;
    let report = &done.review.report;
    let gate = report.gate.clone().unwrap_or_default();
    if global.json {
        terminal::print_json(
            &serde_json::json!({"gate": gate, "change": report.change, "score": report.score.total}),
        )?;
    } else {
        terminal::print(&render::change(report))?;
        terminal::print(&text::gate_lines(&gate))?;
    }
    Ok(if gate.passed { 0 } else { exit::NOT_PASSED })
}

/// Shows what was measured.
pub fn metrics(arguments: &MetricsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (_, done) = review(&arguments.scope, false, global)?;
    let report = &done.review.report;
    if global.json {
        terminal::print_json(&serde_json::json!({
            "project": report.project,
            "files": report.files,
            "modules": report.modules,
            "dependencies": report.dependencies,
        }))?;
    } else {
        terminal::print(&render::metrics(report, arguments.by, arguments.limit))?;
    }
    Ok(0)
}

/// Lists the rules, or tells one.
pub fn rules(arguments: &RulesArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    if arguments.rule.as_deref() == Some("test") {
        return super::search::test_rules(&arguments.tested, global);
    }
    if let Some(stray) = arguments.tested.first() {
        return Err(
            invalid(format!("{stray} follows a rule"), "name one rule, or `test` and what to test").into()
        );
    }
    let (platform, _) = door::platform(global, Warnings::Told)?;
    if let Some(name) = &arguments.rule {
        let rule = platform.review_rule(name)?;
        if global.json {
            terminal::print_json(&rule)?;
        } else {
            terminal::print(&render::rule(&rule))?;
        }
        return Ok(0);
    }
    let mut rules = platform.review_rules();
    rules.retain(|rule| arguments.types.is_empty() || arguments.types.contains(&rule.category));
    if global.json {
        terminal::print_json(&rules)?;
    } else {
        terminal::print(&render::rules(&rules))?;
    }
    Ok(0)
}

fn review(
    scope: &ScopeArguments,
    record: bool,
    global: &GlobalArguments,
) -> Result<(Platform, ReviewDone), Stop> {
    let warnings = if scope.quiet { Warnings::Hidden } else { Warnings::Told };
    let (platform, sources) = door::platform(global, warnings)?;
    let working_folder = sources
        .working_folder
        .clone()
        .ok_or_else(|| invalid("the folder where you stand is gone", "change into a folder that exists"))?;
    let options = ReviewOptions {
        working_folder,
        paths: scope.paths.clone(),
        new: scope.new.clone(),
        baseline: scope.baseline.clone(),
        history: scope.history.clone(),
        tools: scope.tools.clone(),
        record,
        cache: sources.cache_folder().filter(|_| !scope.no_cache).map(|folder| folder.join("review")),
    };
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    let progress = Progress::new(scope.quiet || global.json);
    let watch = Watch {
        progress: &|what, done, total| progress.show(what, done, total),
        cancelled: &|| cancel.is_cancelled(),
    };
    let done = platform.review(&options, watch);
    progress.finish();
    Ok((platform, done?))
}

type Outputs<'a> = Vec<(&'a Path, Format)>;

fn outputs(arguments: &ReviewArguments) -> Result<Outputs<'_>, Failure> {
    let form = |path: &'_ Path| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        Format::of_ending(ending).ok_or_else(|| {
            let message = format!("the ending of {} tells no form", path.display());
            invalid(message, "end it in json, sarif, html, md, xml, csv or txt")
        })
    };
    arguments.output.iter().map(|path| Ok((path.as_path(), form(path)?))).collect()
}
