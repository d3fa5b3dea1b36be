//! The façade with a provider that only records: what is configured reaches the sandbox, and the audit log is kept.

use crate::configuration::Host;
use formicary_model::{
    Assurance, Enforcement, ExecutionRequest, FailureKind, Level, Network, Protection, ProtectionState,
    Source, Status, Usage, Verdict,
};
use formicary_platform::config::Configuration;
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{ResultFile, Template, lines};
use formicary_platform::{Live, Platform};
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
    platform.execute(request, Live::default()).unwrap();
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
    let host = Host::new().user("audit.file = \"~/audit.jsonl\"");
    let (platform, _) = platform(&host);
    platform.execute(request(&platform), Live::default()).unwrap();
    let wrong = ExecutionRequest { language: Some("cobol".into()), ..request(&platform) };
    platform.execute(wrong, Live::default()).unwrap_err();
    let log = std::fs::read_to_string(host.path("home/audit.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["status"], "success", "{log}");
    assert_eq!(lines[0]["level"], "isolated", "{log}");
    assert_eq!(lines.get(1).map(|line| &line["failure"]), Some(&"invalid_input".into()), "{log}");
}

#[test]
fn every_execution_is_monitored() {
    let (platform, _) = platform(&Host::new());
    platform.execute(request(&platform), Live::default()).unwrap();
    let wrong = ExecutionRequest { language: Some("cobol".into()), ..request(&platform) };
    platform.execute(wrong, Live::default()).unwrap_err();
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
    let host = Host::new().user("audit.file = \"~/audit.jsonl\"");
    let (platform, recorder) = platform(&host);
    let items = "{\"id\": \"a\", \"language\": \"bash\", \"code\": \"true\", \"cases\": [{\"expected\": \"\"}, {\"expected\": \"1\"}]}\n\
                 {\"id\": \"b\", \"language\": \"cobol\", \"code\": \"x\"}\n{\"id\": \"c\", \"language\": \"bash\", \"code\": \"true\"}\n";
    let out = host.path("out.jsonl");
    for (resumed, runs) in [(0, 3), (3, 3)] {
        let (mut file, earlier) = ResultFile::resume(&out).unwrap();
        let template = Template { request: platform.new_request(), ..Template::default() };
        let source = lines::read(items.as_bytes(), template);
        let request = JudgeRequest { earlier, ..JudgeRequest::default() };
        let judged =
            platform.judge(source, request, &Live::default(), &mut |result, _| file.write(result)).unwrap();
        judged.ended.unwrap();
        let summary = judged.summary;
        assert_eq!((summary.items, summary.resumed, summary.errors, summary.cases), (3, resumed, 1, 3));
        assert_eq!(summary.verdicts, [(Verdict::Accepted, 1), (Verdict::WrongAnswer, 1)].into());
        assert_eq!(recorder.jobs.lock().unwrap().len(), runs);
    }
    let snapshot = platform.monitors().metrics.snapshot();
    assert_eq!((snapshot.finished, snapshot.failed, snapshot.active), (3, 1, 0));
    let log = std::fs::read_to_string(host.path("home/audit.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 4, "{log}");
}

#[test]
fn an_audit_log_that_cannot_be_kept_stops_the_run() {
    let host = Host::new().user("audit.file = \"~/no/such/folder/audit.jsonl\"");
    let (platform, recorder) = platform(&host);
    let failure = platform.execute(request(&platform), Live::default()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::InvalidConfiguration);
    assert!(failure.message.contains("no/such/folder/audit.jsonl"), "{failure}");
    assert!(recorder.jobs.lock().unwrap().is_empty(), "nothing runs that cannot be logged");
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
    let failure = platform.execute(request(&platform), Live::default()).unwrap_err();
    assert!(failure.message.contains("docker"), "{failure}");
}
