//! A server, some workers, a client: what every test begins with.

use crate::nats::{MISSING, NatsServer, program};
use formicary_cluster::job::Ended;
use formicary_cluster::sessions::{SessionAnswer, SessionCall};
use formicary_cluster::worker::runner::Runner;
use formicary_cluster::{ClusterClient, ClusterSettings, Job, Offer, Worker, WorkerSettings};
use formicary_model::{
    Enforcement, ExecutionRequest, ExecutionResult, Failure, FailureKind, Level, OutputCounts, Source,
    Status, Usage,
};
use formicary_platform::Cancel;
use formicary_testkit::skips::Skips;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

static SKIPS: Skips = Skips::new();

/// Runs a test that needs a server; notes a skip where there is none.
pub fn with_server<T: Future<Output = ()>>(name: &str, test: impl FnOnce(NatsServer) -> T) {
    with_server_and(name, &[], test);
}

/// The same with arguments for the server.
pub fn with_server_and<T: Future<Output = ()>>(
    name: &str,
    arguments: &[&str],
    test: impl FnOnce(NatsServer) -> T,
) {
    if program().is_none() {
        return SKIPS.note(name, MISSING);
    }
    let server = NatsServer::start(arguments).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        // Nothing here takes that long: a test that hangs says so.
        tokio::time::timeout(Duration::from_secs(600), test(server)).await.unwrap();
    });
    runtime.shutdown_timeout(Duration::from_secs(5));
}

pub fn skip(name: &str, why: &str) {
    SKIPS.note(name, why);
}

/// Quick enough for tests.
pub fn settings(url: String) -> ClusterSettings {
    ClusterSettings {
        lease: Duration::from_secs(2),
        heartbeat: Duration::from_millis(500),
        ..ClusterSettings::at(url)
    }
}

pub fn offer(languages: &[&str]) -> Offer {
    Offer {
        languages: languages.iter().map(|word| (*word).to_owned()).collect(),
        providers: vec!["native".into()],
        memory: 2 << 30,
        detects: true,
    }
}

/// Runs nothing: what the code says is done by the test's own process. `sleep 50` waits, `stuck` waits until it is
/// cancelled, `large 9` gives so many bytes, everything else is the output.
#[derive(Default)]
pub struct Pretender {
    pub starts: Mutex<BTreeMap<String, u64>>,
    pub sessions: Mutex<BTreeMap<String, Vec<String>>>,
}

impl Pretender {
    pub fn starts(&self) -> BTreeMap<String, u64> {
        self.starts.lock().unwrap().clone()
    }
}

impl Runner for Pretender {
    fn run(&self, job: Job, cancel: Cancel) -> Result<Ended, Failure> {
        let Source::Code { code, .. } = &job.request.source else { panic!("tests send snippets") };
        let code = String::from_utf8(code.clone()).unwrap();
        *self.starts.lock().unwrap().entry(code.clone()).or_default() += 1;
        let (verb, rest) = code.split_once(' ').unwrap_or((&code, ""));
        let number = rest.split(' ').next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        let until = match verb {
            "sleep" => Duration::from_millis(number),
            "stuck" => Duration::from_secs(3600),
            _ => Duration::ZERO,
        };
        let started = Instant::now();
        while started.elapsed() < until {
            if cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let stdout = if verb == "large" { "x".repeat(number as usize) } else { code.clone() };
        Ok(Ended::Result(Box::new(result(stdout))))
    }

    fn session(&self, call: SessionCall) -> Result<SessionAnswer, Failure> {
        let mut sessions = self.sessions.lock().unwrap();
        match call {
            SessionCall::Create(request) => {
                sessions.insert(request.id.clone().unwrap(), Vec::new());
                Err(Failure::new(FailureKind::Internal, "a pretender's session has no information"))
            }
            _ => Err(Failure::new(FailureKind::InvalidInput, "there is no session")
                .code(formicary_model::failure::code::UNKNOWN_SESSION)),
        }
    }

    fn sessions(&self) -> u64 {
        self.sessions.lock().unwrap().len() as u64
    }
}

fn result(stdout: String) -> ExecutionResult {
    ExecutionResult {
        run_id: "r".into(),
        language: "python".into(),
        status: Status::Success,
        stdout,
        stderr: String::new(),
        stdout_base64: None,
        stderr_base64: None,
        exit_code: Some(0),
        signal: None,
        duration: 0.0,
        usage: Usage::default(),
        truncated: false,
        output: OutputCounts::default(),
        compile: None,
        enforcement: Enforcement { level: Level::None, ..Enforcement::new("pretender") },
        violations: Vec::new(),
        artifacts: Vec::new(),
        skipped_artifacts: Vec::new(),
        error_message: None,
    }
}

/// A worker in this process.
pub struct Hand {
    pub worker: Arc<Worker<Pretender>>,
    pub runner: Arc<Pretender>,
    pub task: JoinHandle<()>,
}

impl Hand {
    pub async fn start(settings: ClusterSettings, capacity: usize, offer: Offer) -> Self {
        let runner = Arc::new(Pretender::default());
        let own = WorkerSettings { id: None, capacity, offer, shutdown: Default::default() };
        let worker = Worker::connect(settings, own, Arc::clone(&runner)).await.unwrap();
        let running = Arc::clone(&worker);
        let task = tokio::spawn(async move { running.run().await.unwrap() });
        Self { worker, runner, task }
    }

    /// Takes no more, finishes what runs.
    pub async fn drain(self) {
        self.worker.shutdown().drain();
        self.task.await.unwrap();
    }
}

pub fn request(code: &str) -> ExecutionRequest {
    ExecutionRequest { language: Some("python".into()), source: Source::code(code), ..Default::default() }
}

pub fn job(id: &str, code: &str) -> Job {
    Job::named(id, request(code))
}

/// Waits until something is so.
pub async fn until<T: Future<Output = bool>>(what: &str, mut is_so: impl FnMut() -> T) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so().await {
        assert!(Instant::now() < deadline, "never came to be: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until the client sees so many workers: callers who want an answer are refused before.
pub async fn await_workers(client: &ClusterClient, count: usize) {
    until("workers are there", || async {
        client.workers().await.is_ok_and(|workers| workers.len() == count)
    })
    .await;
}
