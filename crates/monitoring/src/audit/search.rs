//! Finding records, and writing them out for other programs.

use super::chain::{PAGE, Sealed};
use super::record::AuditRecord;
use super::store::{AuditError, AuditStore, Order};
use std::ops::ControlFlow;

/// Which records are wanted; what is absent does not matter.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Not older than this, in milliseconds since the Unix epoch.
    pub since_ms: Option<u64>,
    /// Older than this.
    pub until_ms: Option<u64>,
    /// Of callers of this name.
    pub caller: Option<String>,
    /// Of this tenant.
    pub tenant: Option<String>,
    /// In this language.
    pub language: Option<String>,
    /// With this status, kind of failure, or kind of record.
    pub status: Option<String>,
    /// Of this run.
    pub run_id: Option<String>,
    /// With this in their text, in whatever case.
    pub text: Option<String>,
    /// Before this number: the next page of a search from the newest on.
    pub before_seq: Option<u64>,
}

impl Filter {
    /// Whether a record is wanted.
    pub fn takes(&self, record: &AuditRecord, body: &str) -> bool {
        let same = |wanted: &Option<String>, found: Option<&str>| match wanted {
            Some(wanted) => found == Some(wanted.as_str()),
            None => true,
        };
        let status = match &self.status {
            None => true,
            Some(wanted) => {
                record.status.is_some_and(|status| status.word() == wanted)
                    || record.failure.as_ref() == Some(wanted)
                    || record.kind.word() == wanted
            }
        };
        let text = || match &self.text {
            None => true,
            Some(wanted) => body.to_lowercase().contains(&wanted.to_lowercase()),
        };
        status
            && self.since_ms.is_none_or(|since| record.at_ms >= since)
            && self.until_ms.is_none_or(|until| record.at_ms < until)
            && same(&self.caller, Some(&record.caller.name))
            && same(&self.tenant, record.caller.tenant.as_deref())
            && same(&self.language, record.language.as_deref())
            && same(&self.run_id, Some(&record.run_id))
            && text()
    }
}

/// Shows records that are wanted to `show`, until it has enough.
pub fn search(
    store: &mut dyn AuditStore,
    filter: &Filter,
    order: Order,
    show: &mut dyn FnMut(&Sealed, &AuditRecord) -> ControlFlow<()>,
) -> Result<(), AuditError> {
    let lowest = filter.since_ms.map_or(Ok(0), |since| store.last_before(since).map(|seq| seq + 1))?;
    let highest = filter.before_seq.map_or(u64::MAX, |seq| seq.saturating_sub(1));
    let mut from = if order == Order::Falling { highest } else { lowest };
    loop {
        let page = store.page(from, order, PAGE)?;
        for sealed in &page {
            if sealed.seq < lowest || sealed.seq > highest {
                return Ok(());
            }
            // What cannot be read is `verify`'s to tell of.
            let Ok(record) = sealed.record() else { continue };
            if filter.takes(&record, &sealed.body) && show(sealed, &record).is_break() {
                return Ok(());
            }
        }
        let Some(last) = page.last().filter(|_| page.len() == PAGE) else { return Ok(()) };
        from = match order {
            Order::Rising => last.seq + 1,
            Order::Falling if last.seq <= 1 => return Ok(()),
            Order::Falling => last.seq - 1,
        };
    }
}

/// The columns of a CSV.
pub const COLUMNS: &str = "seq,at_ms,kind,run_id,caller,tenant,door,language,provider,code_hash,code_bytes,status,exit_code,duration,cpu_user,cpu_system,memory_peak,level,violations,failure,message,hash";

/// One line of a CSV, without what does not fit into a cell.
pub fn export_csv(sealed: &Sealed, record: &AuditRecord) -> String {
    let number = |value: Option<f64>| value.map(|number| number.to_string()).unwrap_or_default();
    let usage = record.usage.as_ref();
    let violations: Vec<String> =
        record.violations.iter().map(|violation| format!("{}×{}", violation.what, violation.count)).collect();
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let cells = [
        sealed.seq.to_string(),
        record.at_ms.to_string(),
        record.kind.word().into(),
        record.run_id.clone(),
        record.caller.name.clone(),
        text(&record.caller.tenant),
        text(&record.caller.door),
        text(&record.language),
        text(&record.provider),
        text(&record.code_hash),
        record.code_bytes.map(|bytes| bytes.to_string()).unwrap_or_default(),
        record.status.map(|status| status.word().to_owned()).unwrap_or_default(),
        record.exit_code.map(|code| code.to_string()).unwrap_or_default(),
        number(record.duration),
        number(usage.map(|usage| usage.cpu_user)),
        number(usage.map(|usage| usage.cpu_system)),
        usage.and_then(|usage| usage.memory_peak).map(|bytes| bytes.to_string()).unwrap_or_default(),
        record.level.map(|level| level.word().to_owned()).unwrap_or_default(),
        violations.join(" "),
        text(&record.failure),
        text(&record.message),
        sealed.hash.clone(),
    ];
    cells.map(|cell| csv_cell(&cell)).join(",")
}

/// A cell that no spreadsheet takes for a formula.
fn csv_cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '@', '\t', '\r'])
        || (text.starts_with('-') && text.parse::<f64>().is_err());
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_mean_nothing_to_a_spreadsheet() {
        for (text, cell) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=1+1", "'=1+1"),
            ("-1", "-1"),
            ("-1+cmd", "'-1+cmd"),
            ("@x\ny", "\"'@x\ny\""),
        ] {
            assert_eq!(csv_cell(text), cell);
        }
    }
}
