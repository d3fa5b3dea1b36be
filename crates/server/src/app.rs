//! What all requests share, and how work is done for one: admitted, on a thread of its own, cancelled when nobody waits.

use crate::feed::Feed;
use crate::gate::{Gate, Pass, Refused, Waiting};
use crate::jobs::Jobs;
use crate::problem::Problem;
use crate::refusals::Refusals;
use crate::runs::Runs;
use crate::settings::ServerSettings;
use crate::tenant::{Tenant, Tenants, too_many};
use axum::http::StatusCode;
use formicary_model::{AgentStep, Caller, Event, EventKind, Failure, Observer, Progress};
use formicary_platform::shelf::Shelf;
use formicary_platform::{Cancel, Platform};
use serde_json::Value;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The longest that a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server, as every handler sees it.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// What all requests share.
pub struct Shared {
    /// The façade.
    pub platform: Arc<Platform>,
    /// How this server was set up.
    pub settings: ServerSettings,
    /// Who may call.
    pub tenants: Tenants,
    /// Who may work now.
    pub gate: Gate,
    /// Whose run is which.
    pub runs: Runs,
    /// Executions that nobody waits for.
    pub jobs: Jobs,
    /// What `/openapi.json` answers.
    pub description: Arc<str>,
    /// Who was turned away lately.
    pub refusals: Refusals,
    ending: AtomicBool,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    /// A server of this platform.
    pub fn new(platform: Arc<Platform>, settings: ServerSettings) -> Self {
        let shared = settings.keys.is_some();
        platform.keep_projects(settings.state.as_deref());
        Self(Arc::new(Shared {
            platform,
            tenants: Tenants::new(settings.keys.clone()),
            gate: Gate::new(settings.at_once, settings.waiting, shared),
            runs: Runs::default(),
            jobs: Jobs::open(Shelf::new(settings.state.as_deref(), "jobs")),
            refusals: Refusals::default(),
            description: crate::openapi::document(shared).to_string().into(),
            ending: AtomicBool::new(false),
            settings,
        }))
    }

    /// From now on nothing new is begun.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Release);
    }

    /// Whether the server is about to end.
    pub fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Acquire)
    }

    /// Takes a place in the queue for work, or is refused at once.
    pub fn join(&self, tenant: &Tenant) -> Result<Waiting, Problem> {
        if self.is_ending() {
            return Err(overloaded("the server is about to end", Duration::from_secs(5)));
        }
        let joined = self.tenants.check_cpu(tenant).map_err(Problem::from).and_then(|()| {
            let most = tenant.quota.concurrency.map(|most| most as usize);
            self.gate.join(&tenant.id, most).map_err(|refused| match refused {
                Refused::Share => {
                    too_many("the caller has as many requests under way as it may", Duration::from_secs(1))
                }
                Refused::Full => overloaded("too many requests wait already", Duration::from_secs(1)),
            })
        });
        joined.inspect_err(|problem| self.note_refusal(tenant, problem))
    }

    /// Waits for leave to work.
    pub async fn enter(&self, tenant: &Tenant) -> Result<Pass, Problem> {
        match tokio::time::timeout(PATIENCE, self.join(tenant)?.pass()).await {
            Ok(Ok(pass)) => Ok(pass),
            _ => Err(overloaded("no place came free in time", Duration::from_secs(5))),
        }
    }

    /// Does work for a request that waits for it. When the request goes away, the work is called off.
    pub async fn work<T: Send + 'static>(
        &self,
        tenant: &Tenant,
        work: impl FnOnce(&Platform, &Watcher) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Problem> {
        let pass = self.enter(tenant).await?;
        self.work_admitted(tenant, pass, None, work).await
    }

    /// The same for work that was let in already, and that may tell its events.
    pub async fn work_admitted<T: Send + 'static>(
        &self,
        tenant: &Tenant,
        pass: Pass,
        feed: Option<Arc<Feed>>,
        work: impl FnOnce(&Platform, &Watcher) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Problem> {
        self.work_until(tenant, pass, feed, Cancel::default(), work).await
    }

    /// Asks the platform for what is no work: it needs no place, but may wait for other machines.
    pub async fn look<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Platform) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Problem> {
        let app = self.clone();
        let done = tokio::task::spawn_blocking(move || ask(&app.platform)).await;
        done.map_err(|_| fault())?.map_err(Problem::from)
    }

    /// The same for work that its caller reaches meanwhile by this switch.
    pub async fn work_until<T: Send + 'static>(
        &self,
        tenant: &Tenant,
        pass: Pass,
        feed: Option<Arc<Feed>>,
        cancel: Cancel,
        work: impl FnOnce(&Platform, &Watcher) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Problem> {
        let _called_off = self.runs.begin(&cancel);
        let caller = crate::confine::caller(tenant);
        let watcher = Watcher { app: self.clone(), tenant: tenant.id.clone(), caller, cancel, feed };
        let done = tokio::task::spawn_blocking(move || {
            let _pass = pass;
            work(&watcher.app.platform, &watcher)
        });
        match done.await {
            Ok(done) => done.map_err(Problem::from),
            Err(_) => Err(fault()),
        }
    }
}

fn fault() -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "a fault of Formicary ended the work")
}

/// There is more to do than the server can.
fn overloaded(detail: &str, wait: Duration) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", detail)
        .hint("come back after the time that Retry-After says")
        .retry_after(wait)
}

/// Hears of a request's runs: whose they are, what they use, and what they tell.
pub struct Watcher {
    app: App,
    tenant: String,
    /// Who asks, for monitors and the audit log.
    pub caller: Caller,
    /// Ends the work when set.
    pub cancel: Cancel,
    /// Where events go.
    pub feed: Option<Arc<Feed>>,
}

impl Watcher {
    /// Notes CPU time that no event tells of.
    pub fn charge(&self, cpu_seconds: f64) {
        self.app.tenants.charge(&self.tenant, cpu_seconds);
    }

    /// Notes that this run is the caller's.
    pub fn own(&self, run_id: &str) {
        self.app.runs.own(run_id, &self.tenant, &self.cancel);
    }
}

impl Watcher {
    fn note(&self, event: &Event) {
        match &event.kind {
            EventKind::Accepted { .. } => self.own(&event.run_id),
            EventKind::Finished { usage, .. } => self.charge(usage.cpu_user + usage.cpu_system),
            _ => {}
        }
    }
}

impl Observer for Watcher {
    fn event(&self, event: &Event) {
        self.note(event);
        if let Some(feed) = &self.feed {
            feed.event(event);
        }
    }

    fn reads_along(&self) -> bool {
        self.feed.is_some()
    }

    fn aside(&self, event: &Event) {
        self.note(event);
    }

    fn progress(&self, progress: &Progress) {
        if let Some(feed) = &self.feed {
            feed.push("progress", progress);
        }
    }

    fn part(&self, name: &'static str, part: &Value) {
        if let Some(feed) = &self.feed {
            feed.push(name, part);
        }
    }

    fn step(&self, step: &AgentStep) {
        if let Some(feed) = &self.feed {
            feed.push("step", step);
        }
    }
}
