//! For whoever runs the server: runs under way, metrics.

use crate::app::App;
use crate::body::{Asked, Named};
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use formicary_platform::Platform;
use formicary_platform::audit::Filter;
use formicary_platform::audit::time::Moment;
use serde::Deserialize;
use serde_json::{Value, json};

/// Runs of the past that are told.
const MOST_ENDED: usize = 200;
/// Records of a page of the audit log.
const MOST_RECORDS: usize = 500;

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
) -> Result<Json<Value>, Problem> {
    let limit = wanted.limit.unwrap_or(50);
    if !(1..=MOST_RECORDS).contains(&limit) {
        return Err(Problem::invalid(format!("limit is {limit}, it must be 1 to {MOST_RECORDS}")));
    }
    let moment = |text: &Option<String>| -> Result<Option<u64>, Problem> {
        Ok(text.as_deref().map(Moment::read).transpose()?.map(|moment| moment.0))
    };
    // A page ends in a millisecond that others may share: the next one begins there, after the last number.
    let cursor = wanted.cursor.as_deref().map(read_cursor).transpose()?;
    let filter = Filter {
        since_ms: moment(&wanted.from)?,
        until_ms: cursor.map(|(at, _)| at.saturating_add(1)).or(moment(&wanted.to)?),
        caller: wanted.caller,
        language: wanted.language,
        status: wanted.status,
        text: wanted.text,
        ..Filter::default()
    };
    let most = limit + 1 + if cursor.is_some() { MOST_RECORDS } else { 0 };
    let found = app.work(&tenant, move |platform, _| {
        kept(platform).then(|| platform.audit_query(&filter, most)).transpose()
    });
    let mut found = found.await?.ok_or_else(no_audit)?;
    found.retain(|shown| cursor.is_none_or(|(_, seq)| shown.seq < seq));
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|last| format!("{}.{}", last.record.at_ms, last.seq));
    Ok(Json(json!({ "items": found, "next": next })))
}

fn read_cursor(text: &str) -> Result<(u64, u64), Problem> {
    let read = || {
        let (at, seq) = text.split_once('.')?;
        Some((at.parse().ok()?, seq.parse().ok()?))
    };
    read().ok_or_else(|| Problem::invalid("the cursor is none that a page gave"))
}

/// `GET /v1/audit/verify`
pub async fn verify(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Json<Value>, Problem> {
    let told =
        app.work(&tenant, |platform, _| kept(platform).then(|| platform.audit_verify(&[])).transpose());
    Ok(Json(json!(told.await?.ok_or_else(no_audit)?)))
}

/// Whether there is an audit log.
fn kept(platform: &Platform) -> bool {
    platform.health().audit.configured
}

fn no_audit() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "this server keeps no audit log")
        .hint("set audit.file or audit.url in its configuration")
}
