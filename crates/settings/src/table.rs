//! Every setting on one page. One line declares a setting: its meaning, its key, its type, its values and its default.
//! Configuration files, the environment, `formicary config`, the documentation and the typed [`Settings`] are made from it.

use crate::declaration::{
    Below, Group, OfLanguages, OfPhase, Part, Values, bytes, choice, count, number, optional_word, path,
    paths, seconds, settings, word, words,
};
use crate::images::DEFAULTS;
use crate::resolve::Resolved;
use formicary_execution::packages::Installer;
use formicary_model::{Assurance, Level, Limits, Network};
use formicary_monitoring::audit::CodeKept;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

pub use crate::declaration::{Kind, ProjectRule, Setting};

/// Where the user's configuration file is, instead of the usual place.
pub const CONFIG_VARIABLE: &str = "FORMICARY_CONFIG";

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;
const GIB: u64 = 1024 * MIB;
const TIB: u64 = 1024 * GIB;

const HOUR: f64 = 3600.0;
const DAY: f64 = 24.0 * HOUR;
const WEEK: f64 = 7.0 * DAY;

/// Tools whose program can be named by a `toolchains.` setting.
const TOOLS: [&str; 8] = ["python", "node", "javac", "cc", "cxx", "go", "rustc", "bash"];

/// A setting that switches something on or off.
macro_rules! switch {
    ($default:literal) => {
        choice!($default of "on" => true, "off" => false)
    };
}

settings! {
    /// Every setting as it holds.
    Settings {
        /// Limits of a run.
        limits: Limits = OfPhase { defaults: Limits::default(), suffix: "" };
        /// Limits of a compile step.
        compile_limits: Limits = OfPhase { defaults: Limits::for_compiling(), suffix: " (compile step)" };
        /// Bytes that the code of one file may have
        max_code_bytes: u64 = bytes(1, GIB, MIB).stricter();
        /// Bytes that a folder may have, all files together
        max_project_bytes: u64 = bytes(1, GIB, 64 * MIB).stricter();
        /// The network that a program sees where the request is silent
        network: Network = choice!("none" of "host" => Network::Host, "none" => Network::None).stricter();
        /// The protection level that must hold where the request is silent
        require: Assurance = choice!("isolated" of
            "best-effort" => Assurance::BestEffort,
            "none" => Assurance::Require(Level::None),
            "limited" => Assurance::Require(Level::Limited),
            "isolated" => Assurance::Require(Level::Isolated),
            "full" => Assurance::Require(Level::Full),
        ).stricter();
        /// The isolation provider: native, gvisor, docker, auto (the strongest of these) or trusted
        provider: String = word("native");
        /// Containers.
        docker: Docker = Below;
        /// Many machines.
        cluster: Cluster = Below;
        /// Debuggers.
        inspect: Inspect = Below;
        /// gVisor.
        gvisor: Gvisor = Below;
        /// The image of each language.
        images: BTreeMap<String, String> = OfLanguages(&DEFAULTS);
        /// The native provider.
        native: Native = Below;
        /// `formicary serve`.
        server: Server = Below;
        /// Runs of one process.
        runs: Runs = Below;
        /// What is prepared in processes that stay.
        pool: Pool = Below;
        /// What runs bring back.
        collect: Collect = Below;
        /// Sessions.
        sessions: Sessions = Below;
        /// OpenTelemetry.
        otlp: Otlp = Below;
        /// The log of a server.
        log: Log = Below;
        /// The audit log.
        audit: Audit = Below;
        /// Compiled programs.
        cache: Cache = Below;
        /// Package environments.
        packages: Packages = Below;
        /// Language models.
        llm: Llm = Below;
        /// The agent.
        agent: Agent = Below;
        /// Where compilers and interpreters are.
        toolchains: Toolchains = Below;
        /// Folders whose formicary.toml may set everything
        trusted_projects: Vec<PathBuf> = paths();
    }

    /// Containers.
    Docker {
        /// The container engine's socket; the usual ones are looked for when unset
        socket: Option<PathBuf> = path();
        /// The image of containers, or default for each language's; the host's own programs are shown when unset
        image: Option<String> = optional_word();
        /// The network of steps that build images, such as host; the engine's default when unset
        build_network: Option<String> = optional_word();
        /// Another runtime of the engine's, such as runsc
        runtime: Option<String> = optional_word();
    }

    /// Many machines.
    Cluster {
        /// The queue of many machines: nats://HOST:PORT, several separated by commas
        url: Option<String> = optional_word();
        /// A NATS credentials file for it
        credentials: Option<PathBuf> = path();
        /// Certificates by which the queue's server is known; insists on TLS
        ca: Option<PathBuf> = path();
        /// The certificate by which the queue's server knows us
        certificate: Option<PathBuf> = path();
        /// The key of that certificate
        key: Option<PathBuf> = path();
        /// The cluster's name: several can share one NATS
        name: String = word("formicary");
        /// Copies that NATS keeps of jobs and results; 3 where NATS has three servers
        replicas: usize = count(1, 5, 1);
        /// How often a job is started before it goes to the dead letters
        attempts: u64 = count(1, 100, 3);
        /// How long a worker may be silent before its job goes to another
        lease_seconds: Duration = seconds(1.0, HOUR, 30.0);
        /// How often a worker says that it lives; after three missing ones it counts as gone
        heartbeat_seconds: Duration = seconds(0.5, 300.0, 3.0);
        /// How long results can be fetched
        keep_results_seconds: Duration = seconds(60.0, WEEK, HOUR);
    }

    /// Debuggers.
    Inspect {
        /// Debuggers to prefer, separated by commas, such as lldb,debugpy; each is taken where it suits the language
        adapter: Vec<String> = words(None);
    }

    /// gVisor.
    Gvisor {
        /// Where runsc is; searched for when unset
        program: Option<PathBuf> = path();
        /// How gVisor intercepts calls: systrap, ptrace or kvm; by its version when unset
        platform: Option<String> = optional_word();
    }

    /// The native provider.
    Native {
        /// Whether the native provider uses control groups where there are some
        cgroups: bool = choice!("auto" of "off" => false, "auto" => true).stricter();
    }

    /// `formicary serve`.
    Server {
        /// Whether a server may run code by the trusted provider, which isolates nothing
        trusted: bool = switch!("off");
        /// Address and port of the server; 127.0.0.1:8765 when unset
        listen: Option<String> = optional_word();
        /// Names by which the server is called besides its address, with commas between
        hosts: Vec<String> = words(None);
        /// The file of keys; keys.json beside the user's configuration when unset
        keys: Option<PathBuf> = path();
        /// A folder in which jobs, their keys and reviews of projects outlive the server; in memory when unset
        state: Option<PathBuf> = path();
        /// Requests that work at one time; 0: four times as many as there are cores, 8 at the least
        at_once: usize = count(0, 10_000, 0);
        /// Requests that may wait for their turn; more are told to come back
        waiting: usize = count(0, 100_000, 64);
        /// Largest body of a request
        body_bytes: u64 = bytes(KIB, 4 * GIB, 32 * MIB);
        /// Time in which a request must have come whole
        body_seconds: Duration = seconds(0.1, HOUR, 30.0);
        /// Time that work under way is given when the server is told to end
        grace_seconds: Duration = seconds(0.0, HOUR, 10.0);
    }

    /// Runs of one process.
    Runs {
        /// Runs at one time in one process; more of them wait for their turn
        at_once: usize = count(1, 10_000, 64);
    }

    /// What is prepared in processes that stay.
    Pool {
        /// Whether sandboxes and interpreters stand ready in processes that stay (judging, servers)
        enabled: bool = switch!("on");
        /// Sandboxes that stand ready for each sort of run; 0: twice as many as there are cores
        waiting: usize = count(0, 256, 0);
        /// Time after which sandboxes that nobody asked for are taken apart
        idle_seconds: Duration = seconds(1.0, DAY, 60.0);
        /// Modules that Python interpreters import before they stand ready, with commas between; or none
        python_imports: Vec<String> = words(Some("none"));
        /// Programs that come from one interpreter, and share its hash seed, before another takes its place
        programs_per_interpreter: usize = count(1, 1_000_000, 64);
    }

    /// What runs bring back.
    Collect {
        /// Files that one run may bring back
        max_files: u64 = count(0, 1_000_000, 256).stricter();
        /// Bytes that one run may bring back, all files together
        max_bytes: u64 = bytes(0, 16 * GIB, 64 * MIB).stricter();
    }

    /// Sessions.
    Sessions {
        /// Time without a cell and without background work after which a session ends
        idle_seconds: Duration = seconds(1.0, WEEK, 1800.0);
        /// Time after which a session's sandbox ends whatever it does; its files are kept
        lifetime_seconds: Duration = seconds(60.0, WEEK, 28_800.0);
        /// Time without a session after which the session server ends
        linger_seconds: Duration = seconds(0.1, DAY, 30.0);
        /// Sessions at one time
        most: usize = count(1, 1024, 16);
    }

    /// OpenTelemetry.
    Otlp {
        /// An OpenTelemetry collector that gets traces and metrics by OTLP over HTTP: http://localhost:4318
        endpoint: Option<String> = optional_word();
    }

    /// The log of a server.
    Log {
        /// Whether a server writes one line of JSON for each run to its stderr
        format: LogFormat = choice!("off" of "off" => LogFormat::Off, "json" => LogFormat::Json);
    }

    /// The audit log.
    Audit {
        /// Whether every execution is logged
        enabled: bool = switch!("on");
        /// The file in which every execution is logged; audit.db in the user's state directory where unset
        file: Option<PathBuf> = path();
        /// A PostgreSQL server that keeps the audit log instead: postgres://…
        url: Option<String> = optional_word();
        /// Whether nothing runs that cannot be logged; for the log in the state directory only where set
        required: bool = choice!("on" of "off" => false, "on" => true);
        /// Whether the end of a run waits until its record is on the disk; auto: where audit.file is set
        flush: AuditFlush = choice!("auto" of
            "auto" => AuditFlush::Auto,
            "off" => AuditFlush::Off,
            "on" => AuditFlush::On,
        );
        /// What the audit log keeps of code
        code: CodeKept = choice!("hash" of "hash" => CodeKept::Hash, "full" => CodeKept::Full);
        /// Whether the audit log names the files that runs bring back
        files: bool = switch!("off");
        /// Days after which audit records go; 0: they stay
        keep_days: f64 = number(0.0, 36_500.0, 0.0);
        /// Size at which the older half of the audit file moves to an archive beside it; in the state directory it is removed
        max_bytes: u64 = bytes(4 * KIB, TIB, 64 * MIB);
    }

    /// Compiled programs.
    Cache {
        /// Whether compiled programs are kept for the next time
        enabled: bool = switch!("on");
        /// Where compiled programs are kept; the user's cache folder where absent
        folder: Option<PathBuf> = path();
        /// Bytes that kept programs may take; what was not used for longest goes first
        max_bytes: u64 = bytes(MIB, TIB, GIB);
    }

    /// Package environments.
    Packages {
        /// Where package environments are kept; the user's cache folder where absent
        folder: Option<PathBuf> = path();
        /// The index that packages come from; where absent, what pip's configuration says
        index_url: Option<String> = optional_word();
        /// Bytes that package environments may take; what was not used for longest goes first
        max_bytes: u64 = bytes(MIB, TIB, 5 * GIB);
        /// Memory that installing packages may use
        memory_bytes: u64 = bytes(64 * MIB, TIB, 2 * GIB);
        /// Time that installing packages may take
        wall_seconds: Duration = seconds(1.0, DAY, 900.0);
        /// Who installs packages: auto (uv where it is there), uv, or the interpreter's pip
        installer: Installer = choice!("auto" of
            "auto" => Installer::Auto,
            "uv" => Installer::Uv,
            "pip" => Installer::Pip,
        );
    }

    /// Language models.
    Llm {
        /// The model: openai:NAME, responses:NAME, anthropic:NAME, gemini:NAME, recorded:FILE
        model: Option<String> = optional_word();
        /// The address of the model's server; the provider's own where absent
        base_url: Option<String> = optional_word();
        /// A file that holds the key; the provider's usual variable where absent
        key_file: Option<PathBuf> = path();
        /// The environment variable that holds the key
        key_variable: Option<String> = optional_word();
        /// The proxy to the model's server; where absent, HTTPS_PROXY and NO_PROXY
        proxy: Option<String> = optional_word();
        /// Money for a million tokens, as in gpt-4o=2.5/10,claude=3/15 (read/written)
        prices: Option<String> = optional_word();
        /// Tokens of the model's window, request and answer together
        context_tokens: u64 = count(1024, 100_000_000, 32_000);
        /// Time that one answer may take
        timeout_seconds: Duration = seconds(1.0, DAY, 600.0);
        /// Time that a model may be silent in the middle of an answer
        idle_seconds: Duration = seconds(0.1, DAY, 120.0);
        /// Times that a request is sent anew where that may help
        retries: u32 = count(0, 20, 4);
        /// Requests in a minute; 0: as many as there are
        requests_per_minute: u32 = count(0, 1_000_000, 0);
        /// Whether the model calls tools; auto: yes, unless it answers from a recording that says otherwise
        tools: bool = choice!("auto" of "auto" => true, "on" => true, "off" => false);
    }

    /// The agent.
    Agent {
        /// Answers of the model
        steps: u32 = count(1, 10_000, 25).stricter();
        /// Proposals that may be judged and not pass
        attempts: u32 = count(1, 1_000, 5).stricter();
        /// Time of a whole run
        seconds: Duration = seconds(1.0, WEEK, 1800.0).stricter();
        /// Tokens, read and written
        tokens: u64 = count(1, 1_000_000_000_000, 1_000_000).stricter();
        // No bound is written as nothing, which would be the loosest: a project's file leaves money alone.
        /// Money, by llm.prices; 0: no bound
        money: f64 = number(0.0, 1e9, 0.0);
        /// Time of programs in the sandbox
        sandbox_seconds: Duration = seconds(1.0, WEEK, 600.0).stricter();
        /// Where runs of the agent are kept; the user's state folder where absent
        folder: Option<PathBuf> = path();
        /// Packages that the agent may install for programs, with commas between
        packages: Vec<String> = words(None);
    }
}

/// When a server writes a line for each run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Never.
    Off,
    /// As JSON.
    Json,
}

/// Whether the end of a run waits for its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditFlush {
    /// Where the audit log's file is named.
    Auto,
    /// Never.
    Off,
    /// Always.
    On,
}

/// Where compilers and interpreters are.
#[derive(Debug, Clone, PartialEq)]
pub struct Toolchains {
    /// Directories in which they are looked for before `PATH`.
    pub path: Vec<PathBuf>,
    /// The programs that are named, by tool.
    pub programs: BTreeMap<String, PathBuf>,
}

impl Group for Toolchains {
    fn declare(prefix: &str, table: &mut Vec<Setting>) {
        let about = "Folders in which compilers and interpreters are looked for before PATH";
        paths().declare(&format!("{prefix}path"), about, table);
        for tool in TOOLS {
            path().declare(&format!("{prefix}{tool}"), &format!("The program to use for {tool}"), table);
        }
    }

    fn read(prefix: &str, values: &Values<'_>) -> Option<Self> {
        let mut programs = BTreeMap::new();
        for tool in TOOLS {
            if let Some(program) = path().read(&format!("{prefix}{tool}"), values)? {
                programs.insert(tool.to_owned(), program);
            }
        }
        Some(Self { path: paths().read(&format!("{prefix}path"), values)?, programs })
    }
}

impl Settings {
    /// The typed settings of these rows, which are all that there are.
    pub(crate) fn of(rows: &[Resolved]) -> Option<Self> {
        Self::read("", &rows.iter().map(|row| (row.key, &row.value)).collect())
    }
}

static TABLE: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let mut table = Vec::new();
    Settings::declare("", &mut table);
    table
});

/// All settings, in the order in which they are shown.
pub fn settings() -> &'static [Setting] {
    &TABLE
}

/// The setting of this key.
pub fn setting(key: &str) -> Option<&'static Setting> {
    TABLE.iter().find(|setting| setting.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;
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

    #[test]
    fn every_bound_and_every_word_has_a_typed_value() {
        let defaults: BTreeMap<&'static str, Value> =
            settings().iter().map(|setting| (setting.key.as_str(), setting.default.clone())).collect();
        let reads = |key: &'static str, value: Value| {
            let mut values: Values<'_> = defaults.iter().map(|(key, value)| (*key, value)).collect();
            values.insert(key, &value);
            assert!(Settings::read("", &values).is_some(), "{key} = {value:?}");
        };
        for setting in settings() {
            match setting.kind {
                Kind::Seconds { min, max } | Kind::Bytes { min, max } | Kind::Number { min, max, .. } => {
                    reads(&setting.key, Value::Number(min));
                    reads(&setting.key, Value::Number(max));
                }
                Kind::Choice(words) => words.iter().for_each(|word| {
                    reads(&setting.key, Value::Text((*word).into()));
                }),
                Kind::Word => reads(&setting.key, Value::Text("a,b".into())),
                Kind::Path => reads(&setting.key, Value::Path("/a".into())),
                Kind::Paths => reads(&setting.key, Value::Paths(vec!["/a".into()])),
            }
        }
    }
}
