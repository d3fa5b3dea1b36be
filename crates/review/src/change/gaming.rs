//! Ways in which a change can look better than it is. Each is counted and shown; the gate has a threshold for each.

use super::lines::FileChange;
use crate::baseline::Baseline;
use crate::engine::SourceText;
use crate::settings::{ReviewSettings, RuleSetting};
use crate::suppress::{self, Allowance};
use formicary_model::review::{FileMetrics, Gaming, GamingKind, Note, NoteKind, RuleInfo, SuppressionKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The two states as far as they can be gamed.
pub struct Suspects<'a> {
    /// The sources before.
    pub before: &'a [SourceText],
    /// The sources after.
    pub after: &'a [SourceText],
    /// What was measured before.
    pub before_files: &'a [FileMetrics],
    /// What was measured after.
    pub after_files: &'a [FileMetrics],
    /// The settings before and after.
    pub settings: (&'a ReviewSettings, &'a ReviewSettings),
    /// The texts of the baseline before and after.
    pub baselines: (Option<&'a str>, Option<&'a str>),
    /// Every rule.
    pub rules: &'a [RuleInfo],
    /// What the walk over the state after noted.
    pub notes: &'a [Note],
    /// How the files of the state after came about.
    pub changes: &'a HashMap<String, FileChange>,
    /// Whether a file is still there, reviewed or not.
    pub is_there: &'a dyn Fn(&str) -> bool,
}

impl Suspects<'_> {
    /// Everything that looks like it.
    pub fn gaming(&self) -> Vec<Gaming> {
        let mut found = Vec::new();
        self.unparsable(&mut found);
        self.missing(&mut found);
        self.suppressions(&mut found);
        self.configuration(&mut found);
        self.baseline(&mut found);
        found.sort();
        found
    }

    fn unparsable(&self, found: &mut Vec<Gaming>) {
        let parsed: BTreeSet<&str> =
            self.before_files.iter().filter(|file| file.parsed).map(|file| file.file.as_str()).collect();
        let known: BTreeSet<&str> = self.before_files.iter().map(|file| file.file.as_str()).collect();
        for file in self.after_files.iter().filter(|file| !file.parsed) {
            let before = self.changes.get(&file.file).and_then(|change| change.before.as_deref());
            let message = match before {
                Some(before) if parsed.contains(before) => "could be parsed before and cannot now",
                Some(before) if known.contains(before) => continue,
                _ => "is new and cannot be parsed",
            };
            found.push(gaming(GamingKind::Unparsable, &file.file, None, message));
        }
    }

    fn missing(&self, found: &mut Vec<Gaming>) {
        let moved: BTreeSet<&str> =
            self.changes.values().filter_map(|change| change.before.as_deref()).collect();
        let lines: BTreeMap<&str, u32> =
            self.before_files.iter().map(|file| (file.file.as_str(), file.lines.source)).collect();
        for source in self.before.iter().filter(|source| !moved.contains(source.path.as_str())) {
            let path = source.path.as_str();
            if (self.is_there)(path) {
                let why = self.notes.iter().find(|note| note.file.as_deref() == Some(path));
                let why = why.map(|note| format!(": {}", note.message)).unwrap_or_default();
                let message = format!("is still there but no longer reviewed{why}");
                found.push(gaming(GamingKind::Excluded, path, None, &message));
            } else if lines.get(path).is_none_or(|lines| *lines > 0) {
                let lines = lines.get(path).copied().unwrap_or_default();
                let test = if is_test(path) { ", a test" } else { "" };
                let message = format!("is gone, with {lines} lines of code{test}");
                found.push(gaming(GamingKind::Deleted, path, None, &message));
            }
        }
        // A new file that cannot be looked at is as good as hidden.
        let old: BTreeSet<&str> = self.before.iter().map(|source| source.path.as_str()).collect();
        let hidden = |note: &&Note| matches!(note.kind, NoteKind::TooLarge | NoteKind::Binary);
        for note in self.notes.iter().filter(hidden) {
            if let Some(file) = note.file.as_deref().filter(|file| old.contains(file) && moved.contains(file))
            {
                found.push(gaming(GamingKind::Excluded, file, None, &note.message));
            }
        }
    }

    fn suppressions(&self, found: &mut Vec<Gaming>) {
        let names: Vec<&str> = self.rules.iter().map(|rule| rule.name.as_ref()).collect();
        let foreign = self.settings.0.foreign_suppressions || self.settings.1.foreign_suppressions;
        let of = |source: &SourceText| suppress::allowances(source, foreign, &names, &mut Vec::new());
        // By what they say, not by where: moved code brings its comments along.
        let mut before: HashMap<(Vec<String>, String), i32> = HashMap::new();
        for allowance in self.before.iter().flat_map(of) {
            *before.entry((allowance.rules, allowance.reason)).or_default() += 1;
        }
        for source in self.after {
            for allowance in of(source) {
                let Allowance { line, rules, reason, kind, .. } = allowance;
                let count = before.entry((rules.clone(), reason.clone())).or_default();
                *count -= 1;
                if *count < 0 {
                    let what = match kind {
                        SuppressionKind::Comment => format!("newly allows {}: {reason}", rules.join(", ")),
                        SuppressionKind::Foreign => format!("has a new comment {reason}"),
                    };
                    found.push(gaming(GamingKind::Suppression, &source.path, Some(line), &what));
                }
            }
        }
    }

    fn configuration(&self, found: &mut Vec<Gaming>) {
        let (before, after) = self.settings;
        let file =
            after.origin.as_deref().or(before.origin.as_deref()).unwrap_or(Path::new("formicary.toml"));
        let file = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for message in loosened(before, after, self.rules) {
            found.push(gaming(GamingKind::Configuration, &file, None, &message));
        }
    }

    fn baseline(&self, found: &mut Vec<Gaming>) {
        let (path, Some(after)) = (self.settings.1.baseline_place(), self.baselines.1) else { return };
        let Ok(after) = Baseline::parse(path, after) else { return };
        let before = self.baselines.0.and_then(|text| Baseline::parse(path, text).ok()).unwrap_or_default();
        let more = after.more_than(&before);
        if more > 0 {
            let message = format!(
                "the baseline takes in {more} more finding{}; to accept it, set change.baseline = 1 under [review.gate] \
                 in the settings that hold before the change, or commit the baseline to what it is compared with",
                if more == 1 { "" } else { "s" }
            );
            found.push(gaming(GamingKind::Baseline, &path.to_string_lossy(), None, &message));
        }
    }
}

/// Whether a path looks like a test's.
pub fn is_test(path: &str) -> bool {
    path.split('/').any(|part| {
        let part = part.to_ascii_lowercase();
        let stem = part.split('.').next().unwrap_or_default();
        matches!(stem, "test" | "tests" | "spec" | "specs" | "__tests__")
            || stem.starts_with("test_")
            || stem.ends_with("_test")
            || part.contains(".test.")
            || part.contains(".spec.")
            || stem.ends_with("tests")
    })
}

/// What the settings after allow that those before did not.
pub fn loosened(before: &ReviewSettings, after: &ReviewSettings, rules: &[RuleInfo]) -> Vec<String> {
    let mut found = Vec::new();
    let new_entries = |old: &[String], new: &[String]| {
        new.iter().filter(|entry| !old.contains(entry)).cloned().collect::<Vec<_>>()
    };
    for glob in new_entries(&before.exclude, &after.exclude) {
        found.push(format!("exclude has the new entry {glob}"));
    }
    if after.max_file_bytes < before.max_file_bytes {
        found.push(format!("max_file_bytes went down to {}", after.max_file_bytes));
    }
    if after.foreign_suppressions && !before.foreign_suppressions {
        found.push("comments of other tools allow findings now".into());
    }
    if before.fail_on.is_some_and(|old| after.fail_on.is_none_or(|new| new > old)) {
        found.push("fail_on was raised".into());
    }
    for (name, setting) in &after.rules {
        let usual = rules.iter().find(|rule| rule.name == *name).map(|rule| rule.severity);
        let strength = |setting: RuleSetting| match setting {
            RuleSetting::Off => None,
            RuleSetting::On => usual,
            RuleSetting::As(severity) => Some(severity),
        };
        let old = before.rules.get(name).copied().unwrap_or(RuleSetting::On);
        if strength(*setting) < strength(old) {
            let now = if *setting == RuleSetting::Off { "off" } else { "weaker" };
            found.push(format!("the rule {name} is {now}"));
        }
    }
    for (old, setting) in before.rules.iter().filter(|(name, _)| !after.rules.contains_key(*name)) {
        let usual = rules.iter().find(|rule| rule.name == *old).map(|rule| rule.severity);
        if matches!(setting, RuleSetting::As(severity) if Some(*severity) > usual) {
            found.push(format!("the rule {old} is weaker"));
        }
    }
    for tool in new_entries(&after.tools, &before.tools) {
        found.push(format!("the tool {tool} is no longer run"));
    }
    gates_loosened("", &before.gate, &after.gate, &mut found);
    for (name, threshold) in &after.thresholds {
        if before.thresholds.get(name).is_none_or(|old| threshold > old) {
            found.push(format!("the threshold {name} is {threshold}"));
        }
    }
    for entry in after.paths.iter().filter(|entry| !before.paths.contains(entry)) {
        let only_stricter =
            entry.gate.is_empty() && entry.rules.values().all(|rule| *rule == RuleSetting::On);
        if !only_stricter {
            found.push(format!("files {} have settings of their own", entry.files.join(", ")));
        }
    }
    let arrows = new_entries(
        &after.architecture.forbidden.iter().map(|(a, b)| format!("{a} to {b}")).collect::<Vec<_>>(),
        &before.architecture.forbidden.iter().map(|(a, b)| format!("{a} to {b}")).collect::<Vec<_>>(),
    );
    found.extend(arrows.into_iter().map(|arrow| format!("the arrow {arrow} is no longer forbidden")));
    for layer in &before.architecture.layers {
        match after.architecture.layers.iter().find(|other| other.name == layer.name) {
            None => found.push(format!("the layer {} is gone", layer.name)),
            Some(other) => {
                for used in new_entries(&layer.may_use, &other.may_use) {
                    found.push(format!("the layer {} may use {used} now", layer.name));
                }
            }
        }
    }
    found
}

fn gates_loosened(
    place: &str,
    before: &BTreeMap<String, f64>,
    after: &BTreeMap<String, f64>,
    found: &mut Vec<String>,
) {
    for (metric, old) in before {
        let looser = match after.get(metric) {
            None => true,
            Some(new) if crate::gate::higher_is_better(metric) => new < old,
            Some(new) => new > old,
        };
        if looser {
            found.push(format!("the gate {place}{metric} was loosened"));
        }
    }
}

fn gaming(kind: GamingKind, file: &str, line: Option<u32>, message: &str) -> Gaming {
    Gaming { kind, file: file.to_owned(), line, message: message.to_owned() }
}
