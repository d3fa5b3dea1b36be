//! For whoever runs the server: runs under way, metrics.

use crate::app::App;
use crate::body::Named;
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use serde_json::{Value, json};

/// Runs of the past that are told.
const MOST_ENDED: usize = 200;

/// `GET /v1/runs`
pub async fn runs(State(app): State<App>, Extension(tenant): Extension<Tenant>) -> Json<Value> {
    let monitor = &app.platform.monitors().executions;
    let everybodys = tenant.is_admin();
    let active: Vec<_> =
        monitor.active().into_iter().filter(|run| everybodys || run.caller.tenant() == tenant.id).collect();
    let ended = monitor.ended().into_iter().filter(|run| everybodys || run.caller.tenant() == tenant.id);
    let ended: Vec<_> = ended.take(MOST_ENDED).collect();
    Json(json!({ "active": active, "ended": ended }))
}

/// `GET /v1/runs/{id}/timeline`
pub async fn timeline(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Json<Value>, Problem> {
    if !tenant.is_admin() && !app.runs.is_owned(&id, &tenant.id) {
        return Err(Problem::not_found("run", &id));
    }
    let line = app.platform.monitors().resources.timeline(&id);
    let line = line.ok_or_else(|| Problem::not_found("run", &id))?;
    Ok(Json(json!({ "points": line.points })))
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
pub async fn metrics(State(app): State<App>) -> Json<Value> {
    let (working, waiting) = app.gate.load();
    let mut snapshot = json!(app.platform.monitors().metrics.snapshot());
    if let Some(fields) = snapshot.as_object_mut() {
        fields.insert("requests".into(), json!({ "working": working, "waiting": waiting }));
    }
    Json(snapshot)
}

/// `GET /metrics`
pub async fn prometheus(State(app): State<App>) -> Response {
    let (working, waiting) = app.gate.load();
    let sessions = app.platform.sessions().map_or(0, |sessions| sessions.list().len());
    let text = crate::prometheus::render(
        &json!(app.platform.monitors().metrics.snapshot()),
        &[
            ("formicary_requests_working", "Requests that work.", working as f64),
            ("formicary_requests_waiting", "Requests that wait for their turn.", waiting as f64),
            ("formicary_sessions", "Sessions that there are.", sessions as f64),
        ],
    );
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
