//! Layers become one configuration: defaults, system, user, project, environment, flags; the later wins.
//!
//! A project's file comes with a repository, and a repository may be hostile. It may make protection stricter and
//! nothing else: what would loosen it, name programs or files of the host, or add a language is ignored, and said so.
//! The user lifts this for folders that he names in `trusted_projects`.

use crate::declaration::Key;
use crate::file::{self, ConsideredFile, FileLayer, Whose, accepted_values, invalid};
use crate::sources::ConfigSources;
use crate::table::{self, CONFIG_VARIABLE, Kind, ProjectRule, Setting, Settings};
use crate::value::Value;
use formicary_execution::CustomLanguage;
use formicary_model::{Failure, FailureKind, LimitOverrides, suggest};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Who set a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Nobody.
    Default,
    /// The system's file, at this line.
    System(PathBuf, usize),
    /// The user's file, at this line.
    User(PathBuf, usize),
    /// A project's file, at this line.
    Project(PathBuf, usize),
    /// This environment variable.
    Environment(String),
    /// A flag.
    Flag,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::System(path, line) | Self::User(path, line) | Self::Project(path, line) => {
                write!(f, "{}:{line}", path.display())
            }
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag => f.write_str("--set"),
        }
    }
}

/// One setting as it holds, and who said so.
#[derive(Debug, Clone, Serialize)]
pub struct Resolved {
    /// The setting's key.
    pub key: &'static str,
    /// What values it takes.
    #[serde(skip)]
    pub kind: Kind,
    /// Its value.
    pub value: Value,
    /// The value for people, with its unit.
    pub shown: String,
    /// Who set it.
    pub origin: Origin,
    /// The environment variable that sets it.
    pub variable: &'static str,
    /// One line for people.
    pub about: &'static str,
}

/// The whole configuration, resolved.
#[derive(Debug, Clone, Serialize)]
pub struct Configuration {
    /// Every setting as it holds, typed.
    #[serde(skip)]
    pub settings: Settings,
    /// Every setting with its origin, in the order of the table.
    #[serde(rename = "settings")]
    pub rows: Vec<Resolved>,
    /// The user's languages with where they are defined.
    pub languages: Vec<(CustomLanguage, Origin)>,
    /// Files that were looked for, weakest first.
    pub files: Vec<ConsideredFile>,
    /// What was ignored and why, one line each: to be shown to the user.
    pub warnings: Vec<String>,
    /// The user's state directory of ours, where one is known.
    #[serde(skip)]
    pub state_folder: Option<PathBuf>,
}

impl Configuration {
    /// Reads every source and settles each value.
    pub fn load(sources: &ConfigSources) -> Result<Self, Failure> {
        let mut merging = Merging::defaults();
        merging.files(sources)?;
        merging.environment(sources)?;
        merging.flags(sources)?;
        Ok(Self { state_folder: sources.state_folder(), ..merging.finish()? })
    }

    /// Who set it.
    pub fn origin(&self, key: Key) -> &Origin {
        self.rows.iter().find(|row| row.key == key.name()).map_or(&Origin::Default, |row| &row.origin)
    }

    /// Whether somebody set it.
    pub fn is_set(&self, key: Key) -> bool {
        *self.origin(key) != Origin::Default
    }

    /// The limits of a run and those of a compile step that somebody set.
    pub fn set_limits(&self) -> (LimitOverrides, LimitOverrides) {
        let (mut run, mut compile) = (LimitOverrides::default(), LimitOverrides::default());
        for (group, limits) in [("limits.", &mut run), ("compile_limits.", &mut compile)] {
            for row in self.rows.iter().filter(|row| row.origin != Origin::Default) {
                if let (Some(name), Value::Number(number)) = (row.key.strip_prefix(group), &row.value) {
                    limits.set(name, *number);
                }
            }
        }
        (run, compile)
    }

    /// The same with other values where `change` gives some.
    pub fn changed(&self, change: impl Fn(&Resolved) -> Option<Value>) -> Result<Self, Failure> {
        let mut changed = self.clone();
        for row in &mut changed.rows {
            if let Some(value) = change(row) {
                row.shown = value.show(row.kind);
                row.value = value;
            }
        }
        changed.settings = typed(&changed.rows)?;
        Ok(changed)
    }
}

// Values were checked against their kinds as they were read, and a kind has one type.
fn typed(rows: &[Resolved]) -> Result<Settings, Failure> {
    Settings::of(rows)
        .ok_or_else(|| Failure::new(FailureKind::Internal, "a setting has a value that is not of its kind"))
}

struct Merging {
    values: BTreeMap<&'static str, (Value, Origin)>,
    languages: BTreeMap<String, (CustomLanguage, Origin)>,
    files: Vec<ConsideredFile>,
    warnings: Vec<String>,
}

impl Merging {
    fn defaults() -> Self {
        let values = table::settings().iter();
        Self {
            values: values.map(|s| (s.key.as_str(), (s.default.clone(), Origin::Default))).collect(),
            languages: BTreeMap::new(),
            files: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn files(&mut self, sources: &ConfigSources) -> Result<(), Failure> {
        let home = sources.home.as_deref();
        if let Some(path) = &sources.system_file
            && let Some(layer) = self.look("system", path, Whose::Own, home)?
        {
            self.apply(layer, |line| Origin::System(path.clone(), line));
        }
        if let Some(path) = &sources.user_file {
            match self.look("user", path, Whose::Own, home)? {
                Some(layer) => self.apply(layer, |line| Origin::User(path.clone(), line)),
                None if sources.user_file_is_named() => {
                    let message = format!("configuration file {} does not exist", path.display());
                    return Err(
                        invalid(message).hint(format!("{CONFIG_VARIABLE} names it: correct or unset it"))
                    );
                }
                None => {}
            }
        }
        if let Some(path) = &sources.project_file()
            && let Some(layer) = self.look("project", path, Whose::Project, home)?
        {
            let origin = |line| Origin::Project(path.clone(), line);
            if self.trusts(path, sources) {
                self.apply(layer, origin);
            } else {
                self.apply_untrusted(layer, origin);
            }
        }
        Ok(())
    }

    fn look(
        &mut self,
        layer: &'static str,
        path: &Path,
        whose: Whose,
        home: Option<&Path>,
    ) -> Result<Option<FileLayer>, Failure> {
        let read = file::load(path, whose, home)?;
        self.files.push(ConsideredFile { layer, path: path.to_owned(), found: read.is_some() });
        Ok(read)
    }

    fn apply(&mut self, layer: FileLayer, origin: impl Fn(usize) -> Origin) {
        for (setting, value, line) in layer.values {
            self.values.insert(&setting.key, (value, origin(line)));
        }
        for (language, line) in layer.languages {
            self.languages.insert(language.id.clone(), (language, origin(line)));
        }
    }

    fn apply_untrusted(&mut self, layer: FileLayer, origin: impl Fn(usize) -> Origin) {
        for (setting, value, line) in layer.values {
            let own = self.values.get(setting.key.as_str()).map_or(&setting.default, |(value, _)| value);
            let why = match setting.project {
                ProjectRule::Never => "a project may not set it".to_owned(),
                ProjectRule::Stricter if value.looser_than(own, setting.kind) => {
                    format!("a project may only make your own {} stricter", own.show(setting.kind))
                }
                ProjectRule::Stricter => {
                    self.values.insert(&setting.key, (value, origin(line)));
                    continue;
                }
            };
            let (key, shown) = (&setting.key, value.show(setting.kind));
            self.warnings.push(format!("{}: {key} = {shown} is ignored: {why}", origin(line)));
        }
        for (language, line) in layer.languages {
            let id = &language.id;
            self.warnings
                .push(format!("{}: language {id} is ignored: a project may not add one", origin(line)));
        }
    }

    // Only what stands outside the project may say that the project is trusted: flags and the environment count.
    fn trusts(&self, project_file: &Path, sources: &ConfigSources) -> bool {
        let Some(setting) = table::setting("trusted_projects") else { return false };
        let base = sources.working_folder.as_deref().unwrap_or(Path::new("/"));
        let read = |text: &String| Value::from_text(setting.kind, text, base, sources.home.as_deref()).ok();
        let flag = sources.flags.iter().rev().find(|(key, _)| *key == setting.key).map(|(_, value)| value);
        let given = flag.or_else(|| sources.environment.get(&setting.variable)).and_then(read);
        let own = self.values.get(setting.key.as_str()).map(|(value, _)| value.clone());
        let Some(Value::Paths(trusted)) = given.or(own) else { return false };
        let Some(folder) = project_file.parent().and_then(|folder| folder.canonicalize().ok()) else {
            return false;
        };
        trusted.iter().filter_map(|path| path.canonicalize().ok()).any(|path| folder.starts_with(path))
    }

    fn environment(&mut self, sources: &ConfigSources) -> Result<(), Failure> {
        let base = sources.working_folder.as_deref().unwrap_or(Path::new("/"));
        for (name, text) in sources.environment.iter().filter(|(name, _)| name.starts_with("FORMICARY_")) {
            if name == CONFIG_VARIABLE || text.is_empty() {
                continue;
            }
            let Some(setting) = table::settings().iter().find(|s| s.variable == *name) else {
                let known = table::settings().iter().map(|s| s.variable.as_str());
                let meant = suggest::nearest(name, known.chain([CONFIG_VARIABLE]));
                let meant = meant.map(|near| format!(", did you mean {near}?")).unwrap_or_default();
                self.warnings.push(format!("environment variable {name} means nothing to formicary{meant}"));
                continue;
            };
            let value = read_text(setting, text, base, sources, &format!("environment variable {name}"))?;
            self.values.insert(&setting.key, (value, Origin::Environment(name.clone())));
        }
        Ok(())
    }

    fn flags(&mut self, sources: &ConfigSources) -> Result<(), Failure> {
        let base = sources.working_folder.as_deref().unwrap_or(Path::new("/"));
        for (key, text) in &sources.flags {
            let setting = table::setting(key).ok_or_else(|| file::unknown_key("--set", key))?;
            let value = read_text(setting, text, base, sources, &format!("--set {key}"))?;
            self.values.insert(&setting.key, (value, Origin::Flag));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Configuration, Failure> {
        let rows = table::settings().iter().map(|setting| {
            let found = self.values.remove(setting.key.as_str());
            let (value, origin) = found.unwrap_or_else(|| (setting.default.clone(), Origin::Default));
            Resolved {
                key: &setting.key,
                kind: setting.kind,
                shown: value.show(setting.kind),
                value,
                origin,
                variable: &setting.variable,
                about: &setting.about,
            }
        });
        let rows: Vec<Resolved> = rows.collect();
        Ok(Configuration {
            settings: typed(&rows)?,
            rows,
            languages: self.languages.into_values().collect(),
            files: self.files,
            warnings: self.warnings,
            state_folder: None,
        })
    }
}

fn read_text(
    setting: &Setting,
    text: &str,
    base: &Path,
    sources: &ConfigSources,
    place: &str,
) -> Result<Value, Failure> {
    Value::from_text(setting.kind, text, base, sources.home.as_deref())
        .map_err(|why| invalid(format!("{place}: {why}")).hint(accepted_values(setting)))
}
