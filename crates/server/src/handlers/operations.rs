//! For whoever runs the server: runs under way, metrics.

use super::perform::{Caller, context, performed, quickly};
use crate::app::App;
use crate::body::{Asked, Named};
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use formicary_model::NoInput;
use formicary_model::failure::code;
use formicary_model::operation::{AuditInput, RunId, RunsInput, VerifyAuditInput};
use formicary_model::use_case::Number;
use formicary_platform::operation::{
    AuditPage, Metrics, ReadAudit, RunList, Runs, ShowTimeline, VerifyAudit,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// Records of a page of the audit log.
const MOST_RECORDS: usize = 500;

/// `GET /v1/runs`
pub async fn runs(caller: Caller) -> Result<Json<RunList>, Problem> {
    caller.quickly::<Runs>(RunsInput::default()).await.map(Json)
}

/// `GET /v1/runs/{id}/timeline`
pub async fn timeline(caller: Caller, Named(run_id): Named<String>) -> Result<Json<Value>, Problem> {
    let line = caller.quickly::<ShowTimeline>(RunId { run_id: run_id.clone() }).await?;
    let line = line.ok_or_else(|| Problem::not_found("run", &run_id))?;
    Ok(Json(json!({ "points": line.0.points })))
}

/// `DELETE /v1/runs/{id}`
pub async fn end(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<StatusCode, Problem> {
    let own = tenant.is_admin() || app.runs.is_owned(&id, &tenant.id);
    let under_way = app.platform.monitors().executions.active().iter().any(|run| run.run_id == id);
    if own && under_way && app.runs.end(&id) {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Problem::not_found("run under way", &id))
}

/// `GET /v1/metrics`
pub async fn metrics(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Json<Value>, Problem> {
    let (working, waiting) = app.gate.load();
    let mut snapshot = json!(quickly::<Metrics>(&app, &tenant, NoInput {}).await?);
    if let Some(fields) = snapshot.as_object_mut() {
        fields.insert("requests".into(), json!({ "working": working, "waiting": waiting }));
    }
    Ok(Json(snapshot))
}

/// `GET /metrics`
pub async fn prometheus(State(app): State<App>) -> Response {
    let (working, waiting) = app.gate.load();
    let sessions = app.platform.sessions().map_or(0, |sessions| sessions.list().len());
    let mut text = app.platform.prometheus();
    for (name, about, value) in [
        ("formicary_requests_working", "Requests that work.", working),
        ("formicary_requests_waiting", "Requests that wait for their turn.", waiting),
        ("formicary_sessions", "Sessions that there are.", sessions),
    ] {
        text.push_str(&format!("# HELP {name} {about}\n# TYPE {name} gauge\n{name} {value}\n"));
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// Which records.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    from: Option<String>,
    to: Option<String>,
    language: Option<String>,
    status: Option<String>,
    caller: Option<String>,
    text: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

/// `GET /v1/audit`
pub async fn audit(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<AuditPage>, Problem> {
    let limit = wanted.limit.unwrap_or(50);
    if !(1..=MOST_RECORDS).contains(&limit) {
        return Err(Problem::invalid(format!("limit is {limit}, it must be 1 to {MOST_RECORDS}")));
    }
    let input = AuditInput {
        since: wanted.from,
        until: wanted.to,
        language: wanted.language,
        status: wanted.status,
        caller: wanted.caller,
        text: wanted.text,
        most: Number::new(limit as f64)?,
        cursor: wanted.cursor,
        ..AuditInput::default()
    };
    kept(&app)?;
    let own = tenant.clone();
    let page = app.work(&tenant, move |platform, watcher| {
        match platform.perform::<ReadAudit>(&context(&own, watcher), input) {
            Err(failure) if failure.is(code::EMPTY_AUDIT) => Ok(AuditPage { items: Vec::new(), next: None }),
            done => done,
        }
    });
    page.await.map(Json)
}

/// `GET /v1/audit/verify`
pub async fn verify(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Json<Value>, Problem> {
    kept(&app)?;
    Ok(Json(json!(performed::<VerifyAudit>(&app, &tenant, VerifyAuditInput::default()).await?)))
}

/// Whether there is an audit log.
fn kept(app: &App) -> Result<(), Problem> {
    if app.platform.keeps_audit_log() {
        return Ok(());
    }
    Err(Problem::new(StatusCode::NOT_FOUND, "not_found", "this server keeps no audit log")
        .hint("set audit.file or audit.url in its configuration"))
}
