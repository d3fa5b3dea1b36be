//! Rules, and the history of projects that were reviewed by name.

use super::perform::quickly;
use crate::app::App;
use crate::body::Named;
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::extract::State;
use axum::{Extension, Json};
use formicary_model::NoInput;
use formicary_model::review::{ProjectHistory, ProjectList, ProjectName, RuleInfo, RulesInput};
use formicary_platform::review::{ListProjects, ListRules, ShowProject};

/// `GET /v1/rules`
pub async fn rules(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Json<Vec<RuleInfo>>, Problem> {
    quickly::<ListRules>(&app, &tenant, RulesInput::default()).await.map(|list| Json(list.items))
}

/// `GET /v1/projects`
pub async fn projects(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Json<ProjectList>, Problem> {
    quickly::<ListProjects>(&app, &tenant, NoInput {}).await.map(Json)
}

/// `GET /v1/projects/{name}`
pub async fn project(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(name): Named<String>,
) -> Result<Json<ProjectHistory>, Problem> {
    quickly::<ShowProject>(&app, &tenant, ProjectName { name }).await.map(Json)
}
