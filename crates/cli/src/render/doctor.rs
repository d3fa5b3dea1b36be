//! The doctor's report for people.

use super::table::{Cell, Table, wrap};
use crate::terminal::{BAD, CAUTION, GOOD, HEADING};
use formicary_model::ProtectionState;
use formicary_model::visible::one_line;
use formicary_platform::doctor::{AuditReport, Conclusion, DoctorReport, ProviderReport, Verdict};
use formicary_platform::{Availability, LanguageStatus};

/// Lines are no longer than this where words allow it.
const WIDTH: usize = 80;

/// The verdict and what to do, in a few lines with styles.
pub fn summary(report: &DoctorReport) -> String {
    let mut text = verdict(report);
    for provider in report.providers.iter().filter(|provider| provider.configured) {
        text += &entry("Provider", &provider_line(provider));
    }
    let (here, missing): (Vec<_>, Vec<_>) =
        report.languages.iter().partition(|language| language.availability.is_available());
    let names = |languages: &[&LanguageStatus]| {
        languages.iter().map(|language| language.id.as_str()).collect::<Vec<_>>().join(", ")
    };
    let here = if here.is_empty() { "none".to_owned() } else { names(&here) };
    text += &entry("Languages", &here);
    if !missing.is_empty() {
        text += &entry("Not here", &names(&missing));
    }
    text += &entry("Audit log", &audit_line(&report.audit));
    for fact in report.host.iter().filter(|fact| fact.verdict == Verdict::Bad) {
        text += &entry(fact.name, &fact.value);
    }
    text += &remedies(report.host.iter().map(|fact| (fact.name, fact.remedy)));
    for provider in report.providers.iter().filter(|provider| provider.configured) {
        text += &remedies(provider.protections.iter().map(|one| (one.protection.word(), one.remedy)));
    }
    text +=
        &wrapped("`formicary doctor --details` shows every protection, provider, language and debugger.", 0);
    text + &conclusion(&report.conclusion)
}

/// One line, however long it is: it is what people copy.
fn conclusion(conclusion: &Conclusion) -> String {
    let missing = match conclusion.missing.as_slice() {
        [] => "nothing".to_owned(),
        missing => missing.join(", "),
    };
    let next = match &conclusion.command {
        Some(command) => format!("; what helps most: {command}"),
        None if conclusion.missing.is_empty() => "; try: formicary run -l bash -c 'echo Hello'".to_owned(),
        None => String::new(),
    };
    one_line(&format!("Works: {}; missing: {missing}{next}", conclusion.works)) + "\n"
}

/// Everything that was found as text, with styles.
pub fn details(report: &DoctorReport) -> String {
    let mut text = verdict(report);
    text += &entry("Audit log", &audit_line(&report.audit));
    text += &heading("Host");
    text += &host(report);
    for provider in &report.providers {
        let configured = if provider.configured { ", used for runs" } else { "" };
        if let Some(why) = &provider.unavailable {
            text += &heading(&format!("Provider {}: not available{configured}", provider.name));
            text += &wrapped(why, 0);
            continue;
        }
        text += &heading(&format!("Provider {}: level {}{configured}", provider.name, provider.level));
        text += &protections(provider);
    }
    text += &heading("Levels");
    text += &levels(report);
    text += &heading("Languages");
    text += &languages(report);
    text += &heading("Debuggers");
    text += &debuggers(report);
    text + "\n" + &conclusion(&report.conclusion)
}

fn verdict(report: &DoctorReport) -> String {
    if report.isolated {
        format!("{GOOD}Untrusted code can be isolated here{GOOD:#} (level {}).\n", report.level)
    } else {
        format!("{BAD}Untrusted code cannot be isolated here{BAD:#} (level {}).\n", report.level)
    }
}

fn provider_line(provider: &ProviderReport) -> String {
    if let Some(why) = &provider.unavailable {
        return format!("{}, not available: {why}", provider.name);
    }
    let count =
        |of: fn(&ProtectionState) -> bool| provider.protections.iter().filter(|one| of(&one.state)).count();
    let counts = [
        (count(|state| matches!(state, ProtectionState::Enforced(_))), "enforced"),
        (count(|state| matches!(state, ProtectionState::Watched(_))), "watched"),
        (count(|state| matches!(state, ProtectionState::Missing(_))), "missing"),
        (count(|state| matches!(state, ProtectionState::Waived(_))), "waived"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    format!("{}, {} protections", provider.name, counts.collect::<Vec<_>>().join(", "))
}

fn audit_line(audit: &AuditReport) -> String {
    match (&audit.place, &audit.why) {
        (Some(place), None) => match audit.max_bytes {
            Some(most) => format!("{place}, at most {} MiB", most >> 20),
            None => place.clone(),
        },
        (_, why) => format!("runs are not logged: {}", why.as_deref().unwrap_or("no reason is known")),
    }
}

/// A name, and what there is to say of it.
fn entry(name: &str, text: &str) -> String {
    const COLUMN: usize = 11;
    let text = wrapped(text, COLUMN);
    format!(
        "{HEADING}{name}{HEADING:#}{}{}",
        " ".repeat(COLUMN.saturating_sub(name.chars().count()).max(1)),
        text.trim_start()
    )
}

/// Words on lines that are not too long, each indented.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = wrap(&one_line(text), WIDTH.saturating_sub(indent));
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines.iter().map(|line| format!("{}{line}\n", " ".repeat(indent))).collect()
}

fn levels(report: &DoctorReport) -> String {
    let mut table = Table::new(&["LEVEL", "PROVIDERS", "GUARANTEES"]);
    for level in &report.levels {
        let providers = if level.providers.is_empty() { "none".into() } else { level.providers.join(", ") };
        table.row([level.level.word().into(), providers.as_str().into(), level.guarantees.into()]);
    }
    table.render_within(WIDTH)
}

// Aliases and file names are shown by `formicary languages`; here they would make lines too long.
fn languages(report: &DoctorReport) -> String {
    let mut table = Table::new(&["LANGUAGE", "HERE", "PROGRAM OR REMEDY"]);
    for language in &report.languages {
        let (here, detail) = match &language.availability {
            Availability::Available { program } => (Cell::styled("yes", GOOD), program.clone()),
            Availability::Missing { why, remedy } => (Cell::styled("no", BAD), format!("{why}; {remedy}")),
        };
        table.row([language.id.as_str().into(), here, detail.into()]);
    }
    table.render_within(WIDTH)
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
    table.render_within(WIDTH)
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
    table.render_within(WIDTH) + &remedies(report.host.iter().map(|fact| (fact.name, fact.remedy)))
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
    table.render_within(WIDTH)
        + &remedies(provider.protections.iter().map(|r| (r.protection.word(), r.remedy)))
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
        let text = wrapped(&format!("for {}: {remedy}", names.join(", ")), 2);
        format!("{CAUTION}remedy{CAUTION:#}\n{text}")
    };
    by_remedy.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::Level;
    use formicary_platform::Platform;
    use formicary_platform::config::{ConfigSources, Configuration};

    fn report() -> DoctorReport {
        let sources = ConfigSources::default();
        Platform::new(Configuration::load(&sources).unwrap(), &sources).unwrap().doctor()
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn the_verdict_comes_first_and_the_rest_is_short() {
        let mut report = report();
        (report.isolated, report.level) = (true, Level::Full);
        let text = plain(&summary(&report));
        assert!(text.starts_with("Untrusted code can be isolated here (level full).\n"), "{text}");
        assert!(text.lines().count() < 30, "{text}");
        assert!(text.contains("runs are not logged: there is no home directory"), "{text}");
        (report.isolated, report.level) = (false, Level::None);
        for text in [summary(&report), details(&report)] {
            assert!(plain(&text).starts_with("Untrusted code cannot be isolated here (level none).\n"));
        }
    }

    #[test]
    fn the_last_line_sums_up() {
        let mut report = report();
        let mut check = |missing: &[&str], command: Option<&str>, expected: &str| {
            report.conclusion = Conclusion {
                works: "isolation at level full, 9 languages".into(),
                missing: missing.iter().map(|name| (*name).to_owned()).collect(),
                command: command.map(str::to_owned),
            };
            for text in [summary(&report), details(&report)] {
                assert_eq!(plain(&text).lines().last(), Some(expected));
            }
        };
        const WORKS: &str = "Works: isolation at level full, 9 languages; missing: ";
        check(&[], None, &format!("{WORKS}nothing; try: formicary run -l bash -c 'echo Hello'"));
        check(&["go", "java"], None, &format!("{WORKS}go, java"));
        check(
            &["go"],
            Some("sudo apt-get install golang-go"),
            &format!("{WORKS}go; what helps most: sudo apt-get install golang-go"),
        );
    }

    #[test]
    fn lines_are_broken_between_words_alone() {
        let report = report();
        for text in [summary(&report), details(&report)] {
            let text = plain(&text);
            // The last line is one line.
            let (text, _) = text.trim_end().rsplit_once('\n').unwrap();
            for line in text.lines() {
                // What is longer is one word, such as a path.
                let longest = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
                let indent = line.chars().count() - line.trim_start().chars().count();
                assert!(line.chars().count() <= WIDTH || longest + indent + 40 > WIDTH, "{line:?}");
            }
        }
    }
}
