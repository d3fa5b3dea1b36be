//! The façade with a provider that only records: what is configured reaches the sandbox, and the audit log is kept.

use crate::configuration::Host;
use formicary_model::{
    Assurance, Caller, Enforcement, ExecutionRequest, ExecutionResult, Failure, FailureKind, JudgeResult,
    Level, Network, Protection, ProtectionState, SessionInfo, Source, Status, Usage, Verdict,
};
use formicary_platform::audit::{Filter, RecordKind};
use formicary_platform::config::Configuration;
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{Cases, Feed, Item, ResultFile, Template, lines};
use formicary_platform::policy::Policy;
use formicary_platform::sessions::{SessionAnswer, SessionCall};
use formicary_platform::use_case::Context;
use formicary_platform::{Cancel, Elsewhere, Live, Platform, registry};
use formicary_sandbox::{Captured, End, Job, Outcome, Provider, RunIo, SandboxError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Runs nothing and remembers what it was asked.
#[derive(Default)]
struct Recorder {
    jobs: Mutex<Vec<Job>>,
}

impl Provider for Recorder {
    fn name(&self) -> &'static str {
        "native"
    }

    fn capabilities(&self) -> Enforcement {
        let mut enforcement = Enforcement::new("native");
        for protection in Protection::ALL {
            enforcement.record(protection, ProtectionState::Enforced("recorder".into()));
        }
        enforcement.record(Protection::Memory, ProtectionState::Watched("recorder".into()));
        enforcement
    }

    fn run(&self, job: &Job, _io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        self.jobs.lock().unwrap().push(job.clone());
        Ok(Outcome {
            status: Status::Success,
            end: End::Exited(0),
            duration: Duration::from_millis(5),
            stdout: Captured::default(),
            stderr: Captured::default(),
            usage: Usage::default(),
            violations: Vec::new(),
            enforcement: self.capabilities(),
            files: Vec::new(),
            skipped: Vec::new(),
        })
    }
}

fn platform(host: &Host) -> (Platform, Arc<Recorder>) {
    let sources = host.sources();
    let recorder = Arc::new(Recorder::default());
    let configuration = Configuration::load(&sources).unwrap();
    let provider: Arc<dyn Provider> = recorder.clone();
    (Platform::with_providers(configuration, &sources, vec![provider]).unwrap(), recorder)
}

fn request(platform: &Platform) -> ExecutionRequest {
    ExecutionRequest { language: Some("bash".into()), source: Source::code("echo"), ..platform.new_request() }
}

#[test]
fn what_is_configured_reaches_the_sandbox() {
    let host = Host::new().user(
        "network = \"host\"\nrequire = \"limited\"\n[limits]\nwall_seconds = 7\nmemory_bytes = \"64MiB\"\n[collect]\nmax_files = 3\n",
    );
    let (platform, recorder) = platform(&host);
    let mut request = request(&platform);
    request.limits.processes = Some(9);
    platform.execute_as(&formicary_platform::local_caller(), request, Live::default()).unwrap();
    let jobs = recorder.jobs.lock().unwrap();
    let job = jobs.last().unwrap();
    assert_eq!((job.limits.wall_seconds, job.limits.memory_bytes), (7.0, 64 * 1024 * 1024));
    assert_eq!(job.limits.processes, 9, "the request's own word is above the configuration's");
    assert_eq!(job.network, Network::Host);
    assert_eq!(job.assurance, Assurance::Require(Level::Limited));
    assert_eq!(job.collect.max_files, 3);
}

#[test]
fn every_execution_is_in_the_audit_log() {
    let host = Host::new().user("audit.file = \"~/audit.db\"");
    let (platform, _) = platform(&host);
    platform.execute_as(&formicary_platform::local_caller(), request(&platform), Live::default()).unwrap();
    let wrong = ExecutionRequest { language: Some("cobol".into()), ..request(&platform) };
    let caller = Caller::new("ada").of("house");
    platform.execute_as(&caller, wrong, Live::default()).unwrap_err();
    let records = platform.audit_query(&Filter::default(), 10).unwrap();
    let [refused, ended, started] = records.as_slice() else { panic!("{records:?}") };
    use RecordKind::{Ended, Refused, Started};
    let kinds = [started, ended, refused].map(|shown| shown.record.kind);
    assert_eq!(kinds, [Started, Ended, Refused]);
    assert_eq!((ended.record.status, ended.record.level), (Some(Status::Success), Some(Level::Isolated)));
    assert_eq!(ended.record.not_enforced.keys().collect::<Vec<_>>(), [&Protection::Memory]);
    assert_eq!(refused.record.failure.as_deref(), Some("invalid_input"));
    assert_eq!((refused.record.caller.name.as_str(), refused.record.caller.tenant()), ("ada", "house"));
    assert!(ended.record.caller.name.starts_with("uid:"), "{ended:?}");
    assert_eq!(started.record.code_hash, Some(formicary_platform::code_hash(&Source::code("echo"))));
    assert!(started.record.code.is_none() && started.record.terms.is_some());
    let quota = Failure::new(FailureKind::InvalidInput, "too many runs at a time");
    platform.record_refusal(&caller, Some(&request(&platform)), &quota).unwrap();
    let filter = Filter { text: Some("too many".into()), ..Filter::default() };
    assert_eq!(platform.audit_query(&filter, 10).unwrap()[0].record.language.as_deref(), Some("bash"));
    assert!(platform.audit_verify(&[]).unwrap().intact);
    assert_eq!(platform.audit_verify(&["7".into()]).unwrap_err().kind, FailureKind::InvalidInput);
}

#[test]
fn without_any_setting_runs_are_logged_in_the_state_directory() {
    use std::os::unix::fs::PermissionsExt as _;
    for (host, place) in [
        (Host::new(), "home/.local/state/formicary/audit.db"),
        (Host::new().user("audit.required = \"on\""), "home/.local/state/formicary/audit.db"),
    ] {
        let (platform, _) = platform(&host);
        platform
            .execute_as(&formicary_platform::local_caller(), request(&platform), Live::default())
            .unwrap();
        let mode = std::fs::metadata(host.path(place).parent().unwrap()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert_eq!(platform.audit_query(&Filter::default(), 10).unwrap().len(), 2);
        assert!(platform.audit_verify(&[]).unwrap().intact);
        let audit = platform.doctor().audit;
        assert_eq!((audit.kept, audit.place.as_deref()), (true, host.path(place).to_str()));
        assert_eq!(audit.max_bytes, Some(64 << 20));
    }
    let host = Host::new();
    let state = host.path("state").display().to_string();
    let host = host.variable("XDG_STATE_HOME", &state);
    let (platform, _) = platform(&host);
    platform.execute_as(&formicary_platform::local_caller(), request(&platform), Live::default()).unwrap();
    assert!(host.path("state/formicary/audit.db").exists() && !host.path("home/.local").exists());
}

#[test]
fn a_state_directory_that_is_missing_or_closed_stops_nothing() {
    let closed = Host::new();
    std::fs::write(closed.path("home/.local"), "a file stands in its way").unwrap();
    let off = Host::new().user("audit.enabled = \"off\"");
    for (host, why) in [(&closed, ".local"), (&off, "audit.enabled is off")] {
        let (platform, _) = platform(host);
        platform
            .execute_as(&formicary_platform::local_caller(), request(&platform), Live::default())
            .unwrap();
        assert_eq!(platform.audit_trouble(), None, "nobody is warned of what nobody asked for");
        assert!(platform.health().ready, "{:?}", platform.health());
        let audit = platform.doctor().audit;
        assert!(!audit.kept && audit.why.as_ref().unwrap().contains(why), "{audit:?}");
        assert!(platform.audit_query(&Filter::default(), 1).is_err());
    }
    assert!(!off.path("home/.local").exists());
    let mut sources = Host::new().sources();
    sources.home = None;
    let configuration = formicary_platform::config::Configuration::load(&sources).unwrap();
    assert_eq!(configuration.state_folder, None);
    let insisting = Host::new().user("audit.required = \"on\"");
    std::fs::write(insisting.path("home/.local"), "").unwrap();
    let (platform, recorder) = platform(&insisting);
    platform
        .execute_as(&formicary_platform::local_caller(), request(&platform), Live::default())
        .unwrap_err();
    assert!(recorder.jobs.lock().unwrap().is_empty(), "who insists on it gets nothing without it");
}

#[test]
fn every_execution_is_monitored() {
    let (platform, _) = platform(&Host::new());
    platform.execute_as(&formicary_platform::local_caller(), request(&platform), Live::default()).unwrap();
    let wrong = ExecutionRequest { language: Some("cobol".into()), ..request(&platform) };
    platform.execute_as(&formicary_platform::local_caller(), wrong, Live::default()).unwrap_err();
    let monitors = platform.monitors();
    let snapshot = monitors.metrics.snapshot();
    assert_eq!((snapshot.finished, snapshot.failed, snapshot.active), (1, 1, 0));
    assert_eq!(snapshot.by_language["bash"].by_status["success"], 1);
    let ended = monitors.executions.ended();
    assert_eq!(ended.last().map(|run| run.language.as_str()), Some("bash"));
    assert!(monitors.executions.active().is_empty());
}

#[test]
fn what_is_judged_is_monitored_logged_and_not_judged_twice() {
    let host = Host::new().user("audit.file = \"~/audit.db\"");
    let (platform, recorder) = platform(&host);
    let items = "{\"id\": \"a\", \"language\": \"bash\", \"code\": \"true\", \"cases\": [{\"expected\": \"\"}, {\"expected\": \"1\"}]}\n\
                 {\"id\": \"b\", \"language\": \"cobol\", \"code\": \"x\"}\n{\"id\": \"c\", \"language\": \"bash\", \"code\": \"true\"}\n";
    let out = host.path("out.jsonl");
    for (resumed, runs) in [(0, 3), (3, 3)] {
        let (mut file, earlier) = ResultFile::resume(&out).unwrap();
        let template = Template { request: platform.new_request(), ..Template::default() };
        let source = lines::read(items.as_bytes(), template);
        let request = JudgeRequest { earlier, ..JudgeRequest::default() };
        let judged = platform
            .judge(
                &formicary_platform::local_caller(),
                source,
                request,
                &Live::default(),
                &mut |result, _| file.write(result),
            )
            .unwrap();
        judged.ended.unwrap();
        let summary = judged.summary;
        assert_eq!((summary.items, summary.resumed, summary.errors, summary.cases), (3, resumed, 1, 3));
        assert_eq!(summary.verdicts, [(Verdict::Accepted, 1), (Verdict::WrongAnswer, 1)].into());
        assert_eq!(recorder.jobs.lock().unwrap().len(), runs);
    }
    let snapshot = platform.monitors().metrics.snapshot();
    assert_eq!((snapshot.finished, snapshot.failed, snapshot.active), (3, 1, 0));
    let found = platform.audit_verify(&[]).unwrap();
    assert_eq!((found.intact, found.records, found.unfinished), (true, 3 * 2 + 1, 0));
}

/// Other machines: a platform of their own.
struct Far(Platform);

impl Elsewhere for Far {
    fn execute(
        &self,
        _: &str,
        caller: &Caller,
        request: ExecutionRequest,
        _: &Cancel,
    ) -> Result<ExecutionResult, Failure> {
        self.0.execute_as(caller, request, Live::default())
    }

    fn judge(&self, caller: &Caller, item: &Item, _: Cases, _: &Cancel) -> Result<JudgeResult, Failure> {
        let source = Box::new(std::iter::once(Feed::Item(Box::new(item.clone()))));
        let mut found = None;
        self.0.judge(caller, source, JudgeRequest::default(), &Live::default(), &mut |result, _| {
            found = Some(result.clone());
            Ok(())
        })?;
        Ok(found.unwrap())
    }

    fn session(&self, _: SessionCall) -> Result<SessionAnswer, Failure> {
        Err(Failure::new(FailureKind::Internal, "no session is meant"))
    }

    fn sessions(&self, _: &str) -> Result<Vec<SessionInfo>, Failure> {
        Ok(Vec::new())
    }

    fn at_once(&self) -> usize {
        2
    }
}

/// Whoever performs the use case has its programs run there, and each is monitored and logged here.
#[test]
fn programs_that_run_elsewhere_are_monitored_and_logged_here() {
    let host = Host::new().user("audit.file = \"~/audit.db\"");
    let ((front, recorder), (worker, far)) = (platform(&host), platform(&Host::new()));
    front.send_to(Arc::new(Far(worker)));
    let caller = Caller::new("ada").of("house");
    let perform = |name: &str, input: serde_json::Value| {
        let context = Context::new(caller.clone(), Policy::local(host.path("home")));
        registry::find(name).unwrap().call(&front, &context, input).unwrap()
    };
    let ran = perform("execute", serde_json::json!({ "language": "bash", "code": "echo" }));
    assert_eq!(ran["status"], "success", "{ran}");
    let items = serde_json::json!([{ "language": "bash", "code": "true" }]);
    let judged = perform("judge", serde_json::json!({ "items": items }));
    assert_eq!(judged["results"][0]["verdict"], "accepted", "{judged}");
    assert_eq!((recorder.jobs.lock().unwrap().len(), far.jobs.lock().unwrap().len()), (0, 2));
    let ended = front.monitors().executions.ended();
    assert_eq!((ended.len(), ended[0].provider.as_str(), ended[0].caller.tenant()), (2, "cluster", "house"));
    let records = front.audit_query(&Filter::default(), 10).unwrap();
    assert_eq!(records.len(), 4, "{records:?}");
    assert!(records.iter().any(|shown| Some(shown.record.run_id.as_str()) == ran["run_id"].as_str()));
    assert!(front.audit_verify(&[]).unwrap().intact);
}

#[test]
fn an_audit_log_that_cannot_be_kept_stops_the_run() {
    let host = Host::new().user("audit.file = \"~/no/such/folder/audit.db\"");
    let (platform, recorder) = platform(&host);
    let failure = platform
        .execute_as(&formicary_platform::local_caller(), request(&platform), Live::default())
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::InvalidConfiguration);
    assert!(failure.message.contains("no/such/folder/audit.db"), "{failure}");
    assert!(recorder.jobs.lock().unwrap().is_empty(), "nothing runs that cannot be logged");
    assert!(platform.audit_query(&Filter::default(), 1).is_err());
}

#[test]
fn a_log_that_goes_away_stops_the_next_run_unless_it_need_not_be_kept() {
    let gone = |settings: &str| {
        let host = Host::new().user(&format!("audit.file = \"~/audit.db\"\n{settings}"));
        let (platform, recorder) = platform(&host);
        platform
            .execute_as(&formicary_platform::local_caller(), request(&platform), Live::default())
            .unwrap();
        std::fs::remove_file(host.path("home/audit.db")).unwrap();
        let result =
            platform.execute_as(&formicary_platform::local_caller(), request(&platform), Live::default());
        let runs = recorder.jobs.lock().unwrap().len();
        (result, runs, platform.audit_trouble())
    };
    let (result, runs, trouble) = gone("");
    let failure = result.unwrap_err();
    assert!(failure.kind == FailureKind::Internal && failure.message.contains("audit.db"), "{failure}");
    assert_eq!((runs, trouble.is_some()), (1, true), "it did not start");
    let (result, runs, trouble) = gone("audit.required = \"off\"");
    assert_eq!((result.is_ok(), runs, trouble.is_some()), (true, 2, true));
}

#[test]
fn one_log_and_a_sound_address() {
    for (settings, word) in [
        ("audit.file = \"~/a.db\"\naudit.url = \"postgres://h/d\"", "both"),
        ("audit.url = \"mysql://ada:secret@h/d\"", "PostgreSQL"),
        ("audit.url = \"postgres://ada:secret@127.0.0.1:1/d\"", "127.0.0.1"),
    ] {
        let (platform, _) = platform(&Host::new().user(settings));
        let failure = platform
            .execute_as(&formicary_platform::local_caller(), request(&platform), Live::default())
            .unwrap_err();
        assert_eq!(failure.kind, FailureKind::InvalidConfiguration, "{settings}");
        assert!(failure.message.contains(word) && !failure.message.contains("secret"), "{failure}");
    }
}

#[test]
fn the_doctor_names_a_remedy_for_what_is_not_enforced() {
    let (platform, _) = platform(&Host::new());
    let report = platform.doctor();
    assert_eq!((report.level, report.isolated), (Level::Isolated, true));
    for protection in &report.providers[0].protections {
        let wanting = protection.protection == Protection::Memory;
        assert_eq!(protection.remedy.is_some(), wanting, "{}", protection.protection);
    }
}

#[test]
fn a_provider_that_is_not_there_reaches_no_level() {
    let (platform, _) = platform(&Host::new().user("provider = \"docker\""));
    let report = platform.doctor();
    assert_eq!((report.level, report.isolated), (Level::None, false));
    let failure = platform
        .execute_as(&formicary_platform::local_caller(), request(&platform), Live::default())
        .unwrap_err();
    assert!(failure.message.contains("docker"), "{failure}");
}

#[test]
fn health_names_what_is_wrong() {
    for (settings, ready, provider, audit) in [
        ("", true, true, true),
        ("audit.file = \"~/audit.db\"", true, true, true),
        ("audit.file = \"~/no/such/audit.db\"", false, true, false),
        ("audit.file = \"~/no/such/audit.db\"\naudit.required = \"off\"", true, true, false),
        ("require = \"full\"", false, false, true),
        ("provider = \"docker\"", false, false, true),
    ] {
        let host = Host::new().user(settings);
        let (platform, _) = platform(&host);
        let health = platform.health();
        let found = (health.ready, health.provider.ok, health.audit.ok);
        assert_eq!(found, (ready, provider, audit), "{settings}: {health:?}");
        assert_eq!(health.audit.why.is_some(), !audit);
        assert_eq!((health.queue.running, health.queue.waiting), (0, 0));
    }
}

#[test]
fn a_scraper_and_the_log_are_told_of_runs() {
    let (platform, _) = platform(&Host::new().user("log.format = \"json\""));
    let lines = Kept::default();
    platform.log_to(Box::new(lines.clone()));
    let caller = Caller::new("ada").of("house");
    platform.execute_as(&caller, request(&platform), Live::default()).unwrap();
    let page = platform.prometheus();
    let run =
        "formicary_runs_total{language=\"bash\",provider=\"native\",tenant=\"house\",status=\"success\"} 1";
    for line in [run, "formicary_queue_waiting 0", "formicary_step_duration_seconds_count{step=\"queue\"} 1"]
    {
        assert!(page.lines().any(|found| found == line), "{line} in {page}");
    }
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let line: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&line["caller"], &line["status"]), (&"ada".into(), &"success".into()));
    let snapshot = platform.monitors().metrics.snapshot();
    assert_eq!(snapshot.by_tenant["house"].finished, 1);
}

#[test]
fn an_address_without_a_scheme_is_refused() {
    let host = Host::new().user("otlp.endpoint = \"localhost:4318\"");
    let sources = host.sources();
    let configuration = Configuration::load(&sources).unwrap();
    let failure = Platform::with_providers(configuration, &sources, Vec::new()).err().unwrap();
    assert!(failure.message.contains("localhost:4318"), "{failure}");
}

/// Keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_broken_settings_file_is_named_when_copies_are_looked_for() {
    use formicary_model::clones::ClonesInput;
    use formicary_platform::local_caller;
    use formicary_platform::patterns::Clones;
    use formicary_platform::policy::Policy;
    use formicary_platform::use_case::Context;
    let host = Host::new();
    let (platform, _) = platform(&host);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "x = 1\n").unwrap();
    std::fs::write(folder.path().join("formicary.toml"), "[review]\nno_such_key = 1\n").unwrap();
    let context = Context::new(local_caller(), Policy::local(folder.path().to_owned()));
    let failure = platform.perform::<Clones>(&context, ClonesInput::default()).unwrap_err();
    assert!(failure.message.contains("formicary.toml"), "{failure:?}");
    std::fs::remove_file(folder.path().join("formicary.toml")).unwrap();
    platform.perform::<Clones>(&context, ClonesInput::default()).unwrap();
}
