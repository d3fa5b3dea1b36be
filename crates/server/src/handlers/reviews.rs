//! Rules, and the history of projects that were reviewed by name.

use super::perform::Caller;
use crate::body::Named;
use crate::problem::Problem;
use axum::Json;
use formicary_model::NoInput;
use formicary_model::review::{ProjectHistory, ProjectList, ProjectName, RuleInfo, RulesInput};
use formicary_platform::review::{ListProjects, ListRules, ShowProject};

/// `GET /v1/rules`
pub async fn rules(caller: Caller) -> Result<Json<Vec<RuleInfo>>, Problem> {
    caller.quickly::<ListRules>(RulesInput::default()).await.map(|list| Json(list.items))
}

/// `GET /v1/projects`
pub async fn projects(caller: Caller) -> Result<Json<ProjectList>, Problem> {
    caller.quickly::<ListProjects>(NoInput {}).await.map(Json)
}

/// `GET /v1/projects/{name}`
pub async fn project(caller: Caller, Named(name): Named<String>) -> Result<Json<ProjectHistory>, Problem> {
    caller.quickly::<ShowProject>(ProjectName { name }).await.map(Json)
}
