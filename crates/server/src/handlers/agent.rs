//! Runs of the agent that are kept: they belong to the user whose server this is. Without keys that is whoever calls; with keys
//! it takes an admin.

use super::perform::Caller;
use crate::body::Named;
use crate::problem::Problem;
use axum::Json;
use axum::http::StatusCode;
use formicary_model::NoInput;
use formicary_model::agent::RunId;
use formicary_platform::agent::{ListRuns, RunList, RunView, ShowRun};

/// `GET /v1/agent/runs`
pub async fn list(caller: Caller) -> Result<Json<RunList>, Problem> {
    caller.quickly::<ListRuns>(NoInput {}).await.map(Json)
}

/// `GET /v1/agent/runs/{id}`
pub async fn show(caller: Caller, Named(id): Named<String>) -> Result<Json<RunView>, Problem> {
    match caller.quickly::<ShowRun>(RunId { id: id.clone() }).await {
        Ok(view) if view.order.id == id => Ok(Json(view)),
        Err(problem) if problem.status() != StatusCode::BAD_REQUEST => Err(problem),
        // Beginnings of names are for people; an address means one run.
        _ => Err(Problem::not_found("run of the agent", &id)),
    }
}
