//! Sessions and their files. Each tenant has names of its own: inside, a session's name begins with its owner's.

use crate::app::{App, Watcher};
use crate::body::{Json, Named, Raw};
use crate::problem::Problem;
use crate::tenant::Tenant;
use crate::{confine, stream};
use axum::Json as Answer;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, http::HeaderValue};
use formicary_model::{
    CellRequest, CellResult, Failure, LimitOverrides, PackageRequest, Phase, SessionFile, SessionInfo,
    SourceFile,
};
use formicary_platform::Platform;
use formicary_platform::sessions::{SessionAnswer, SessionCall, is_lost_session, is_no_session};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A new session.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    /// The name by which it is called; made up where absent.
    #[serde(default)]
    pub id: Option<String>,
    /// A language's identifier or alias.
    pub language: String,
    /// Limits that differ from the configured ones.
    #[serde(default)]
    pub limits: LimitOverrides,
    /// Environment variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Python packages that cells may import.
    #[serde(default)]
    pub packages: PackageRequest,
    /// Seconds without a cell after which it ends.
    #[serde(default)]
    pub idle_seconds: Option<f64>,
    /// Files placed in the working folder at its start.
    #[serde(default)]
    pub files: Vec<SourceFile>,
}

/// The tenant's sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionList {
    /// Each of them.
    pub items: Vec<SessionInfo>,
}

/// The files of a session.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileList {
    /// Each of them.
    pub items: Vec<SessionFile>,
}

/// Whether there was something to interrupt.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Interrupted {
    /// `false` where nothing ran.
    pub interrupted: bool,
}

fn prefix(tenant: &Tenant) -> String {
    format!("{}-", tenant.id)
}

/// The name inside. One that no session can have is not there.
fn inside(tenant: &Tenant, id: &str) -> Result<String, Problem> {
    let fine =
        (1..=40).contains(&id.len()) && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if fine { Ok(prefix(tenant) + id) } else { Err(Problem::not_found("session", id)) }
}

fn outside(tenant: &Tenant, mut info: SessionInfo) -> SessionInfo {
    if let Some(id) = info.id.strip_prefix(&prefix(tenant)) {
        info.id = id.to_owned();
    }
    info
}

/// What the session tells of itself. What one tenant asks for by a wrong name tells nothing of others.
async fn found(app: &App, tenant: &Tenant, id: &str) -> Result<SessionInfo, Problem> {
    let name = inside(tenant, id)?;
    let told =
        app.look(move |platform| Ok(platform.session(SessionCall::Info(name)).and_then(SessionAnswer::info)));
    told.await?.map_err(|failure| {
        if is_lost_session(&failure) {
            let gone = Problem::new(StatusCode::NOT_FOUND, "not_found", failure.message);
            return gone.hint(failure.hint.unwrap_or_default());
        }
        if is_no_session(&failure) {
            return Problem::not_found("session", id)
                .hint("it may have been idle for too long; GET /v1/sessions lists them");
        }
        failure.into()
    })
}

/// The name inside of a session that is there.
pub(super) async fn known(app: &App, tenant: &Tenant, id: &str) -> Result<String, Problem> {
    Ok(found(app, tenant, id).await?.id)
}

/// The tenant's sessions.
async fn owned(app: &App, tenant: &Tenant) -> Result<Vec<SessionInfo>, Problem> {
    let prefix = prefix(tenant);
    app.look(move |platform| platform.sessions_named(&prefix)).await
}

/// `POST /v1/sessions`
pub async fn create(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(mut new): Json<NewSession>,
) -> Result<Response, Problem> {
    let id = match new.id.take() {
        Some(id) => inside(&tenant, &id).map_err(|_| {
            Problem::invalid(format!(
                "{:?} cannot be the name of a session",
                id.chars().take(80).collect::<String>()
            ))
            .hint("use 1 to 40 letters, digits, _ and -")
        })?,
        None => prefix(&tenant) + &random_id()?,
    };
    confine::limits(&app, &tenant, &mut new.limits)?;
    // Where several share a server, nobody takes every session that there may be.
    if app.tenants.need_keys() {
        let most = app.platform.configuration().number("sessions.most") as usize;
        let own = owned(&app, &tenant).await?.len();
        if own >= most.div_ceil(2) {
            let detail = format!("the caller has {own} sessions, no more are allowed");
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
                .hint("DELETE one, or let one be idle until it ends")
                .retry_after(std::time::Duration::from_secs(30)));
        }
    }
    let info = app
        .work(&tenant, move |platform, _| {
            let mut request = platform.new_session(&new.language);
            request.id = Some(id);
            request.limits = request.limits.with(&new.limits);
            (request.env, request.packages, request.files) = (new.env, new.packages, new.files);
            request.idle_seconds = new.idle_seconds;
            platform.session(SessionCall::Create(Box::new(request)))?.info()
        })
        .await?;
    let info = outside(&tenant, info);
    let place = format!("/v1/sessions/{}", info.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], Answer(info)).into_response())
}

fn random_id() -> Result<String, Problem> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| {
        let detail = format!("the host gives no random numbers: {error}");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    })?;
    Ok(format!("s{:016x}", u64::from_be_bytes(bytes)))
}

/// `GET /v1/sessions`
pub async fn list(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Answer<SessionList>, Problem> {
    let own = owned(&app, &tenant).await?;
    Ok(Answer(SessionList { items: own.into_iter().map(|info| outside(&tenant, info)).collect() }))
}

/// `GET /v1/sessions/{id}`
pub async fn show(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Answer<SessionInfo>, Problem> {
    let info = found(&app, &tenant, &id).await?;
    Ok(Answer(outside(&tenant, info)))
}

/// `DELETE /v1/sessions/{id}`
pub async fn close(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<StatusCode, Problem> {
    let name = known(&app, &tenant, &id).await?;
    app.work(&tenant, move |platform, _| platform.session(SessionCall::Close(name))?.done()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /v1/sessions/{id}/cells`
pub async fn run(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Named(id): Named<String>,
    Json(cell): Json<CellRequest>,
) -> Result<Response, Problem> {
    let name = known(&app, &tenant, &id).await?;
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        told_cell(platform, watcher, id, &name, &cell)
    })
    .await
}

/// Runs the cell of a session that its caller knows as `id`, and tells its output where somebody listens.
pub(super) fn told_cell(
    platform: &Platform,
    watcher: &Watcher,
    id: String,
    name: &str,
    cell: &CellRequest,
) -> Result<CellResult, Failure> {
    let feed = watcher.feed.clone();
    let mut tell = |stream, bytes: &[u8]| {
        if let Some(feed) = &feed {
            feed.push("output", &crate::feed::output(Phase::Run, stream, bytes));
        }
    };
    let mut result = run_cell(platform, name, cell, watcher, &mut tell)?;
    watcher.own(&result.run_id);
    watcher.charge(result.usage.cpu_user + result.usage.cpu_system);
    result.session_id = id;
    Ok(result)
}

/// Runs the cell, and interrupts it when it is called off: its state is kept.
fn run_cell(
    platform: &Platform,
    name: &str,
    cell: &CellRequest,
    watcher: &Watcher,
    tell: &mut (dyn FnMut(formicary_model::Stream, &[u8]) + Send),
) -> Result<CellResult, Failure> {
    std::thread::scope(|scope| {
        let running = scope.spawn(|| platform.run_cell_as(&watcher.caller, name, cell, tell));
        let mut interrupted = false;
        while !running.is_finished() {
            if watcher.cancel.is_cancelled() && !interrupted {
                interrupted = true;
                // Where it is gone already, the answer that we wait for tells so.
                let _ = platform.session(SessionCall::Interrupt(name.to_owned()));
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        running.join().unwrap_or_else(|_| {
            Err(Failure::new(formicary_model::FailureKind::Internal, "a fault of Formicary ended the cell"))
        })
    })
}

/// `POST /v1/sessions/{id}/interrupt`
pub async fn interrupt(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Answer<Interrupted>, Problem> {
    let name = known(&app, &tenant, &id).await?;
    let asked = app.look(move |platform| platform.session(SessionCall::Interrupt(name))?.interrupted());
    Ok(Answer(Interrupted { interrupted: asked.await? }))
}

/// `POST /v1/sessions/{id}/reset`
pub async fn reset(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<StatusCode, Problem> {
    let name = known(&app, &tenant, &id).await?;
    app.work(&tenant, move |platform, _| platform.session(SessionCall::Reset(name))?.done()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /v1/sessions/{id}/files`
pub async fn files(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Answer<FileList>, Problem> {
    let name = known(&app, &tenant, &id).await?;
    let items =
        app.work(&tenant, move |platform, _| platform.session(SessionCall::Files(name))?.files()).await?;
    Ok(Answer(FileList { items }))
}

/// `PUT /v1/sessions/{id}/files/{path}`
pub async fn put(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named((id, path)): Named<(String, String)>,
    Raw(bytes): Raw,
) -> Result<StatusCode, Problem> {
    let name = known(&app, &tenant, &id).await?;
    let file = SourceFile { path, content: bytes.to_vec(), executable: false };
    let put =
        move |platform: &Platform, _: &Watcher| platform.session(SessionCall::Put(name, vec![file]))?.done();
    app.work(&tenant, put).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /v1/sessions/{id}/files/{path}`
pub async fn get(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named((id, path)): Named<(String, String)>,
) -> Result<Response, Problem> {
    let name = known(&app, &tenant, &id).await?;
    let get = move |platform: &Platform, _: &Watcher| platform.session(SessionCall::Get(name, path))?.file();
    let file = app.work(&tenant, get).await?;
    let mut response = file.content.into_response();
    // Whatever a program wrote, a browser must not take it for a page of this server's.
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    Ok(response)
}

/// `DELETE /v1/sessions/{id}/files/{path}`
pub async fn remove(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named((id, path)): Named<(String, String)>,
) -> Result<StatusCode, Problem> {
    let name = known(&app, &tenant, &id).await?;
    let remove =
        move |platform: &Platform, _: &Watcher| platform.session(SessionCall::Remove(name, path))?.done();
    app.work(&tenant, remove).await?;
    Ok(StatusCode::NO_CONTENT)
}
