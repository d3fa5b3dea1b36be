//! The doctor's report for people.

use super::table::{Cell, Table};
use crate::commands::languages;
use crate::terminal::{BAD, CAUTION, GOOD, HEADING, printable};
use formicary_model::ProtectionState;
use formicary_platform::doctor::{DoctorReport, ProviderReport, Verdict};

/// The report as text, with styles.
pub fn render(report: &DoctorReport) -> String {
    let mut text = heading("Host");
    text += &host(report);
    for provider in &report.providers {
        let configured = if provider.configured { ", used for runs" } else { "" };
        if let Some(why) = &provider.unavailable {
            text += &heading(&format!("Provider {}: not available{configured}", provider.name));
            text += &format!("{}\n", printable(why));
            continue;
        }
        text += &heading(&format!("Provider {}: level {}{configured}", provider.name, provider.level));
        text += &protections(provider);
    }
    text += &heading("Levels");
    text += &levels(report);
    text += &heading("Languages");
    text += &languages::table(&report.languages).render();
    text += &heading("Debuggers");
    text += &debuggers(report);
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

fn levels(report: &DoctorReport) -> String {
    let mut table = Table::new(&["LEVEL", "PROVIDERS", "GUARANTEES"]);
    for level in &report.levels {
        let providers = if level.providers.is_empty() { "none".into() } else { level.providers.join(", ") };
        table.row([level.level.word().into(), providers.as_str().into(), level.guarantees.into()]);
    }
    table.render()
}

fn debuggers(report: &DoctorReport) -> String {
    let mut table = Table::new(&["DEBUGGER", "", "LANGUAGES", "HOW TO GET IT"]);
    for debugger in &report.debuggers {
        let mark = match debugger.there {
            Some(true) => Cell::styled("ok", GOOD),
            Some(false) => Cell::from("-"),
            None => Cell::from("?"),
        };
        let get = debugger.get.filter(|_| debugger.there != Some(true)).unwrap_or_default();
        table.row([debugger.name.into(), mark, debugger.languages.join(", ").as_str().into(), get.into()]);
    }
    table.render()
}

fn heading(text: &str) -> String {
    format!("\n{HEADING}{text}{HEADING:#}\n")
}

fn host(report: &DoctorReport) -> String {
    let mut table = Table::new(&["WHAT", "", "FOUND"]);
    for fact in &report.host {
        let mark = match fact.verdict {
            Verdict::Good => Cell::styled("ok", GOOD),
            Verdict::Note => Cell::from("-"),
            Verdict::Bad => Cell::styled("no", BAD),
        };
        table.row([fact.name.into(), mark, fact.value.as_str().into()]);
    }
    table.render() + &remedies(report.host.iter().map(|fact| (fact.name, fact.remedy)))
}

fn protections(provider: &ProviderReport) -> String {
    let mut table = Table::new(&["PROTECTION", "STATE", "BY"]);
    for report in &provider.protections {
        let (state, by) = match &report.state {
            ProtectionState::Enforced(by) => (Cell::styled("enforced", GOOD), by),
            ProtectionState::Watched(by) => (Cell::styled("watched", CAUTION), by),
            ProtectionState::Missing(why) => (Cell::styled("missing", BAD), why),
            ProtectionState::Waived(why) => (Cell::styled("waived", CAUTION), why),
        };
        table.row([report.protection.word().into(), state, by.as_str().into()]);
    }
    table.render() + &remedies(provider.protections.iter().map(|r| (r.protection.word(), r.remedy)))
}

// Below the table, not in it: one long line would push every column away. One remedy may serve several.
fn remedies<'a>(wanting: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> String {
    let mut by_remedy: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, remedy) in wanting {
        let Some(remedy) = remedy else { continue };
        match by_remedy.iter_mut().find(|(known, _)| *known == remedy) {
            Some((_, names)) => names.push(name),
            None => by_remedy.push((remedy, vec![name])),
        }
    }
    let line = |(remedy, names): (&str, Vec<&str>)| {
        format!("{CAUTION}remedy{CAUTION:#} for {}: {}\n", names.join(", "), printable(remedy))
    };
    by_remedy.into_iter().map(line).collect()
}
