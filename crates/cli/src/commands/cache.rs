//! `formicary cache`.

use crate::arguments::GlobalArguments;
use crate::arguments::cache::{CacheArguments, CacheVerb};
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render::table::Table;
use crate::terminal::{self, FAINT};
use formicary_model::NoInput;
use formicary_model::operation::PruneInput;
use formicary_platform::config::units::show_bytes;
use formicary_platform::operation::{ListCache, PruneCache};
use formicary_platform::packages::CacheReport;

/// Shows or removes what is kept for the next time.
pub fn run(arguments: &CacheArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let context = door::context(&sources);
    let (report, pruned) = match arguments.verb.unwrap_or(CacheVerb::List) {
        CacheVerb::List => (platform.perform::<ListCache>(&context, NoInput {})?.0, false),
        CacheVerb::Prune { all } => (platform.perform::<PruneCache>(&context, PruneInput { all })?.0, true),
    };
    if global.json {
        terminal::print_json(&report)?;
    } else if pruned {
        terminal::print(&removed(&report))?;
    } else {
        terminal::print(&listed(&report))?;
    }
    Ok(0)
}

fn removed(report: &CacheReport) -> String {
    format!(
        "removed {} compiled programs and {} package environments, {}\n",
        report.compiled_programs,
        report.environments.len(),
        show_bytes(report.bytes() as f64)
    )
}

fn listed(report: &CacheReport) -> String {
    let mut text = format!(
        "{} compiled programs, {}\n{} package environments, {}\n",
        report.compiled_programs,
        show_bytes(report.compiled_bytes as f64),
        report.environments.len(),
        show_bytes((report.bytes() - report.compiled_bytes) as f64)
    );
    if report.environments.is_empty() {
        return text;
    }
    let mut table = Table::new(&["ENVIRONMENT", "PYTHON", "SIZE", "REQUIREMENTS"]);
    for kept in &report.environments {
        let short = |line: &String| line.split(" --hash").next().unwrap_or_default().to_string();
        table.row([
            kept.name.chars().take(12).collect::<String>().into(),
            kept.python.as_str().into(),
            show_bytes(kept.bytes as f64).into(),
            kept.requirements.iter().map(short).collect::<Vec<_>>().join(" ").into(),
        ]);
    }
    text.push_str(&format!("\n{}", table.render()));
    text.push_str(&format!("{FAINT}used last first{FAINT:#}\n"));
    text
}
