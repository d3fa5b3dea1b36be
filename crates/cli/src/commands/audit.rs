//! `formicary audit`.

use crate::arguments::GlobalArguments;
use crate::arguments::audit::{AuditArguments, AuditVerb, ExportFormat, FilterArguments};
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render;
use crate::terminal;
use formicary_model::Failure;
use formicary_platform::Platform;
use formicary_platform::audit::time::Moment;
use formicary_platform::audit::{COLUMNS, Filter, export_csv};
use formicary_platform::exit;

/// Reads the audit log, or lets old records go.
pub fn run(arguments: &AuditArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, _) = door::platform(global, Warnings::Told)?;
    match &arguments.verb {
        AuditVerb::Verify { expected, archive } => {
            let found = match archive {
                Some(archive) => platform.audit_verify_archive(archive, expected)?,
                None => platform.audit_verify(expected)?,
            };
            show(global, &found, || render::audit::verification(&found))?;
            Ok(if found.intact { 0 } else { exit::CHANGED })
        }
        AuditVerb::Query { filter, limit } => {
            let records = platform.audit_query(&wanted(filter)?, *limit)?;
            show(global, &records, || render::audit::records(&records))?;
            Ok(0)
        }
        AuditVerb::Export { filter, format } => {
            export(&platform, &wanted(filter)?, *format)?;
            Ok(0)
        }
        AuditVerb::Prune { before, archive } => {
            let report = platform.audit_prune(Moment::read(before)?, archive.as_deref())?;
            show(global, &report, || format!("{} records were let go\n", report.removed))?;
            Ok(0)
        }
    }
}

fn show(
    global: &GlobalArguments,
    value: &impl serde::Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Stop> {
    if global.json {
        terminal::print_json(value)?
    } else {
        terminal::print(&text())?
    }
    Ok(())
}

fn wanted(arguments: &FilterArguments) -> Result<Filter, Failure> {
    let moment = |text: &Option<String>| {
        text.as_deref().map(|text| Moment::read(text).map(|moment| moment.0)).transpose()
    };
    Ok(Filter {
        since_ms: moment(&arguments.since)?,
        until_ms: moment(&arguments.until)?,
        caller: arguments.caller.clone(),
        tenant: arguments.tenant.clone(),
        language: arguments.language.clone(),
        status: arguments.status.clone(),
        run_id: arguments.run.clone(),
        text: arguments.text.clone(),
        ..Filter::default()
    })
}

fn export(platform: &Platform, filter: &Filter, format: ExportFormat) -> Result<(), Stop> {
    if format == ExportFormat::Csv {
        terminal::print(&format!("{COLUMNS}\n"))?;
    }
    let mut stop = None;
    let done = platform.audit_export(filter, &mut |sealed, record, before| {
        let line = match format {
            ExportFormat::Jsonl => sealed.line(before),
            ExportFormat::Csv => export_csv(sealed, record),
        };
        terminal::print(&format!("{line}\n")).map_err(|why| {
            stop = Some(why);
            Failure::new(formicary_model::FailureKind::Cancelled, "cancelled")
        })
    });
    match stop {
        Some(error) => Err(error.into()),
        None => Ok(done.map(drop)?),
    }
}
