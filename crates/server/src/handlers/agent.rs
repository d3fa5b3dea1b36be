//! Runs of the agent that the host's user keeps: listed and shown, not begun.
//!
//! They belong to the user whose server this is. Without keys that is whoever calls; with keys it takes an admin.

use crate::app::App;
use crate::body::Named;
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde_json::{Value, json};

/// `GET /v1/agent/runs`
pub async fn list(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Json<Value>, Problem> {
    is_for(&tenant)?;
    let sources = app.settings.sources.clone();
    let items = app.work(&tenant, move |platform, _| platform.agent_runs(&sources)).await?;
    Ok(Json(json!({ "items": items })))
}

/// `GET /v1/agent/runs/{id}`
pub async fn show(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Json<Value>, Problem> {
    is_for(&tenant)?;
    let sources = app.settings.sources.clone();
    let name = id.clone();
    let found = app.work(&tenant, move |platform, _| {
        // Beginnings of names are for people; an address means one run.
        let known = platform.agent_runs(&sources)?.iter().any(|run| run.id == name);
        known.then(|| platform.agent_show(&name, &sources)).transpose()
    });
    let view = found.await?.ok_or_else(|| Problem::not_found("run of the agent", &id))?;
    Ok(Json(json!(view)))
}

fn is_for(tenant: &Tenant) -> Result<(), Problem> {
    if tenant.is_admin() {
        return Ok(());
    }
    let detail = "the agent's runs belong to the user of this host";
    Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", detail)
        .hint("it needs the scope admin besides the scope agent"))
}
