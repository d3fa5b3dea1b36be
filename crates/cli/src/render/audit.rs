//! Audit records for people.

use super::table::Table;
use formicary_platform::audit::Verification;
use formicary_platform::audit::reading::ShownRecord;
use std::fmt::Write as _;

/// What came of a look at the chain.
pub fn verification(found: &Verification) -> String {
    let mut text = match found.records {
        0 => "no records\n".to_owned(),
        count => format!("{count} records, {} to {}\n", found.first, found.last),
    };
    // Writing to a String cannot fail.
    if found.unfinished > 0 {
        let _ = writeln!(text, "{} runs have no end: under way, or ended by force", found.unfinished);
    }
    if found.intact {
        let _ = writeln!(text, "intact; head {}", found.head);
    } else {
        let _ = writeln!(text, "CHANGED:");
        for problem in &found.problems {
            let _ = writeln!(text, "  record {}: {}", problem.seq, problem.what);
        }
    }
    text
}

/// Records, one line each.
pub fn records(records: &[ShownRecord]) -> String {
    if records.is_empty() {
        return "no record fits\n".into();
    }
    let mut table = Table::new(&["SEQ", "WHEN", "WHO", "KIND", "LANGUAGE", "VERDICT", "SECONDS", "RUN"]);
    for shown in records {
        let record = &shown.record;
        let who = match &record.caller.tenant {
            Some(tenant) => format!("{}/{}", tenant, record.caller.name),
            None => record.caller.name.clone(),
        };
        let verdict = record.status.map(|status| status.word().to_owned()).or_else(|| record.failure.clone());
        table.row([
            shown.seq.to_string().into(),
            shown.at.clone().into(),
            who.into(),
            record.kind.word().into(),
            record.language.clone().unwrap_or_default().into(),
            verdict.unwrap_or_default().into(),
            record.duration.map(|seconds| format!("{seconds:.3}")).unwrap_or_default().into(),
            record.run_id.clone().into(),
        ]);
    }
    table.render()
}
