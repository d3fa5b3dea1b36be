//! What the server is and offers: health, version, languages, doctor, its own description.

use super::perform::Caller;
use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use formicary_model::NoInput;
use formicary_platform::operation::{Doctor, Languages};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
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
    let not_now = |detail: String| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", detail)
            .retry_after(Duration::from_secs(5))
    };
    if app.is_ending() {
        return Err(not_now("the server is about to end".into()));
    }
    let platform = Arc::clone(&app.platform);
    let health = tokio::task::spawn_blocking(move || platform.health()).await;
    match health {
        Ok(health) if health.ready => Ok(Json(Health { status: "ready" })),
        Ok(health) => Err(not_now(
            health
                .audit
                .why
                .unwrap_or_else(|| format!("{} gives too little protection", health.provider.name)),
        )),
        Err(_) => Err(not_now("the state of the server is not known".into())),
    }
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
pub async fn languages(caller: Caller) -> Result<Json<Value>, Problem> {
    Ok(Json(json!(caller.perform::<Languages>(NoInput {}).await?)))
}

/// `GET /v1/doctor`
pub async fn doctor(caller: Caller) -> Result<Json<Value>, Problem> {
    Ok(Json(json!(caller.perform::<Doctor>(NoInput {}).await?)))
}

/// `GET /openapi.json`
pub async fn description(State(app): State<App>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], app.description.to_string()).into_response()
}
