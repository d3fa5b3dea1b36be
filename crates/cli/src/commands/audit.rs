//! `formicary audit`.

use crate::arguments::GlobalArguments;
use crate::arguments::audit::{AuditArguments, AuditVerb, ExportFormat, FilterArguments};
use crate::door::{self, Warnings};
use crate::failure::Stop;
use crate::render;
use crate::terminal;
use formicary_model::Failure;
use formicary_model::operation::{AuditInput, VerifyAuditInput};
use formicary_model::use_case::Number;
use formicary_platform::Platform;
use formicary_platform::audit::time::Moment;
use formicary_platform::audit::{COLUMNS, Filter, export_csv};
use formicary_platform::exit;
use formicary_platform::operation::{ReadAudit, VerifyAudit, filter_of};

/// Reads the audit log, or lets old records go.
pub fn run(arguments: &AuditArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let context = door::context(&sources);
    match &arguments.verb {
        AuditVerb::Verify { expected, archive } => {
            let found = match archive {
                Some(archive) => platform.audit_verify_archive(archive, expected)?,
                None => {
                    let input = VerifyAuditInput { expected: expected.clone() };
                    platform.perform::<VerifyAudit>(&context, input)?.0
                }
            };
            terminal::show(global.json, &found, || render::audit::verification(&found))?;
            Ok(if found.intact { 0 } else { exit::CHANGED })
        }
        AuditVerb::Query { filter, limit } => {
            let page = platform.perform::<ReadAudit>(&context, input(filter, *limit)?)?;
            let records: Vec<_> = page.items.into_iter().map(|record| record.0).collect();
            terminal::show(global.json, &records, || render::audit::records(&records))?;
            Ok(0)
        }
        AuditVerb::Export { filter, format } => {
            export(&platform, &filter_of(&input(filter, 0)?)?, *format)?;
            Ok(0)
        }
        AuditVerb::Prune { before, archive } => {
            let report = platform.audit_prune(Moment::read(before)?, archive.as_deref())?;
            terminal::show(global.json, &report, || format!("{} records were let go\n", report.removed))?;
            Ok(0)
        }
    }
}

fn input(arguments: &FilterArguments, limit: usize) -> Result<AuditInput, Failure> {
    let arguments = arguments.clone();
    Ok(AuditInput {
        since: arguments.since,
        until: arguments.until,
        caller: arguments.caller,
        tenant: arguments.tenant,
        language: arguments.language,
        status: arguments.status,
        run_id: arguments.run,
        text: arguments.text,
        most: Number::new(limit as f64)?,
        cursor: None,
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
