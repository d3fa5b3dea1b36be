//! `formicary review`, `gate`, `metrics` and `rules`.

use crate::arguments::GlobalArguments;
use crate::arguments::review::{
    FailOn, GateArguments, MetricsArguments, ReviewArguments, RulesArguments, ScopeArguments,
};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::review::{self as render, Progress};
use crate::terminal;
use formicary_model::Failure;
use formicary_model::review::{
    BaselineInput, FixFindingsInput, ReviewInput, ReviewScope, RulesInput, Severity,
};
use formicary_model::visible::one_line;
use formicary_platform::exit;
use formicary_platform::review::{
    CheckGates, Display, FixFindings, Format, ListRules, ReviewCode, Reviewed, WriteBaseline,
    generate_report, terminal as text,
};
use formicary_platform::use_case::UseCase;
use std::path::Path;

/// Reviews, and shows what was found.
pub fn run(arguments: ReviewArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let outputs = outputs(&arguments)?;
    let scope = ReviewScope { record: arguments.record, ..scope(&arguments.scope)? };
    if arguments.write_baseline {
        let written = perform::<WriteBaseline>(BaselineInput(scope), &arguments.scope, global)?;
        let count = formicary_platform::review::counted(written.findings, "known finding");
        terminal::show(global.json, &written, || format!("{count} in {}\n", one_line(&written.path)))?;
        return Ok(0);
    }
    if arguments.fix {
        let write = !arguments.dry_run;
        let input = FixFindingsInput { scope, unsafe_fixes: arguments.unsafe_fixes, write };
        let fixed = perform::<FixFindings>(input, &arguments.scope, global)?;
        terminal::show(global.json, &fixed, || render::fixed(&fixed))?;
        return Ok(0);
    }
    let only_new = scope.new.is_some();
    let input = ReviewInput {
        scope,
        types: arguments.types.clone(),
        severity: arguments.severity,
        limit: arguments.limit,
        ..ReviewInput::default()
    };
    let done = perform::<ReviewCode>(input, &arguments.scope, global)?;
    let display = Display { only_new, ..done.display.clone() };
    let rules = formicary_platform::review::all_rules();
    for (path, format) in &outputs {
        let report = generate_report(&done.review, *format, &display, &rules);
        let report = if *format == Format::Terminal { terminal::without_styles(&report) } else { report };
        door::write(path, report.as_bytes())?;
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
fn fails(done: &Reviewed, fail_on: Option<Severity>) -> bool {
    let Some(least) = fail_on else { return false };
    let counts = |standing: formicary_model::review::Standing| standing.is_blamed() || standing.is_unknown();
    let mut open = done.review.report.open_findings();
    open.any(|finding| finding.severity >= least && counts(finding.standing))
}

/// Checks the gates.
pub fn gate(arguments: &GateArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let done = perform::<CheckGates>(scope(&arguments.scope)?, &arguments.scope, global)?;
    if global.json {
        terminal::print_json(&done)?;
    } else {
        terminal::print(&render::change(done.report.change.as_ref(), &done.viewpoint))?;
        terminal::print(&text::gate_lines(&done.report.gate))?;
    }
    Ok(if done.report.gate.passed { 0 } else { exit::NOT_PASSED })
}

/// Shows what was measured.
pub fn metrics(arguments: &MetricsArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let input = ReviewInput { scope: scope(&arguments.scope)?, ..ReviewInput::default() };
    let done = perform::<ReviewCode>(input, &arguments.scope, global)?;
    let report = &done.review.report;
    terminal::show(
        global.json,
        &serde_json::json!({
            "project": report.project,
            "files": report.files,
            "modules": report.modules,
            "dependencies": report.dependencies,
        }),
        || render::metrics(report, arguments.by, arguments.limit, &done.display.viewpoint),
    )?;
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
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let input = RulesInput { rule: arguments.rule.clone(), types: arguments.types.clone() };
    let rules = platform.perform::<ListRules>(&door::context(&sources), input)?.items;
    match (rules.as_slice(), arguments.rule.is_some()) {
        ([rule], true) if global.json => terminal::print_json(rule)?,
        ([rule], true) => terminal::print(&render::rule(rule))?,
        (rules, _) if global.json => terminal::print_json(&rules)?,
        (rules, _) => terminal::print(&render::rules(rules))?,
    }
    Ok(0)
}

fn scope(arguments: &ScopeArguments) -> Result<ReviewScope, Failure> {
    let path = |path: &Option<_>| path.as_deref().map(door::path).transpose();
    Ok(ReviewScope {
        code: door::code(&arguments.paths)?,
        new: arguments.new.clone(),
        baseline: path(&arguments.baseline)?,
        history: path(&arguments.history)?,
        tools: arguments.tools.clone(),
        gates: (!arguments.gate.is_empty()).then(|| arguments.gate.iter().cloned().collect()),
        without_cache: arguments.no_cache,
        ..ReviewScope::default()
    })
}

/// Performs a use case of reviews, with a bar for those who look on.
fn perform<U: UseCase>(
    input: U::Input,
    scope: &ScopeArguments,
    global: &GlobalArguments,
) -> Result<U::Output, Stop> {
    let warnings = if scope.quiet { Warnings::Hidden } else { Warnings::Told };
    let (platform, sources) = door::platform(global, warnings)?;
    let progress = Progress::new(scope.quiet || global.json);
    let done = platform.perform::<U>(&door::context(&sources).observed(&progress), input);
    progress.finish();
    Ok(done?)
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
