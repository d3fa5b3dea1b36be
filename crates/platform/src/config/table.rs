//! Every setting on one page: its key, its environment variable, its kind, its default, and what a project file
//! may do to it. Configuration files, the environment, `formicary config` and the documentation are made from it.

use super::value::Value;
use crate::images::defaults::DEFAULTS;
use formicary_model::Limits;
use std::sync::LazyLock;

/// What values a setting takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Seconds within bounds.
    Seconds {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
    },
    /// Bytes within bounds.
    Bytes {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
    },
    /// A number within bounds.
    Number {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
        /// Whether fractions make sense.
        whole: bool,
    },
    /// One of these words, the most permissive first.
    Choice(&'static [&'static str]),
    /// A word.
    Word,
    /// A file or folder.
    Path,
    /// Files or folders.
    Paths,
}

/// What the file of a project, which may come from a hostile repository, may do to a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectRule {
    /// It may make it stricter: a lower limit, a stricter word.
    Stricter,
    /// It may not touch it.
    Never,
}

/// One setting.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Its dotted key in configuration files.
    pub key: String,
    /// Its environment variable.
    pub variable: String,
    /// One line for people.
    pub about: String,
    /// What values it takes.
    pub kind: Kind,
    /// The value where nobody sets it.
    pub default: Value,
    /// What a project's file may do to it.
    pub project: ProjectRule,
}

/// Words of `require`, the most permissive first.
pub const REQUIRE: &[&str] = &["best-effort", "none", "limited", "isolated", "full"];

/// Words of `network`, the most permissive first.
pub const NETWORK: &[&str] = &["host", "none"];

/// Words of `native.cgroups`, the most permissive first.
pub const CGROUPS: &[&str] = &["off", "auto"];

/// Words of settings that switch something on or off.
pub const SWITCH: &[&str] = &["on", "off"];

/// Tools whose program can be named by a `toolchains.` setting.
pub const TOOLS: &[&str] = &["python", "node", "javac", "cc", "cxx", "go", "rustc", "bash"];

const MIB: f64 = 1024.0 * 1024.0;

/// Times of sessions: key, meaning, bounds, default.
const SESSION_TIMES: [(&str, &str, f64, f64, f64); 3] = [
    (
        "idle_seconds",
        "Time without a cell and without background work after which a session ends",
        1.0,
        604_800.0,
        1800.0,
    ),
    (
        "lifetime_seconds",
        "Time after which a session's sandbox ends whatever it does; its files are kept",
        60.0,
        604_800.0,
        28_800.0,
    ),
    ("linger_seconds", "Time without a session after which the session server ends", 0.1, 86_400.0, 30.0),
];

/// Settings of `formicary serve`: key, meaning, kind, default.
const SERVER: [(&str, &str, Kind, Option<f64>); 9] = [
    ("listen", "Address and port of the server; 127.0.0.1:8765 when unset", Kind::Word, None),
    (
        "hosts",
        "Names by which the server is called besides its address, with commas between",
        Kind::Word,
        None,
    ),
    ("keys", "The file of keys; keys.json beside the user's configuration when unset", Kind::Path, None),
    (
        "state",
        "A folder in which jobs, their keys and reviews of projects outlive the server; in memory when unset",
        Kind::Path,
        None,
    ),
    (
        "at_once",
        "Requests that work at one time; 0: four times as many as there are cores, 8 at the least",
        Kind::Number { min: 0.0, max: 10_000.0, whole: true },
        Some(0.0),
    ),
    (
        "waiting",
        "Requests that may wait for their turn; more are told to come back",
        Kind::Number { min: 0.0, max: 100_000.0, whole: true },
        Some(64.0),
    ),
    (
        "body_bytes",
        "Largest body of a request",
        Kind::Bytes { min: 1024.0, max: 4096.0 * MIB },
        Some(32.0 * MIB),
    ),
    (
        "body_seconds",
        "Time in which a request must have come whole",
        Kind::Seconds { min: 0.1, max: 3600.0 },
        Some(30.0),
    ),
    (
        "grace_seconds",
        "Time that work under way is given when the server is told to end",
        Kind::Seconds { min: 0.0, max: 3600.0 },
        Some(10.0),
    ),
];

/// Settings of the audit log: key, meaning, kind, default.
const AUDIT: [(&str, &str, Kind, &str); 7] = [
    ("audit.enabled", "Whether every execution is logged", Kind::Choice(SWITCH), "on"),
    (
        "audit.file",
        "The file in which every execution is logged; audit.db in the user's state directory where unset",
        Kind::Path,
        "",
    ),
    ("audit.url", "A PostgreSQL server that keeps the audit log instead: postgres://…", Kind::Word, ""),
    (
        "audit.required",
        "Whether nothing runs that cannot be logged; for the log in the state directory only where set",
        Kind::Choice(&["off", "on"]),
        "on",
    ),
    (
        "audit.flush",
        "Whether the end of a run waits until its record is on the disk; auto: where audit.file is set",
        Kind::Choice(&["auto", "off", "on"]),
        "auto",
    ),
    ("audit.code", "What the audit log keeps of code", Kind::Choice(&["hash", "full"]), "hash"),
    (
        "audit.files",
        "Whether the audit log names the files that runs bring back",
        Kind::Choice(SWITCH),
        "off",
    ),
];

/// Words of `packages.installer`.
pub const INSTALLERS: &[&str] = &["auto", "uv", "pip"];

/// Settings of package environments: key, meaning, kind, default.
const PACKAGES: [(&str, &str, Kind, Option<f64>); 5] = [
    (
        "packages.folder",
        "Where package environments are kept; the user's cache folder where absent",
        Kind::Path,
        None,
    ),
    (
        "packages.index_url",
        "The index that packages come from; where absent, what pip's configuration says",
        Kind::Word,
        None,
    ),
    (
        "packages.max_bytes",
        "Bytes that package environments may take; what was not used for longest goes first",
        Kind::Bytes { min: MIB, max: 1024.0 * 1024.0 * MIB },
        Some(5.0 * 1024.0 * MIB),
    ),
    (
        "packages.memory_bytes",
        "Memory that installing packages may use",
        Kind::Bytes { min: 64.0 * MIB, max: 1024.0 * 1024.0 * MIB },
        Some(2048.0 * MIB),
    ),
    (
        "packages.wall_seconds",
        "Time that installing packages may take",
        Kind::Seconds { min: 1.0, max: 86_400.0 },
        Some(900.0),
    ),
];

/// Settings of language models: key, meaning, kind, default.
const MODELS: [(&str, &str, Kind, Option<f64>); 11] = [
    (
        "llm.model",
        "The model: openai:NAME, responses:NAME, anthropic:NAME, gemini:NAME, recorded:FILE",
        Kind::Word,
        None,
    ),
    ("llm.base_url", "The address of the model's server; the provider's own where absent", Kind::Word, None),
    (
        "llm.key_file",
        "A file that holds the key; the provider's usual variable where absent",
        Kind::Path,
        None,
    ),
    ("llm.key_variable", "The environment variable that holds the key", Kind::Word, None),
    (
        "llm.proxy",
        "The proxy to the model's server; where absent, HTTPS_PROXY and NO_PROXY",
        Kind::Word,
        None,
    ),
    (
        "llm.prices",
        "Money for a million tokens, as in gpt-4o=2.5/10,claude=3/15 (read/written)",
        Kind::Word,
        None,
    ),
    (
        "llm.context_tokens",
        "Tokens of the model's window, request and answer together",
        Kind::Number { min: 1024.0, max: 1e8, whole: true },
        Some(32_000.0),
    ),
    (
        "llm.timeout_seconds",
        "Time that one answer may take",
        Kind::Seconds { min: 1.0, max: 86_400.0 },
        Some(600.0),
    ),
    (
        "llm.idle_seconds",
        "Time that a model may be silent in the middle of an answer",
        Kind::Seconds { min: 0.1, max: 86_400.0 },
        Some(120.0),
    ),
    (
        "llm.retries",
        "Times that a request is sent anew where that may help",
        Kind::Number { min: 0.0, max: 20.0, whole: true },
        Some(4.0),
    ),
    (
        "llm.requests_per_minute",
        "Requests in a minute; 0: as many as there are",
        Kind::Number { min: 0.0, max: 1e6, whole: true },
        Some(0.0),
    ),
];

/// Budgets of the agent: key, meaning, kind, default.
const AGENT: [(&str, &str, Kind, f64); 6] = [
    ("agent.steps", "Answers of the model", Kind::Number { min: 1.0, max: 10_000.0, whole: true }, 25.0),
    (
        "agent.attempts",
        "Proposals that may be judged and not pass",
        Kind::Number { min: 1.0, max: 1_000.0, whole: true },
        5.0,
    ),
    ("agent.seconds", "Time of a whole run", Kind::Seconds { min: 1.0, max: 604_800.0 }, 1800.0),
    ("agent.tokens", "Tokens, read and written", Kind::Number { min: 1.0, max: 1e12, whole: true }, 1e6),
    (
        "agent.money",
        "Money, by llm.prices; 0: no bound",
        Kind::Number { min: 0.0, max: 1e9, whole: false },
        0.0,
    ),
    (
        "agent.sandbox_seconds",
        "Time of programs in the sandbox",
        Kind::Seconds { min: 1.0, max: 604_800.0 },
        600.0,
    ),
];

/// Words of `llm.tools`.
pub const MODEL_TOOLS: &[&str] = &["auto", "on", "off"];

static TABLE: LazyLock<Vec<Setting>> = LazyLock::new(build);

/// All settings, in the order in which they are shown.
pub fn settings() -> &'static [Setting] {
    &TABLE
}

/// The setting of this key.
pub fn setting(key: &str) -> Option<&'static Setting> {
    TABLE.iter().find(|setting| setting.key == key)
}

/// Where the user's configuration file is, instead of the usual place.
pub const CONFIG_VARIABLE: &str = "FORMICARY_CONFIG";

fn build() -> Vec<Setting> {
    use ProjectRule::{Never, Stricter};
    let mut table = Vec::new();
    let mut add = |key: String, about: String, kind: Kind, default: Value, project: ProjectRule| {
        let variable = format!("FORMICARY_{}", key.to_uppercase().replace(['.', '-'], "_"));
        table.push(Setting { key, variable, about, kind, default, project });
    };
    let groups =
        [("limits", "", Limits::default()), ("compile_limits", " (compile step)", Limits::for_compiling())];
    for (group, suffix, defaults) in groups {
        for (info, (name, default)) in Limits::TABLE.iter().zip(defaults.values()) {
            let about = format!("{}{suffix}", info.about.trim().trim_end_matches('.'));
            add(format!("{group}.{name}"), about, limit_kind(info), Value::Number(default), Stricter);
        }
    }
    let text = |word: &str| Value::Text(word.into());
    add(
        "max_code_bytes".into(),
        "Bytes that the code of one file may have".into(),
        Kind::Bytes { min: 1.0, max: 1024.0 * MIB },
        Value::Number(MIB),
        Stricter,
    );
    add(
        "max_project_bytes".into(),
        "Bytes that a folder may have, all files together".into(),
        Kind::Bytes { min: 1.0, max: 1024.0 * MIB },
        Value::Number(64.0 * MIB),
        Stricter,
    );
    add(
        "network".into(),
        "The network that a program sees where the request is silent".into(),
        Kind::Choice(NETWORK),
        text("none"),
        Stricter,
    );
    add(
        "require".into(),
        "The protection level that must hold where the request is silent".into(),
        Kind::Choice(REQUIRE),
        text("isolated"),
        Stricter,
    );
    add(
        "provider".into(),
        "The isolation provider: native, gvisor, docker, auto (the strongest of these) or trusted".into(),
        Kind::Word,
        text("native"),
        Never,
    );
    for (key, about, kind) in [
        (
            "docker.socket",
            "The container engine's socket; the usual ones are looked for when unset",
            Kind::Path,
        ),
        (
            "docker.image",
            "The image of containers, or default for each language's; the host's own programs are shown when unset",
            Kind::Word,
        ),
        (
            "docker.build_network",
            "The network of steps that build images, such as host; the engine's default when unset",
            Kind::Word,
        ),
        ("docker.runtime", "Another runtime of the engine's, such as runsc", Kind::Word),
        (
            "cluster.url",
            "The queue of many machines: nats://HOST:PORT, several separated by commas",
            Kind::Word,
        ),
        ("cluster.credentials", "A NATS credentials file for it", Kind::Path),
        ("cluster.ca", "Certificates by which the queue's server is known; insists on TLS", Kind::Path),
        ("cluster.certificate", "The certificate by which the queue's server knows us", Kind::Path),
        ("cluster.key", "The key of that certificate", Kind::Path),
        (
            "inspect.adapter",
            "Debuggers to prefer, separated by commas, such as lldb,debugpy; each is taken where it suits the language",
            Kind::Word,
        ),
        ("gvisor.program", "Where runsc is; searched for when unset", Kind::Path),
        (
            "gvisor.platform",
            "How gVisor intercepts calls: systrap, ptrace or kvm; by its version when unset",
            Kind::Word,
        ),
    ] {
        add(key.into(), about.into(), kind, Value::Unset, Never);
    }
    for (language, image) in DEFAULTS {
        let about = format!("The image of {language}, for runs with --image default");
        add(format!("images.{language}"), about, Kind::Word, text(image), Never);
    }
    add(
        "native.cgroups".into(),
        "Whether the native provider uses control groups where there are some".into(),
        Kind::Choice(CGROUPS),
        text("auto"),
        Stricter,
    );
    add(
        "server.trusted".into(),
        "Whether a server may run code by the trusted provider, which isolates nothing".into(),
        Kind::Choice(SWITCH),
        text("off"),
        Never,
    );
    for (key, about, kind, value) in SERVER {
        add(format!("server.{key}"), about.into(), kind, value.map_or(Value::Unset, Value::Number), Never);
    }
    add(
        "cluster.name".into(),
        "The cluster's name: several can share one NATS".into(),
        Kind::Word,
        text("formicary"),
        Never,
    );
    for (key, about, kind, default) in [
        (
            "cluster.replicas",
            "Copies that NATS keeps of jobs and results; 3 where NATS has three servers",
            Kind::Number { min: 1.0, max: 5.0, whole: true },
            1.0,
        ),
        (
            "cluster.attempts",
            "How often a job is started before it goes to the dead letters",
            Kind::Number { min: 1.0, max: 100.0, whole: true },
            3.0,
        ),
        (
            "cluster.lease_seconds",
            "How long a worker may be silent before its job goes to another",
            Kind::Seconds { min: 1.0, max: 3600.0 },
            30.0,
        ),
        (
            "cluster.heartbeat_seconds",
            "How often a worker says that it lives; after three missing ones it counts as gone",
            Kind::Seconds { min: 0.5, max: 300.0 },
            3.0,
        ),
        (
            "cluster.keep_results_seconds",
            "How long results can be fetched",
            Kind::Seconds { min: 60.0, max: 604_800.0 },
            3600.0,
        ),
    ] {
        add(key.into(), about.into(), kind, Value::Number(default), Never);
    }
    add(
        "runs.at_once".into(),
        "Runs at one time in one process; more of them wait for their turn".into(),
        Kind::Number { min: 1.0, max: 10_000.0, whole: true },
        Value::Number(64.0),
        Never,
    );
    add(
        "pool.enabled".into(),
        "Whether sandboxes and interpreters stand ready in processes that stay (judging, servers)".into(),
        Kind::Choice(SWITCH),
        text("on"),
        Never,
    );
    add(
        "pool.waiting".into(),
        "Sandboxes that stand ready for each sort of run; 0: twice as many as there are cores".into(),
        Kind::Number { min: 0.0, max: 256.0, whole: true },
        Value::Number(0.0),
        Never,
    );
    add(
        "pool.idle_seconds".into(),
        "Time after which sandboxes that nobody asked for are taken apart".into(),
        Kind::Seconds { min: 1.0, max: 86_400.0 },
        Value::Number(60.0),
        Never,
    );
    add(
        "pool.python_imports".into(),
        "Modules that Python interpreters import before they stand ready, with commas between; or none"
            .into(),
        Kind::Word,
        text("none"),
        Never,
    );
    add(
        "pool.programs_per_interpreter".into(),
        "Programs that come from one interpreter, and share its hash seed, before another takes its place"
            .into(),
        Kind::Number { min: 1.0, max: 1e6, whole: true },
        Value::Number(64.0),
        Never,
    );
    add(
        "collect.max_files".into(),
        "Files that one run may bring back".into(),
        Kind::Number { min: 0.0, max: 1e6, whole: true },
        Value::Number(256.0),
        Stricter,
    );
    add(
        "collect.max_bytes".into(),
        "Bytes that one run may bring back, all files together".into(),
        Kind::Bytes { min: 0.0, max: 16384.0 * MIB },
        Value::Number(64.0 * MIB),
        Stricter,
    );
    for (key, about, min, max, default) in SESSION_TIMES {
        let kind = Kind::Seconds { min, max };
        add(format!("sessions.{key}"), about.into(), kind, Value::Number(default), Never);
    }
    add(
        "sessions.most".into(),
        "Sessions at one time".into(),
        Kind::Number { min: 1.0, max: 1024.0, whole: true },
        Value::Number(16.0),
        Never,
    );
    add(
        "otlp.endpoint".into(),
        "An OpenTelemetry collector that gets traces and metrics by OTLP over HTTP: http://localhost:4318"
            .into(),
        Kind::Word,
        Value::Unset,
        Never,
    );
    add(
        "log.format".into(),
        "Whether a server writes one line of JSON for each run to its stderr".into(),
        Kind::Choice(&["off", "json"]),
        text("off"),
        Never,
    );
    for (key, about, kind, default) in AUDIT {
        let default = if default.is_empty() { Value::Unset } else { text(default) };
        add(key.into(), about.into(), kind, default, Never);
    }
    add(
        "audit.keep_days".into(),
        "Days after which audit records go; 0: they stay".into(),
        Kind::Number { min: 0.0, max: 36_500.0, whole: false },
        Value::Number(0.0),
        Never,
    );
    add(
        "audit.max_bytes".into(),
        "Size at which the older half of the audit file moves to an archive beside it; in the state directory it is removed"
            .into(),
        Kind::Bytes { min: 4096.0, max: 1024.0 * 1024.0 * MIB },
        Value::Number(64.0 * MIB),
        Never,
    );
    add(
        "cache.enabled".into(),
        "Whether compiled programs are kept for the next time".into(),
        Kind::Choice(SWITCH),
        text("on"),
        Never,
    );
    add(
        "cache.folder".into(),
        "Where compiled programs are kept; the user's cache folder where absent".into(),
        Kind::Path,
        Value::Unset,
        Never,
    );
    add(
        "cache.max_bytes".into(),
        "Bytes that kept programs may take; what was not used for longest goes first".into(),
        Kind::Bytes { min: MIB, max: 1024.0 * 1024.0 * MIB },
        Value::Number(1024.0 * MIB),
        Never,
    );
    for (key, about, kind, default) in PACKAGES {
        add(key.into(), about.into(), kind, default.map_or(Value::Unset, Value::Number), Never);
    }
    add(
        "packages.installer".into(),
        "Who installs packages: auto (uv where it is there), uv, or the interpreter's pip".into(),
        Kind::Choice(INSTALLERS),
        text("auto"),
        Never,
    );
    for (key, about, kind, default) in MODELS {
        add(key.into(), about.into(), kind, default.map_or(Value::Unset, Value::Number), Never);
    }
    add(
        "llm.tools".into(),
        "Whether the model calls tools; auto: yes, unless it answers from a recording that says otherwise"
            .into(),
        Kind::Choice(MODEL_TOOLS),
        text("auto"),
        Never,
    );
    for (key, about, kind, default) in AGENT {
        // Nothing for no bound would be the loosest, so the file of a project leaves money alone.
        let rule = if key == "agent.money" { Never } else { Stricter };
        add(key.into(), about.into(), kind, Value::Number(default), rule);
    }
    add(
        "agent.folder".into(),
        "Where runs of the agent are kept; the user's state folder where absent".into(),
        Kind::Path,
        Value::Unset,
        Never,
    );
    add(
        "agent.packages".into(),
        "Packages that the agent may install for programs, with commas between".into(),
        Kind::Word,
        Value::Unset,
        Never,
    );
    add(
        "toolchains.path".into(),
        "Folders in which compilers and interpreters are looked for before PATH".into(),
        Kind::Paths,
        Value::Unset,
        Never,
    );
    for tool in TOOLS {
        add(
            format!("toolchains.{tool}"),
            format!("The program to use for {tool}"),
            Kind::Path,
            Value::Unset,
            Never,
        );
    }
    add(
        "trusted_projects".into(),
        "Folders whose formicary.toml may set everything".into(),
        Kind::Paths,
        Value::Unset,
        Never,
    );
    table
}

fn limit_kind(info: &formicary_model::limits::LimitInfo) -> Kind {
    let (min, max) = (info.min, info.max);
    match info.unit {
        "s" => Kind::Seconds { min, max },
        "bytes" => Kind::Bytes { min, max },
        _ => Kind::Number { min, max, whole: info.name != "cores" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn keys_and_variables_are_unambiguous() {
        let keys: BTreeSet<_> = settings().iter().map(|s| &s.key).collect();
        let variables: BTreeSet<_> =
            settings().iter().map(|s| s.variable.as_str()).chain([CONFIG_VARIABLE]).collect();
        assert_eq!(keys.len(), settings().len());
        assert_eq!(variables.len(), settings().len() + 1);
    }

    #[test]
    fn every_default_is_a_value_that_would_be_accepted() {
        for setting in settings() {
            match &setting.default {
                Value::Number(number) => {
                    assert!(setting.kind.check_number(*number).is_ok(), "{}", setting.key);
                }
                Value::Text(word) => {
                    let read = Value::from_text(setting.kind, word, std::path::Path::new("/"), None);
                    assert_eq!(read.as_ref(), Ok(&setting.default), "{}", setting.key);
                }
                Value::Unset => {
                    let may_be = matches!(setting.kind, Kind::Path | Kind::Paths | Kind::Word);
                    assert!(may_be, "{}", setting.key);
                }
                other => panic!("{}: {other:?}", setting.key),
            }
        }
    }
}
