//! What a caller may ask for, decided in one place for every front end: which fields, within which bounds, which files.
//!
//! An input shows its parts ([`formicary_model::use_case::Input::parts`]); a [`Judgement`] refuses what the caller may not
//! have and fills in its bounds. What a caller may have hangs on how far it is trusted, never on the way by which it came.

use crate::facade::Platform;
use crate::keys::{Quota, Scope};
use crate::root::{Root, Writes};
use crate::tenants::{LOCAL, Tenant};
use crate::uploads::checked_path;
use formicary_model::use_case::{Budget, Code, Judge, Purpose};
use formicary_model::{
    Assurance, CollectRequest, Environment, Failure, FailureKind, LimitOverrides, Limits, Network,
};
use formicary_sessions::SessionNames;
use std::path::PathBuf;

/// How much more than the configured limit a confined caller may ask for.
const TIMES: u64 = 4;
/// Output kept of one run of a confined caller's, which travels in the answer.
const MOST_OUTPUT: u64 = 16 << 20;
/// Memory and disk that suites of tests get where their caller may have it: compilers are among them.
const TESTS_MEMORY: u64 = 3 << 30;
const TESTS_DISK: u64 = 2 << 30;
/// The longest search of a caller who shares the host with others, and of one who has it alone.
const MOST_SECONDS_SHARED: f64 = 600.0;
const MOST_SECONDS: f64 = 3_600.0;
/// Programs that a confined caller has judged in one request.
const MOST_AT_ONCE: usize = 1_000;
/// Workers of a caller who shares the host with others.
const WORKERS_SHARED: usize = 2;

/// What one caller may ask for.
#[derive(Debug, Clone)]
pub struct Policy {
    reach: Reach,
    files: Files,
    sharing: Sharing,
    quota: Quota,
    scopes: Vec<Scope>,
    sessions: SessionNames,
}

/// Whether a caller may ask for what reaches the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// It is the host's own user.
    Host,
    /// It may have sandboxes within the configured bounds and nothing else.
    Confined,
}

/// Whether others work on the same host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Alone,
    Shared,
}

/// Which files a caller may name.
#[derive(Debug, Clone)]
pub enum Files {
    /// Any; relative paths begin in this directory.
    From(PathBuf),
    /// Those beneath a root.
    Beneath(Root),
    /// None: what a request is about comes along.
    Sent,
}

impl Policy {
    /// The host's own user at a terminal or in a program: bound by what the guard allows, and by nothing else.
    pub fn local(working_directory: PathBuf) -> Self {
        Self {
            reach: Reach::Host,
            files: Files::From(working_directory),
            sharing: Sharing::Alone,
            quota: Quota::default(),
            scopes: Scope::ALL.to_vec(),
            sessions: SessionNames::default(),
        }
    }

    /// A program that works for the host's own user, such as a language model: it may see files beneath the root.
    pub fn assistant(root: Root) -> Self {
        Self { reach: Reach::Confined, files: Files::Beneath(root), ..Self::local(PathBuf::new()) }
    }

    /// A caller from elsewhere, known by its key.
    pub fn tenant(tenant: &Tenant, files: Files) -> Self {
        Self {
            reach: Reach::Confined,
            files,
            sharing: Sharing::Shared,
            quota: tenant.quota,
            scopes: tenant.scopes().to_vec(),
            sessions: SessionNames::of_tenant(&tenant.id, tenant.id != LOCAL),
        }
    }

    /// A job that a worker runs for another machine, which has judged its caller: what would reach this host is refused again.
    pub fn worker() -> Self {
        Self { reach: Reach::Confined, files: Files::Sent, ..Self::local(PathBuf::new()) }
    }

    /// Whether its caller may use what needs this scope.
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// What its caller's sessions are called.
    pub(crate) fn sessions(&self) -> &SessionNames {
        &self.sessions
    }

    /// Which files its caller may name.
    pub fn files(&self) -> &Files {
        &self.files
    }
}

/// The judgement of one input.
pub struct Judgement<'a> {
    platform: &'a Platform,
    policy: &'a Policy,
    /// Whether the input brings its own files: then its paths are theirs.
    sent: bool,
}

impl<'a> Judgement<'a> {
    /// A judgement by this policy.
    pub fn new(platform: &'a Platform, policy: &'a Policy) -> Self {
        Self { platform, policy, sent: false }
    }

    fn is_confined(&self) -> bool {
        self.policy.reach == Reach::Confined
    }

    /// The limits of a run as configured.
    fn usual(&self) -> &Limits {
        &self.platform.settings().limits
    }

    fn most_memory(&self) -> u64 {
        let configured = self.usual().memory_bytes.max(self.platform.settings().compile_limits.memory_bytes);
        self.policy.quota.memory_bytes.unwrap_or(configured.saturating_mul(TIMES))
    }

    fn most_disk(&self) -> u64 {
        self.usual().disk_bytes.saturating_mul(TIMES)
    }

    fn at_most(&self, field: &str, seconds: f64, most: f64) -> Result<(), Failure> {
        if seconds <= most || !self.is_confined() {
            return Ok(());
        }
        Err(forbidden(format!("{field} is {seconds}, at most {most} may be asked for"))
            .code("policy.seconds")
            .hint("ask for less, or for less at a time"))
    }

    /// The assurance that holds: never less than the configured one.
    fn assurance(&self, asked: Assurance, provider: Option<&str>) -> Result<(), Failure> {
        let configured = self.platform.assurance_of(None);
        let is_enough = |asked| match (asked, configured) {
            (_, Assurance::BestEffort) => true,
            (Assurance::Require(asked), Assurance::Require(configured)) => asked >= configured,
            (Assurance::BestEffort, Assurance::Require(_)) => false,
        };
        if let Some(name) = provider.filter(|name| !is_enough(self.platform.assurance_of(Some(name)))) {
            return Err(forbidden(format!("the provider {name} protects less than what is configured"))
                .code("policy.provider")
                .hint("leave provider out"));
        }
        if is_enough(asked) {
            return Ok(());
        }
        Err(forbidden("less protection than the configured one is not given")
            .code("policy.assurance")
            .hint("leave assurance out"))
    }
}

impl Judge for Judgement<'_> {
    fn environment(&mut self, environment: &mut Environment, purpose: Purpose) -> Result<(), Failure> {
        if self.is_confined() {
            let reaching = [
                ("mounts", !environment.mounts.is_empty()),
                ("insist_on_mounts", !environment.insist_on_mounts.is_empty()),
                ("venv", environment.venv.is_some()),
            ];
            if let Some((name, _)) = reaching.iter().find(|(_, asked)| *asked) {
                return Err(forbidden(format!("{name} would reach the host's own files"))
                    .code("policy.reach")
                    .hint("send the files along"));
            }
            let configured = self.platform.new_request().environment;
            if environment.network == Network::Host && configured.network != Network::Host {
                return Err(forbidden("the host's network would reach what the host reaches")
                    .code("policy.network")
                    .hint("leave network out"));
            }
            self.assurance(environment.assurance, environment.provider.as_deref())?;
        }
        self.limits(&mut environment.limits)?;
        if purpose == Purpose::Tests {
            // Tests want more than a program. Where nobody says how much, they get it only as far as their caller may have it.
            let (memory, disk) = match self.is_confined() {
                true => (self.most_memory().min(TESTS_MEMORY), self.most_disk().min(TESTS_DISK)),
                false => return Ok(()),
            };
            environment.limits.memory_bytes.get_or_insert(memory);
            environment.limits.disk_bytes.get_or_insert(disk);
            environment.limits.output_bytes.get_or_insert(MOST_OUTPUT);
        }
        Ok(())
    }

    /// Limits within what the caller may have: its quota, or a few times what is configured.
    fn limits(&mut self, limits: &mut LimitOverrides) -> Result<(), Failure> {
        if !self.is_confined() {
            return Ok(());
        }
        let (memory, disk) = (self.most_memory(), self.most_disk());
        let usual = self.usual();
        if limits.memory_bytes.is_none() && usual.memory_bytes > memory {
            limits.memory_bytes = Some(memory);
        }
        let bounds = [
            ("memory_bytes", limits.memory_bytes, memory),
            ("disk_bytes", limits.disk_bytes, disk),
            ("file_size_bytes", limits.file_size_bytes, disk),
            ("output_bytes", limits.output_bytes, MOST_OUTPUT),
            ("output_total_bytes", limits.output_total_bytes, usual.output_total_bytes.saturating_mul(TIMES)),
            ("disk_inodes", limits.disk_inodes, usual.disk_inodes.saturating_mul(TIMES)),
            ("open_files", limits.open_files.map(u64::from), u64::from(usual.open_files).saturating_mul(16)),
            ("processes", limits.processes.map(u64::from), u64::from(usual.processes).saturating_mul(16)),
        ];
        for (name, asked, most) in bounds {
            if let Some(asked) = asked.filter(|asked| *asked > most) {
                return Err(forbidden(format!("{name} is {asked}, at most {most} may be asked for"))
                    .code("policy.limit")
                    .hint("ask for less"));
            }
        }
        Ok(())
    }

    /// No more than what is configured: it travels in the answer.
    fn collect(&mut self, collect: &mut CollectRequest) {
        if self.is_confined() {
            let configured = self.platform.new_request().collect;
            collect.max_files = collect.max_files.min(configured.max_files);
            collect.max_bytes = collect.max_bytes.min(configured.max_bytes);
        }
    }

    fn count(&mut self, field: &'static str, count: usize) -> Result<(), Failure> {
        if count <= MOST_AT_ONCE || !self.is_confined() {
            return Ok(());
        }
        let message = format!("there are {count} {field}, there may be 1 to {MOST_AT_ONCE}");
        Err(Failure::new(FailureKind::InvalidInput, message)
            .code("policy.count")
            .hint("send them in several requests"))
    }

    fn code(&mut self, code: &mut Code) -> Result<(), Failure> {
        self.sent = !code.files.is_empty();
        if matches!(self.policy.files, Files::From(_)) {
            return Ok(());
        }
        if let Some(folder) = &mut code.folder {
            self.project_path("folder", folder)?;
        }
        let mut paths = std::mem::take(&mut code.paths);
        for path in &mut paths {
            self.project_path("paths", path)?;
        }
        code.paths = paths;
        if !self.sent && matches!(self.policy.files, Files::Sent) {
            return Err(Failure::new(FailureKind::InvalidInput, "no files are given")
                .code("input.files")
                .hint("send the files along, each with its path and content"));
        }
        Ok(())
    }

    fn host_path(&mut self, field: &'static str, path: Option<&str>) -> Result<(), Failure> {
        self.own(field, path.is_some())
    }

    fn project_path(&mut self, field: &'static str, path: &mut String) -> Result<(), Failure> {
        *path = match &self.policy.files {
            Files::From(_) => return Ok(()),
            // What is code is there; what may be a revision, a rule's name or a file to be written need not be.
            Files::Beneath(root)
                if !self.sent
                    && matches!(
                        field,
                        "paths" | "folder" | "file" | "tests" | "expect_file" | "stdin_file"
                    ) =>
            {
                let beneath = root.beneath(path)?;
                beneath.to_str().map(str::to_owned).ok_or_else(|| {
                    Failure::new(FailureKind::InvalidInput, format!("{path} is not UTF-8")).hint("rename it")
                })?
            }
            Files::Beneath(root) if !self.sent => root.revision(path)?,
            _ if path == "." => return Ok(()),
            _ => checked_path(path)?,
        };
        Ok(())
    }

    fn seconds(&mut self, field: &'static str, seconds: f64) -> Result<(), Failure> {
        let most = match (self.policy.reach, self.policy.sharing) {
            (Reach::Host, _) => return Ok(()),
            (Reach::Confined, Sharing::Alone) => MOST_SECONDS,
            (Reach::Confined, Sharing::Shared) => MOST_SECONDS_SHARED,
        };
        self.at_most(field, seconds, most)
    }

    fn total_seconds(&mut self, field: &'static str, seconds: f64) -> Result<(), Failure> {
        self.at_most(field, seconds, MOST_SECONDS)
    }

    fn budget(&mut self, budget: Budget, amount: f64) -> Result<(), Failure> {
        let agent = &self.platform.settings().agent;
        let most = match budget {
            Budget::Steps => f64::from(agent.steps),
            Budget::Attempts => f64::from(agent.attempts),
            Budget::Seconds => agent.seconds.as_secs_f64(),
            Budget::Tokens => agent.tokens as f64,
            // Money is not bounded where none is configured: 0 means that.
            Budget::Money if agent.money == 0.0 => return Ok(()),
            Budget::Money => agent.money,
            Budget::SandboxSeconds => agent.sandbox_seconds.as_secs_f64(),
        };
        self.at_most(budget.field(), amount, most)
    }

    fn workers(&mut self, workers: &mut Option<usize>) {
        if self.policy.sharing == Sharing::Shared {
            *workers = Some(workers.unwrap_or(WORKERS_SHARED).min(WORKERS_SHARED));
        }
    }

    fn write(&mut self, write: bool) -> Result<(), Failure> {
        match &self.policy.files {
            _ if !write => Ok(()),
            Files::Beneath(root) if root.writes() == Writes::Allowed && !self.sent => Ok(()),
            Files::From(_) if !self.sent => Ok(()),
            // Files that came along are changed where they lie, and go back with the answer.
            _ if self.sent => Ok(()),
            _ => Err(forbidden("this server does not write files")
                .code("policy.write")
                .hint("apply the diff yourself, or start it with --allow-write")),
        }
    }

    fn own(&mut self, field: &'static str, set: bool) -> Result<(), Failure> {
        if !set || !self.is_confined() {
            return Ok(());
        }
        Err(forbidden(format!("{field} is for the host's own user")).code("policy.own").hint("leave it out"))
    }
}

fn forbidden(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Forbidden, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ConfigSources, Configuration};
    use formicary_model::{Level, Mount, SourceFile};
    use std::collections::BTreeMap;

    const MIB: f64 = 1_048_576.0;

    fn platform() -> Platform {
        let sources = ConfigSources::new(BTreeMap::new(), None);
        Platform::new(Configuration::load(&sources).unwrap(), &sources).unwrap()
    }

    fn root(directory: &std::path::Path) -> Root {
        Root::open(directory, Writes::Refused).unwrap()
    }

    fn callers(directory: &std::path::Path) -> Vec<(&'static str, Policy)> {
        let quota = Quota { memory_bytes: Some(512 << 20), ..Quota::default() };
        let mut tenant = Tenant::local();
        tenant.quota = quota;
        vec![
            ("local", Policy::local(directory.to_owned())),
            ("assistant", Policy::assistant(root(directory))),
            ("tenant over HTTP", Policy::tenant(&tenant, Files::Sent)),
            ("tenant over MCP", Policy::tenant(&tenant, Files::Beneath(root(directory)))),
            ("worker", Policy::worker()),
        ]
    }

    /// Each limit, and the most that a confined caller may ask for; nothing where the guard's own bound is the only one.
    fn most_of(name: &str, has_quota: bool) -> Option<f64> {
        Some(match name {
            "memory_bytes" if has_quota => 512.0 * MIB,
            "memory_bytes" => 8192.0 * MIB,
            "disk_bytes" | "file_size_bytes" => 1024.0 * MIB,
            "output_bytes" => 16.0 * MIB,
            "output_total_bytes" => 1024.0 * MIB,
            "disk_inodes" => 262_144.0,
            "open_files" => 4_096.0,
            "processes" => 1_024.0,
            "wall_seconds" | "cpu_seconds" | "cores" => return None,
            unknown => panic!("say in this table what callers may ask for of {unknown}"),
        })
    }

    #[test]
    fn every_limit_is_bounded_for_every_caller() {
        let (platform, directory) = (platform(), tempfile::tempdir().unwrap());
        for (who, policy) in callers(directory.path()) {
            let judged = |name: &str, value: f64| {
                let mut judgement = Judgement::new(&platform, &policy);
                let mut limits = LimitOverrides::default();
                assert!(limits.set(name, value));
                judgement.limits(&mut limits)
            };
            for info in Limits::TABLE {
                let most = most_of(info.name, who.starts_with("tenant")).filter(|_| who != "local");
                judged(info.name, most.unwrap_or(info.max))
                    .unwrap_or_else(|why| panic!("{who} {}: {why}", info.name));
                if let Some(most) = most {
                    let refusal = judged(info.name, most + 1.0).unwrap_err();
                    assert!(
                        refusal.kind == FailureKind::Forbidden && refusal.is("policy.limit"),
                        "{who}: {refusal:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_reaches_the_host_is_for_its_own_user() {
        let (platform, directory) = (platform(), tempfile::tempdir().unwrap());
        let mount = Mount { host: "/etc".into(), guest: "/seen".into(), access: Default::default() };
        let reaching = [
            Environment { mounts: vec![mount], ..Environment::default() },
            Environment { insist_on_mounts: vec!["/etc".into()], ..Environment::default() },
            Environment { venv: Some("/venv".into()), ..Environment::default() },
            Environment { network: Network::Host, ..Environment::default() },
            Environment { assurance: Assurance::Require(Level::None), ..Environment::default() },
        ];
        for (who, policy) in callers(directory.path()) {
            for environment in &reaching {
                let judged =
                    Judgement::new(&platform, &policy).environment(&mut environment.clone(), Purpose::Run);
                match who {
                    "local" => judged.unwrap(),
                    _ => {
                        assert_eq!(judged.unwrap_err().kind, FailureKind::Forbidden, "{who}: {environment:?}")
                    }
                }
            }
            let mut judgement = Judgement::new(&platform, &policy);
            assert_eq!(judgement.own("model", true).is_ok(), who == "local", "{who}");
            assert!(judgement.count("items", 1_000).is_ok(), "{who}");
            assert_eq!(judgement.count("items", 1_001).is_ok(), who == "local", "{who}");
            let mut collect = CollectRequest { max_files: u64::MAX, ..CollectRequest::default() };
            judgement.collect(&mut collect);
            assert_eq!(collect.max_files == u64::MAX, who == "local", "{who}");
            assert_eq!(judgement.seconds("seconds", 601.0).is_ok(), !who.starts_with("tenant"), "{who}");
            assert_eq!(judgement.write(true).is_ok(), who == "local", "{who}");
            assert!(
                judgement.budget(Budget::Steps, 25.0).is_ok() && judgement.budget(Budget::Money, 1.0).is_ok(),
                "{who}"
            );
            assert_eq!(judgement.budget(Budget::Steps, 26.0).is_ok(), who == "local", "{who}");
        }
    }

    #[test]
    fn files_are_named_beneath_the_root_or_sent() {
        let (platform, directory) = (platform(), tempfile::tempdir().unwrap());
        std::fs::write(directory.path().join("a.py"), "x").unwrap();
        std::os::unix::fs::symlink("/etc", directory.path().join("link")).unwrap();
        for (who, policy) in callers(directory.path()) {
            let judged = |code: Code| Judgement::new(&platform, &policy).code(&mut code.clone());
            let named = |path: &str| Code { paths: vec![path.to_owned()], ..Code::default() };
            let sent = |path: &str| Code { files: vec![SourceFile::new("b.py", "x")], ..named(path) };
            let (beneath, anywhere) = (who == "assistant" || who == "tenant over MCP", who == "local");
            assert_eq!(judged(named("a.py")).is_ok(), beneath || anywhere, "{who}");
            for outside in ["/etc/passwd", "../x", "link/passwd"] {
                assert_eq!(judged(named(outside)).is_ok(), anywhere, "{who}: {outside}");
            }
            assert!(judged(sent("b.py")).is_ok(), "{who}");
            assert_eq!(judged(sent("/etc/passwd")).is_ok(), anywhere, "{who}");
            assert_eq!(judged(sent("../x")).is_ok(), anywhere, "{who}");
        }
    }
}
