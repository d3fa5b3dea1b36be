//! What the server is and offers: health, version, languages, doctor, rules, its own description.

use crate::app::App;
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;

/// Whether the server lives.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Health {
    /// `ok`.
    pub status: &'static str,
}

/// Which Formicary this is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Version {
    /// The version.
    pub version: &'static str,
    /// The version of the interface.
    pub api: &'static str,
    /// The system.
    pub system: &'static str,
    /// The processor.
    pub architecture: &'static str,
}

/// `GET /v1/health`
pub async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// `GET /v1/ready`
pub async fn ready(State(app): State<App>) -> Result<Json<Health>, Problem> {
    if app.is_ending() {
        let detail = "the server is about to end";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", detail)
            .retry_after(Duration::from_secs(5)));
    }
    Ok(Json(Health { status: "ready" }))
}

/// `GET /v1/version`
pub async fn version() -> Json<Version> {
    Json(Version {
        version: env!("CARGO_PKG_VERSION"),
        api: "v1",
        system: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
    })
}

/// `GET /v1/languages`
pub async fn languages(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Json<Value>, Problem> {
    let languages = app.work(&tenant, |platform, _| Ok(platform.languages())).await?;
    Ok(Json(json!(languages)))
}

/// `GET /v1/doctor`
pub async fn doctor(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Json<Value>, Problem> {
    let report = app.work(&tenant, |platform, _| Ok(platform.doctor())).await?;
    Ok(Json(json!(report)))
}

/// `GET /v1/rules`
pub async fn rules(State(app): State<App>) -> Json<Value> {
    Json(json!(app.platform.review_rules()))
}

/// `GET /openapi.json`
pub async fn description(State(app): State<App>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], app.description.to_string()).into_response()
}
