//! Executions that nobody waits for.

use super::perform::{context, judged};
use crate::app::App;
use crate::body::{Asked, Json, Named};
use crate::jobs::{Job, JobBody, JobStatus, Once};
use crate::problem::Problem;
use crate::stream;
use crate::tenant::Tenant;
use axum::Extension;
use axum::Json as Answer;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use formicary_model::ExecutionRequest;
use formicary_platform::execute::Execute;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The largest page.
const MOST: usize = 200;

/// Which jobs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    limit: Option<usize>,
    cursor: Option<String>,
    status: Option<JobStatus>,
}

/// A page of jobs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JobPage {
    /// The jobs, the latest first, without their results.
    pub items: Vec<JobBody>,
    /// The cursor of the next page, where there is one.
    pub next: Option<String>,
}

/// `POST /v1/jobs`
pub async fn create(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<Response, Problem> {
    let request = judged::<Execute>(&app, &tenant, body).await?;
    let once = once(&headers, &request)?;
    let (job, new) = app.jobs.add(&tenant.id, request.language.clone(), once)?;
    if new {
        match app.join(&tenant) {
            Ok(waiting) => {
                kept(&app, &job).await;
                let task = tokio::spawn(run(app.clone(), tenant, Arc::clone(&job), waiting, request));
                job.is_done_by(task.abort_handle());
            }
            Err(problem) => {
                app.jobs.remove(&tenant.id, &job.id)?;
                return Err(problem);
            }
        }
    }
    let place = format!("/v1/jobs/{}", job.id);
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, place)], Answer(job.body(false))).into_response())
}

async fn run(
    app: App,
    tenant: Tenant,
    job: Arc<Job>,
    waiting: crate::gate::Waiting,
    request: ExecutionRequest,
) {
    let Ok(pass) = waiting.pass().await else {
        job.finish(Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", "no place came free")));
        kept(&app, &job).await;
        return;
    };
    job.start();
    let feed = Some(Arc::clone(&job.feed));
    let own = tenant.clone();
    let outcome = app.work_admitted(&tenant, pass, feed, move |platform, watcher| {
        platform.perform::<Execute>(&context(&own, watcher), request)
    });
    job.finish(outcome.await);
    kept(&app, &job).await;
}

/// Files are written where somebody may wait for the disk.
async fn kept(app: &App, job: &Arc<Job>) {
    if app.settings.state.is_some() {
        let (app, job) = (app.clone(), Arc::clone(job));
        let _ = tokio::task::spawn_blocking(move || app.jobs.keep(&job)).await;
    }
}

fn once(headers: &HeaderMap, request: &ExecutionRequest) -> Result<Option<Once>, Problem> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    let key = key.to_str().ok().filter(|key| (1..=255).contains(&key.len()));
    let Some(key) = key else {
        return Err(Problem::invalid("the Idempotency-Key is not 1 to 255 plain characters"));
    };
    let text = serde_json::to_vec(request).unwrap_or_default();
    Ok(Some(Once { key: key.to_owned(), hash: blake3::hash(&text) }))
}

/// `GET /v1/jobs`
pub async fn list(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Asked(page): Asked<Page>,
) -> Result<Answer<JobPage>, Problem> {
    let limit = page.limit.unwrap_or(50);
    if !(1..=MOST).contains(&limit) {
        return Err(Problem::invalid(format!("limit is {limit}, it must be 1 to {MOST}")));
    }
    let given = |cursor: &str| {
        cursor
            .strip_prefix('j')
            .is_some_and(|rest| rest.len() == 28 && rest.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    if page.cursor.as_deref().is_some_and(|cursor| !given(cursor)) {
        return Err(Problem::invalid("the cursor is none that a page gave"));
    }
    let (items, next) = app.jobs.list(&tenant.id, page.status, page.cursor.as_deref(), limit);
    Ok(Answer(JobPage { items, next }))
}

/// `GET /v1/jobs/{id}`
pub async fn show(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Answer<JobBody>, Problem> {
    Ok(Answer(app.jobs.find(&tenant.id, &id)?.body(true)))
}

/// `DELETE /v1/jobs/{id}`
pub async fn remove(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<StatusCode, Problem> {
    app.jobs.remove(&tenant.id, &id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /v1/jobs/{id}/events`
pub async fn events(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Named(id): Named<String>,
) -> Result<Response, Problem> {
    let job = app.jobs.find(&tenant.id, &id)?;
    let after = match headers.get("last-event-id") {
        None => 0,
        Some(value) => value
            .to_str()
            .ok()
            .and_then(|value| value.parse::<u32>().ok())
            .ok_or_else(|| Problem::invalid("Last-Event-ID is not the number of an event"))?,
    };
    Ok(stream::events(Arc::clone(&job.feed), u64::from(after), None))
}

/// `GET /v1/jobs/{id}/timeline`
pub async fn timeline(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Response, Problem> {
    let job = app.jobs.find(&tenant.id, &id)?;
    let line = job.feed.run_id().and_then(|run| app.platform.monitors().resources.timeline(&run));
    let points = line.map(|line| line.points).unwrap_or_default();
    Ok(Answer(serde_json::json!({ "points": points })).into_response())
}
