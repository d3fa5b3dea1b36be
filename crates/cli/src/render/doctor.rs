//! The doctor's report for people.

use super::table::{Cell, Table};
use crate::commands::languages;
use crate::terminal::{BAD, CAUTION, GOOD, HEADING};
use formicary_model::ProtectionState;
use formicary_platform::doctor::{DoctorReport, ProviderReport, Verdict};

/// The report as text, with styles.
pub fn render(report: &DoctorReport) -> String {
    let mut text = heading("Host");
    text += &host(report).render();
    for provider in &report.providers {
        let configured = if provider.configured { ", used for runs" } else { "" };
        text += &heading(&format!("Provider {}: level {}{configured}", provider.name, provider.level));
        text += &protections(provider).render();
    }
    text += &heading("Languages");
    text += &languages::table(&report.languages).render();
    text += &heading("Verdict");
    text += &if report.isolated {
        format!("{GOOD}Untrusted code can be isolated here{GOOD:#} (level {}).\n", report.level)
    } else {
        format!(
            "{BAD}Untrusted code cannot be isolated here{BAD:#} (level {}): see the remedies above.\n",
            report.level
        )
    };
    text.trim_start().to_owned()
}

fn heading(text: &str) -> String {
    format!("\n{HEADING}{text}{HEADING:#}\n")
}

fn host(report: &DoctorReport) -> Table {
    let mut table = Table::new(&["WHAT", "", "FOUND", "REMEDY"]);
    for fact in &report.host {
        let mark = match fact.verdict {
            Verdict::Good => Cell::styled("ok", GOOD),
            Verdict::Note => Cell::from("-"),
            Verdict::Bad => Cell::styled("no", BAD),
        };
        table.row([
            fact.name.into(),
            mark,
            fact.value.as_str().into(),
            fact.remedy.unwrap_or_default().into(),
        ]);
    }
    table
}

fn protections(provider: &ProviderReport) -> Table {
    let mut table = Table::new(&["PROTECTION", "STATE", "BY", "REMEDY"]);
    for report in &provider.protections {
        let (state, by) = match &report.state {
            ProtectionState::Enforced(by) => (Cell::styled("enforced", GOOD), by),
            ProtectionState::Watched(by) => (Cell::styled("watched", CAUTION), by),
            ProtectionState::Missing(why) => (Cell::styled("missing", BAD), why),
            ProtectionState::Waived(why) => (Cell::styled("waived", CAUTION), why),
        };
        let remedy = report.remedy.unwrap_or_default();
        table.row([report.protection.word().into(), state, by.as_str().into(), remedy.into()]);
    }
    table
}
