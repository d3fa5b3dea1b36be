//! The doctor's last line: what works, what is missing, and the one command that helps most.

use super::{DoctorReport, Verdict};
use formicary_execution::{Availability, LanguageOrigin, LanguageStatus};
use formicary_model::Level;
use serde::Serialize;
use std::path::Path;

/// Debian's packages that bring a language's tools.
const PACKAGES: [(&str, &str); 9] = [
    ("python", "python3"),
    ("javascript", "nodejs"),
    ("typescript", "nodejs"),
    ("java", "default-jdk-headless"),
    ("c", "gcc"),
    ("cpp", "g++"),
    ("go", "golang-go"),
    ("rust", "rustc"),
    ("bash", "bash"),
];

/// Everything in one line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Conclusion {
    /// What works, in a few words.
    pub works: String,
    /// What is missing, the most important first.
    pub missing: Vec<String>,
    /// The one command that helps most; absent if nothing is missing, or no single command helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// What else the host offers to help with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Means {
    apt: bool,
    systemd: bool,
}

impl Means {
    /// Of the host whose files are below `root`.
    pub(super) fn of(root: &Path) -> Self {
        Self { apt: root.join("usr/bin/apt-get").exists(), systemd: root.join("run/systemd/system").exists() }
    }
}

/// Sums a report up. What weighs most decides the command: isolation, then limits, then languages.
pub(super) fn conclude(report: &DoctorReport, means: Means) -> Conclusion {
    let (here, absent): (Vec<_>, Vec<_>) =
        report.languages.iter().partition(|language| language.availability.is_available());
    let languages = match here.len() {
        1 => "1 language".to_owned(),
        count => format!("{count} languages"),
    };
    let (works, of_isolation) = match report.level {
        Level::Full => (format!("isolation at level full, {languages}"), None),
        Level::Isolated => {
            (format!("isolation at level isolated, {languages}"), Some("limits by the kernel"))
        }
        Level::Limited | Level::None => {
            (format!("review and search; {languages} as trusted code only"), Some("isolation"))
        }
    };
    let wanting: Vec<&LanguageStatus> =
        absent.into_iter().filter(|language| language.origin == LanguageOrigin::Builtin).collect();
    let missing = of_isolation
        .map(str::to_owned)
        .into_iter()
        .chain(wanting.iter().map(|language| language.id.clone()))
        .collect();
    let command = match report.level {
        Level::Limited | Level::None => of_the_host(report),
        Level::Isolated if means.systemd => Some("loginctl enable-linger".to_owned()),
        Level::Isolated | Level::Full => None,
    };
    // What cannot run at all is not helped by languages.
    let command = command.or_else(|| (report.isolated && means.apt).then(|| install(&wanting)).flatten());
    Conclusion { works, missing, command }
}

/// The command of the first fact that stands in the way.
fn of_the_host(report: &DoctorReport) -> Option<String> {
    let facts = report.host.iter().filter(|fact| fact.verdict == Verdict::Bad);
    facts.into_iter().find_map(|fact| fact.command).map(str::to_owned)
}

fn install(languages: &[&LanguageStatus]) -> Option<String> {
    let mut packages: Vec<&str> = languages
        .iter()
        .filter(|language| matches!(language.availability, Availability::Missing { .. }))
        .filter_map(|language| {
            PACKAGES.iter().find(|(id, _)| *id == language.id).map(|(_, package)| *package)
        })
        .collect();
    packages.dedup();
    (!packages.is_empty()).then(|| format!("sudo apt-get install {}", packages.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fact, examine, host::Named};
    use formicary_execution::{ExecutionSettings, Executor};

    fn report(level: Level, absent: &[&str]) -> DoctorReport {
        let executor = Executor::new(ExecutionSettings::default(), Vec::new()).unwrap();
        let mut report = examine("native", &Named::default(), &[], executor.languages());
        (report.level, report.isolated, report.host) = (level, level >= Level::Isolated, Vec::new());
        for language in &mut report.languages {
            language.availability = if absent.contains(&language.id.as_str()) {
                Availability::Missing { why: "not there".into(), remedy: "install it".into() }
            } else {
                Availability::Available { program: "/usr/bin/x".into() }
            };
        }
        report
    }

    const DEBIAN: Means = Means { apt: true, systemd: true };
    const BARE: Means = Means { apt: false, systemd: false };

    fn check(level: Level, absent: &[&str], means: Means, expected: (&str, &[&str], Option<&str>)) {
        let found = conclude(&report(level, absent), means);
        let missing: Vec<&str> = found.missing.iter().map(String::as_str).collect();
        assert_eq!((found.works.as_str(), missing.as_slice(), found.command.as_deref()), expected);
    }

    #[test]
    fn what_weighs_most_decides_the_command() {
        check(Level::Full, &[], DEBIAN, ("isolation at level full, 9 languages", &[], None));
        check(
            Level::Full,
            &["javascript", "typescript", "go"],
            DEBIAN,
            (
                "isolation at level full, 6 languages",
                &["javascript", "typescript", "go"],
                Some("sudo apt-get install nodejs golang-go"),
            ),
        );
        check(Level::Full, &["go"], BARE, ("isolation at level full, 8 languages", &["go"], None));
        check(
            Level::Isolated,
            &["go"],
            DEBIAN,
            (
                "isolation at level isolated, 8 languages",
                &["limits by the kernel", "go"],
                Some("loginctl enable-linger"),
            ),
        );
        check(
            Level::None,
            &["go"],
            DEBIAN,
            ("review and search; 8 languages as trusted code only", &["isolation", "go"], None),
        );
    }

    #[test]
    fn what_keeps_from_isolation_comes_first() {
        let mut report = report(Level::None, &["go"]);
        let fact = |command| Fact {
            name: "user namespaces",
            value: String::new(),
            verdict: Verdict::Bad,
            remedy: None,
            command,
        };
        report.host = vec![fact(None), fact(Some("sudo one")), fact(Some("sudo two"))];
        assert_eq!(conclude(&report, DEBIAN).command.as_deref(), Some("sudo one"));
    }
}
