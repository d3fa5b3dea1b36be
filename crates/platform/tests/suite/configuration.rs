//! Layers, origins, and errors that name file, line and remedy.

use formicary_model::{Assurance, FailureKind, Level, Limits, Network};
use formicary_platform::config::{ConfigSources, Configuration, Origin, Resolved, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tempfile::TempDir;

/// A small host: a system file, a user's home, a project and an environment.
pub struct Host {
    folder: TempDir,
    environment: BTreeMap<String, String>,
    flags: Vec<(String, String)>,
}

impl Host {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for sub in ["etc", "home/.config/formicary", "project/src"] {
            std::fs::create_dir_all(folder.path().join(sub)).unwrap();
        }
        Self { folder, environment: BTreeMap::new(), flags: Vec::new() }
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub fn write(self, relative: &str, text: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.path(relative), text).unwrap();
        self
    }

    pub fn system(self, text: &str) -> Self {
        self.write("etc/config.toml", text)
    }

    pub fn user(self, text: &str) -> Self {
        self.write("home/.config/formicary/config.toml", text)
    }

    pub fn project(self, text: impl AsRef<[u8]>) -> Self {
        self.write("project/formicary.toml", text)
    }

    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    pub fn flag(mut self, key: &str, value: &str) -> Self {
        self.flags.push((key.into(), value.into()));
        self
    }

    pub fn sources(&self) -> ConfigSources {
        let mut environment = self.environment.clone();
        environment.insert("HOME".into(), self.path("home").display().to_string());
        let mut sources = ConfigSources::new(environment, Some(self.path("project/src")));
        sources.system_file = Some(self.path("etc/config.toml"));
        sources.flags.clone_from(&self.flags);
        sources
    }

    pub fn load(&self) -> Configuration {
        Configuration::load(&self.sources()).unwrap()
    }

    /// The failure's message and hint, with the folder's name taken out.
    pub fn fails(&self) -> (String, String) {
        let failure = Configuration::load(&self.sources()).unwrap_err();
        assert_eq!(failure.kind, FailureKind::InvalidConfiguration);
        let folder = format!("{}/", self.folder.path().display());
        assert!(!failure.message.contains('\n'), "one line: {}", failure.message);
        (failure.message.replace(&folder, ""), failure.hint.unwrap_or_default())
    }
}

fn origin_of(configuration: &Configuration, key: &str) -> Origin {
    row(configuration, key).origin.clone()
}

fn row<'a>(configuration: &'a Configuration, key: &str) -> &'a Resolved {
    configuration.rows.iter().find(|row| row.key == key).unwrap()
}

/// The value of a setting as files and variables give it.
pub fn value<'a>(configuration: &'a Configuration, key: &str) -> &'a Value {
    &row(configuration, key).value
}

#[test]
fn without_any_source_the_defaults_hold() {
    let configuration = Configuration::load(&ConfigSources::default()).unwrap();
    assert!(configuration.rows.iter().all(|s| s.origin == Origin::Default));
    assert_eq!(configuration.settings.limits, Limits::default());
    assert_eq!(configuration.settings.compile_limits, Limits::for_compiling());
    assert_eq!(configuration.settings.network, Network::None);
    assert_eq!(configuration.settings.require, Assurance::Require(Level::Isolated));
    assert!(configuration.warnings.is_empty());
}

#[test]
fn the_later_layer_wins_and_is_named() {
    let host = Host::new()
        .system("[limits]\nwall_seconds = 50\ncpu_seconds = 50\nprocesses = 50\nopen_files = 50\ncores = 1\n")
        .user("[limits]\ncpu_seconds = 40\nprocesses = 40\nopen_files = 40\ncores = 0.9\n")
        .project("[limits]\nprocesses = 30\nopen_files = 30\ncores = 0.8\n")
        .variable("FORMICARY_LIMITS_OPEN_FILES", "20")
        .variable("FORMICARY_LIMITS_CORES", "0.7")
        .flag("limits.cores", "0.6");
    let configuration = host.load();
    let user = host.path("home/.config/formicary/config.toml");
    let cases = [
        ("limits.disk_inodes", 65_536.0, Origin::Default),
        ("limits.wall_seconds", 50.0, Origin::System(host.path("etc/config.toml"), 2)),
        ("limits.cpu_seconds", 40.0, Origin::User(user, 2)),
        ("limits.processes", 30.0, Origin::Project(host.path("project/formicary.toml"), 2)),
        ("limits.open_files", 20.0, Origin::Environment("FORMICARY_LIMITS_OPEN_FILES".into())),
        ("limits.cores", 0.6, Origin::Flag),
    ];
    for (key, number, origin) in cases {
        assert_eq!(value(&configuration, key), &Value::Number(number), "{key}");
        assert_eq!(origin_of(&configuration, key), origin, "{key}");
    }
    let found: Vec<_> = configuration.files.iter().map(|f| (f.layer, f.found)).collect();
    assert_eq!(found, [("system", true), ("user", true), ("project", true)]);
}

#[test]
fn values_are_read_as_people_write_them() {
    let cases = [
        ("limits.memory_bytes = \"1G\"", "limits.memory_bytes", Value::Number(1073741824.0)),
        ("limits.memory_bytes = 16_777_216", "limits.memory_bytes", Value::Number(16777216.0)),
        ("limits.wall_seconds = \"2m\"", "limits.wall_seconds", Value::Number(120.0)),
        ("limits.wall_seconds = 0.5", "limits.wall_seconds", Value::Number(0.5)),
        ("[compile_limits]\nwall_seconds = \"90s\"", "compile_limits.wall_seconds", Value::Number(90.0)),
        ("network = \"host\"", "network", Value::Text("host".into())),
        ("require = \"best_effort\"", "require", Value::Text("best-effort".into())),
        ("provider = \"native\"", "provider", Value::Text("native".into())),
    ];
    for (text, key, read) in cases {
        assert_eq!(value(&Host::new().user(text).load(), key), &read, "{text}");
    }
    let host = Host::new().user("audit.file = \"~/audit.jsonl\"\ntoolchains.python = \"tools/python3\"\n");
    let configuration = host.load();
    assert_eq!(configuration.settings.audit.file, Some(host.path("home/audit.jsonl")));
    let beside_the_file = host.path("home/.config/formicary/tools/python3");
    assert_eq!(configuration.settings.toolchains.programs["python"], beside_the_file);
}

#[test]
fn mistakes_name_the_file_the_line_and_the_remedy() {
    let cases = [
        ("\nmemroy = 1", ":2: unknown key memroy", "`formicary config` lists every key"),
        (
            "[limits]\nwal_seconds = 1",
            ":2: unknown key limits.wal_seconds",
            "did you mean limits.wall_seconds?",
        ),
        (
            "[limit]\nwall_seconds = 1",
            ":2: unknown key limit.wall_seconds",
            "did you mean limits.wall_seconds?",
        ),
        (
            "limits = 3",
            ":1: limits is a table of settings, found integer",
            "write [limits] and the settings below it",
        ),
        (
            "limits.cores = true",
            ":1: limits.cores: expected a number, found boolean",
            "limits.cores takes a number, 0.1 to 1024",
        ),
        (
            "limits.processes = 1.5",
            ":1: limits.processes: 1.5 is not a whole number",
            "limits.processes takes a whole number, 1 to 32768",
        ),
        (
            "limits.wall_seconds = 0",
            ":1: limits.wall_seconds: 0 is outside 100 ms to 300 s",
            "limits.wall_seconds takes a duration such as 30 or \"2m\", 100 ms to 300 s",
        ),
        (
            "limits.wall_seconds = -1",
            ":1: limits.wall_seconds: -1 is outside 100 ms to 300 s",
            "limits.wall_seconds takes a duration such as 30 or \"2m\", 100 ms to 300 s",
        ),
        (
            "limits.wall_seconds = \"soon\"",
            ":1: limits.wall_seconds: \"soon\" is not a duration: write a number of seconds, 30s or 2m",
            "limits.wall_seconds takes a duration such as 30 or \"2m\", 100 ms to 300 s",
        ),
        (
            "network = \"hots\"",
            ":1: network: \"hots\" is not one of host, none, did you mean host?",
            "network takes one of host, none",
        ),
        (
            "trusted_projects = \"x\"",
            ":1: trusted_projects: expected a list of paths, found string",
            "trusted_projects takes a list of paths",
        ),
        (
            "languages.perl.extention = \"pl\"",
            ":1: unknown key languages.perl.extention",
            "did you mean extension?",
        ),
        (
            "[languages.perl]\nextension = \"pl\"\nrun = 5",
            ":1: languages.perl: invalid type: integer `5`, expected a sequence",
            "write [languages.NAME] with extension and run",
        ),
    ];
    for (text, message, hint) in cases {
        let (found, found_hint) = Host::new().user(text).fails();
        assert_eq!(found, format!("home/.config/formicary/config.toml{message}"), "{text}");
        assert_eq!(found_hint, hint, "{text}");
    }
}

#[test]
fn broken_toml_names_its_line() {
    for text in ["network = ", "a = 1\na = 2", "[limits", "= 3"] {
        let (message, hint) = Host::new().user(text).fails();
        assert!(message.starts_with("home/.config/formicary/config.toml:"), "{text}: {message}");
        assert_eq!(hint, "the file is not valid TOML there");
    }
}

#[test]
fn the_environment_is_checked_too() {
    let (message, _) = Host::new().variable("FORMICARY_LIMITS_PROCESSES", "many").fails();
    assert_eq!(message, "environment variable FORMICARY_LIMITS_PROCESSES: \"many\" is not a number");
    let (message, hint) = Host::new().flag("limits.procesess", "3").fails();
    assert_eq!(message, "--set: unknown key limits.procesess");
    assert_eq!(hint, "did you mean limits.processes?");
    let (message, _) = Host::new().variable("FORMICARY_CONFIG", "/does/not/exist.toml").fails();
    assert_eq!(message, "configuration file /does/not/exist.toml does not exist");
    let warnings = Host::new().variable("FORMICARY_NETWROK", "host").load().warnings;
    assert_eq!(
        warnings,
        [
            "environment variable FORMICARY_NETWROK means nothing to formicary, did you mean FORMICARY_NETWORK?"
        ]
    );
}

#[test]
fn a_language_of_the_users_own() {
    let host = Host::new()
        .user("[languages.perl]\nextension = \"pl\"\naliases = [\"perl5\"]\nrun = [\"perl\", \"{file}\"]\n");
    let configuration = host.load();
    let (language, origin) = &configuration.languages[0];
    assert_eq!((language.id.as_str(), language.name.as_str()), ("perl", "perl"));
    assert_eq!(language.run, ["perl", "{file}"]);
    assert_eq!(*origin, Origin::User(host.path("home/.config/formicary/config.toml"), 1));
}
