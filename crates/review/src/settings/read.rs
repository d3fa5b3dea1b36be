//! Reading the settings: every key is checked, and what is wrong is told with its line and column.

use super::presets::{PRESETS, preset};
use super::{PathSettings, ReviewSettings, RuleSetting};
use crate::engine::Layer;
use crate::{gate, tools};
use formicary_files::{FileError, Reason, Root, directories_above};
use formicary_model::review::Severity;
use formicary_model::{Failure, FailureKind, suggest};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Larger files are not configuration.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// The places where settings may stand, nearest first, each with the tables that lead to them.
const PLACES: [(&str, &[&str]); 2] =
    [("formicary.toml", &["review"]), ("pyproject.toml", &["tool", "formicary", "review"])];

/// Reads the settings of the project that `folder` is in. Looks upwards for the first file that has any, no further
/// than `limit`.
pub fn read_settings(folder: &Path, limit: &Path, rules: &[&str]) -> Result<ReviewSettings, Failure> {
    for folder in directories_above(folder) {
        let Ok(root) = Root::open(folder) else { break };
        for (name, _) in PLACES {
            let path = folder.join(name);
            let text = match root.read_to_string(Path::new(name), MAX_FILE_BYTES) {
                Ok(text) => text,
                Err(FileError {
                    reason: Reason::Missing | Reason::NotRegular | Reason::TooLarge(_), ..
                }) => {
                    continue;
                }
                Err(error) => {
                    return Err(invalid(format!("configuration file {error}"))
                        .hint("make it a readable text file, or remove it"));
                }
            };
            if let Some(settings) = parse_settings(&path, &text, rules)? {
                return Ok(settings);
            }
        }
        if folder == limit {
            break;
        }
    }
    Ok(ReviewSettings::default())
}

/// The settings in a file's text; none where it has no such table.
pub fn parse_settings(path: &Path, text: &str, rules: &[&str]) -> Result<Option<ReviewSettings>, Failure> {
    let reader = Reader { path, text, rules };
    let is_pyproject = path.file_name().is_some_and(|name| name == "pyproject.toml");
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        // Another tool's broken file is not ours to complain about unless it speaks of us.
        Err(_) if is_pyproject && !text.contains("tool.formicary") => return Ok(None),
        Err(error) => {
            let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
            return Err(reader.wrong(
                &error.span().unwrap_or(0..0),
                &message,
                "the file is not valid TOML there",
            ));
        }
    };
    let way = PLACES[usize::from(is_pyproject)].1;
    let mut inner: Option<&DeTable<'_>> = Some(table.get_ref());
    for (depth, step) in way.iter().enumerate() {
        let Some((key, value)) = inner.and_then(|table| table.iter().find(|(key, _)| key.get_ref() == step))
        else {
            return Ok(None);
        };
        let DeValue::Table(found) = value.get_ref() else {
            return Err(reader.wrong(
                &key.span(),
                &format!("{} is a table", way[..=depth].join(".")),
                "write [review] and the settings below it",
            ));
        };
        inner = Some(found);
    }
    let Some(table) = inner else { return Ok(None) };
    let mut settings = ReviewSettings { origin: Some(path.to_owned()), ..ReviewSettings::default() };
    reader.review(table, &mut settings)?;
    Ok(Some(settings))
}

const KEYS: &[&str] = &[
    "exclude",
    "max_file_bytes",
    "foreign_suppressions",
    "fail_on",
    "baseline",
    "history",
    "tools",
    "rules",
    "thresholds",
    "gate",
    "paths",
    "architecture",
];

type Value<'a, 'b> = &'a Spanned<DeValue<'b>>;

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    rules: &'a [&'a str],
}

impl Reader<'_> {
    fn review(&self, table: &DeTable<'_>, settings: &mut ReviewSettings) -> Result<(), Failure> {
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "exclude" => settings.exclude = self.globs(value)?,
                "max_file_bytes" => settings.max_file_bytes = self.number(value)? as u64,
                "foreign_suppressions" => settings.foreign_suppressions = self.switch(value)?,
                "fail_on" => settings.fail_on = Some(self.severity(value)?),
                "baseline" => settings.baseline = Some(self.inner_path(value)?),
                "history" => settings.history = Some(self.inner_path(value)?),
                "tools" => settings.tools = self.tools(value)?,
                "rules" => settings.rules = self.rule_table(value)?,
                "thresholds" => settings.thresholds = self.thresholds(value)?,
                "gate" => settings.gate = self.gate(value)?,
                "paths" => settings.paths = self.paths(value)?,
                "architecture" => self.architecture(value, settings)?,
                other => return Err(self.unknown("key", other, &key.span(), KEYS)),
            }
        }
        Ok(())
    }

    fn tools(&self, value: Value<'_, '_>) -> Result<Vec<String>, Failure> {
        let known = tools::names();
        for entry in self.array(value)? {
            let word = self.word(entry)?;
            if word != tools::run::ALL && !known.contains(&word.as_str()) {
                return Err(self.unknown("tool", &word, &entry.span(), &known));
            }
        }
        self.words(value)
    }

    fn rule_table(&self, value: Value<'_, '_>) -> Result<BTreeMap<String, RuleSetting>, Failure> {
        let mut rules = BTreeMap::new();
        for (key, value) in self.table(value)? {
            let name: &str = key.get_ref();
            let is_tools = name.split_once(':').is_some_and(|(tool, _)| tools::names().contains(&tool));
            if !is_tools && !self.rules.contains(&name) {
                return Err(self.unknown("rule", name, &key.span(), self.rules));
            }
            let setting = match value.get_ref() {
                DeValue::Boolean(true) => RuleSetting::On,
                DeValue::Boolean(false) => RuleSetting::Off,
                DeValue::String(word) if word == "on" => RuleSetting::On,
                DeValue::String(word) if word == "off" => RuleSetting::Off,
                _ => RuleSetting::As(self.severity(value)?),
            };
            rules.insert(name.to_owned(), setting);
        }
        Ok(rules)
    }

    fn thresholds(&self, value: Value<'_, '_>) -> Result<BTreeMap<String, f64>, Failure> {
        let mut found = BTreeMap::new();
        for (key, value) in self.table(value)? {
            let name: &str = key.get_ref();
            if !gate::THRESHOLDS.contains(&name) {
                return Err(self.unknown("threshold", name, &key.span(), gate::THRESHOLDS));
            }
            found.insert(name.to_owned(), self.number(value)?);
        }
        Ok(found)
    }

    // `findings.high = 0` and `[review.gate.findings]` with `high = 0` are the same.
    fn gate(&self, value: Value<'_, '_>) -> Result<BTreeMap<String, f64>, Failure> {
        let mut found = BTreeMap::new();
        self.gate_below("", value, &mut found)?;
        Ok(found)
    }

    fn gate_below(
        &self,
        prefix: &str,
        value: Value<'_, '_>,
        found: &mut BTreeMap<String, f64>,
    ) -> Result<(), Failure> {
        for (key, value) in self.table(value)? {
            let name = format!("{prefix}{}", key.get_ref());
            if matches!(value.get_ref(), DeValue::Table(_)) {
                self.gate_below(&format!("{name}."), value, found)?;
                continue;
            }
            if !gate::is_metric(&name) {
                let known = gate::metric_names();
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                return Err(self.unknown("metric", &name, &key.span(), &known));
            }
            found.insert(name, self.number(value)?);
        }
        Ok(())
    }

    fn paths(&self, value: Value<'_, '_>) -> Result<Vec<PathSettings>, Failure> {
        let mut found = Vec::new();
        for entry in self.array(value)? {
            let mut settings = PathSettings::default();
            for (key, value) in self.table(entry)? {
                match key.get_ref().as_ref() {
                    "files" => settings.files = self.globs(value)?,
                    "rules" => settings.rules = self.rule_table(value)?,
                    "gate" => settings.gate = self.gate(value)?,
                    other => {
                        return Err(self.unknown("key", other, &key.span(), &["files", "rules", "gate"]));
                    }
                }
            }
            if settings.files.is_empty() {
                return Err(self.wrong(
                    &entry.span(),
                    "an entry of paths names no files",
                    "add files = [\"tests/**\"]",
                ));
            }
            found.push(settings);
        }
        Ok(found)
    }

    fn architecture(&self, value: Value<'_, '_>, settings: &mut ReviewSettings) -> Result<(), Failure> {
        for (key, value) in self.table(value)? {
            match key.get_ref().as_ref() {
                "preset" => {
                    let name = self.word(value)?;
                    let found = preset(&name)
                        .ok_or_else(|| self.unknown("preset", &name, &value.span(), &PRESETS))?;
                    settings.architecture.layers.splice(0..0, found.layers);
                }
                "layers" => {
                    for entry in self.array(value)? {
                        let layer = self.layer(entry)?;
                        settings.architecture.layers.retain(|known| known.name != layer.name);
                        settings.architecture.layers.push(layer);
                    }
                }
                "forbidden" => {
                    for entry in self.array(value)? {
                        settings.architecture.forbidden.push(self.arrow(entry)?);
                    }
                }
                other => {
                    return Err(self.unknown("key", other, &key.span(), &["preset", "layers", "forbidden"]));
                }
            }
        }
        let names: Vec<&str> = settings.architecture.layers.iter().map(|layer| layer.name.as_str()).collect();
        let stray = settings.architecture.layers.iter().flat_map(|layer| &layer.may_use);
        match stray.into_iter().find(|used| !names.contains(&used.as_str())) {
            Some(used) => Err(self.unknown("layer", used, &value.span(), &names)),
            None => Ok(()),
        }
    }

    fn layer(&self, entry: Value<'_, '_>) -> Result<Layer, Failure> {
        let mut layer = Layer::default();
        for (key, value) in self.table(entry)? {
            match key.get_ref().as_ref() {
                "name" => layer.name = self.word(value)?,
                "files" => layer.files = self.globs(value)?,
                "may_use" => layer.may_use = self.words(value)?,
                other => return Err(self.unknown("key", other, &key.span(), &["name", "files", "may_use"])),
            }
        }
        if layer.name.is_empty() || layer.files.is_empty() {
            return Err(self.wrong(&entry.span(), "a layer needs a name and files", "add name and files"));
        }
        Ok(layer)
    }

    fn arrow(&self, entry: Value<'_, '_>) -> Result<(String, String), Failure> {
        let mut arrow = (String::new(), String::new());
        for (key, value) in self.table(entry)? {
            match key.get_ref().as_ref() {
                "from" => arrow.0 = self.word(value)?,
                "to" => arrow.1 = self.word(value)?,
                other => return Err(self.unknown("key", other, &key.span(), &["from", "to"])),
            }
        }
        if arrow.0.is_empty() || arrow.1.is_empty() {
            return Err(self.wrong(
                &entry.span(),
                "a forbidden arrow needs from and to",
                "write { from = \"a/**\", to = \"b/**\" }",
            ));
        }
        Ok(arrow)
    }

    fn table<'a, 'b>(&self, value: Value<'a, 'b>) -> Result<&'a DeTable<'b>, Failure> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            other => Err(self.expected("a table", other, value)),
        }
    }

    fn array<'a, 'b>(&self, value: Value<'a, 'b>) -> Result<impl Iterator<Item = Value<'a, 'b>>, Failure> {
        match value.get_ref() {
            DeValue::Array(array) => Ok(array.iter()),
            other => Err(self.expected("a list", other, value)),
        }
    }

    fn word(&self, value: Value<'_, '_>) -> Result<String, Failure> {
        match value.get_ref() {
            DeValue::String(word) => Ok(word.to_string()),
            other => Err(self.expected("a text", other, value)),
        }
    }

    fn words(&self, value: Value<'_, '_>) -> Result<Vec<String>, Failure> {
        self.array(value)?.map(|value| self.word(value)).collect()
    }

    fn globs(&self, value: Value<'_, '_>) -> Result<Vec<String>, Failure> {
        for entry in self.array(value)? {
            let word = self.word(entry)?;
            if let Err(error) = globset::Glob::new(&word) {
                return Err(self.wrong(
                    &entry.span(),
                    &error.to_string(),
                    "globs are written as in .gitignore",
                ));
            }
        }
        self.words(value)
    }

    // What a project names must stay inside it: a review never writes elsewhere because a repository says so.
    fn inner_path(&self, value: Value<'_, '_>) -> Result<PathBuf, Failure> {
        let path = PathBuf::from(self.word(value)?);
        let inside = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        if !inside || path.as_os_str().is_empty() {
            let message = format!("{} does not stay inside the project", path.display());
            return Err(self.wrong(&value.span(), &message, "write a path relative to the project"));
        }
        Ok(path)
    }

    fn switch(&self, value: Value<'_, '_>) -> Result<bool, Failure> {
        match value.get_ref() {
            DeValue::Boolean(value) => Ok(*value),
            other => Err(self.expected("true or false", other, value)),
        }
    }

    fn number(&self, value: Value<'_, '_>) -> Result<f64, Failure> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().replace('_', "").parse().ok(),
            DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
            _ => None,
        };
        number
            .filter(|number: &f64| number.is_finite() && *number >= 0.0)
            .ok_or_else(|| self.expected("a number from 0 up", value.get_ref(), value))
    }

    fn severity(&self, value: Value<'_, '_>) -> Result<Severity, Failure> {
        let word = self.word(value)?;
        let known = Severity::ALL.map(Severity::word);
        Severity::from_word(&word).ok_or_else(|| self.unknown("severity", &word, &value.span(), &known))
    }

    fn expected(&self, what: &str, found: &DeValue<'_>, value: Value<'_, '_>) -> Failure {
        let message = format!("expected {what}, found {}", found.type_str());
        self.wrong(&value.span(), &message, "docs/reference/review.md shows every key")
    }

    fn unknown(&self, what: &str, word: &str, span: &Range<usize>, known: &[&str]) -> Failure {
        let hint = match suggest::nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None if what == "rule" => "`formicary rules` lists every rule".into(),
            None => format!("known: {}", known.iter().take(40).copied().collect::<Vec<_>>().join(", ")),
        };
        self.wrong(span, &format!("unknown {what} {word}"), &hint)
    }

    fn wrong(&self, span: &Range<usize>, message: &str, hint: &str) -> Failure {
        let before = self.text.get(..span.start).unwrap_or_default();
        let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
        let column = 1 + before.rsplit('\n').next().map_or(0, |rest| rest.chars().count());
        invalid(format!("{}:{line}:{column}: {message}", self.path.display())).hint(hint)
    }
}

fn invalid(message: String) -> Failure {
    Failure::new(FailureKind::InvalidConfiguration, message)
}
