//! Reviews and gates of files that come along, and the history of projects.

use crate::app::App;
use crate::body::{Json, Named};
use crate::problem::Problem;
use crate::projects::{ProjectBody, ProjectHistory, check_name};
use crate::tenant::Tenant;
use axum::Extension;
use axum::Json as Answer;
use axum::extract::State;
use formicary_model::Failure;
use formicary_model::review::{ChangeSummary, GateResult, ReviewReport};
use formicary_platform::review::ReviewOptions;
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::uploads::{UploadLimits, UploadedFile, Uploads};
use formicary_platform::{Cancel, Platform};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to review. A `formicary.toml` among the files holds the project's settings and gates.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewBody {
    /// The project's files.
    pub files: Vec<UploadedFile>,
    /// The files before a change: then the change is judged.
    #[serde(default)]
    pub before: Option<Vec<UploadedFile>>,
    /// Keeps score and findings in the history of the project of this name.
    #[serde(default)]
    pub project: Option<String>,
    /// Other people's tools that are run too, where they are installed.
    #[serde(default)]
    pub tools: Vec<String>,
}

/// Whether the gates are met.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GateAnswer {
    /// The gates.
    pub gate: GateResult,
    /// What a change made of it, where one was judged.
    pub change: Option<ChangeSummary>,
    /// The score, 0–100.
    pub score: f64,
}

/// The tenant's projects.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProjectList {
    /// Each of them.
    pub items: Vec<ProjectBody>,
}

/// `POST /v1/review`
pub async fn review(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<ReviewBody>,
) -> Result<Answer<ReviewReport>, Problem> {
    if let Some(project) = &body.project {
        check_name(project)?;
    }
    let project = body.project.clone();
    let report =
        app.work(&tenant, move |platform, watcher| reviewed(platform, &body, &watcher.cancel)).await?;
    if let Some(project) = project {
        app.projects.record(&tenant.id, &project, &report);
    }
    Ok(Answer(report))
}

/// `POST /v1/gate`
pub async fn gate(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<ReviewBody>,
) -> Result<Answer<GateAnswer>, Problem> {
    let report =
        app.work(&tenant, move |platform, watcher| reviewed(platform, &body, &watcher.cancel)).await?;
    Ok(Answer(GateAnswer {
        score: report.score.total,
        gate: report.gate.unwrap_or_default(),
        change: report.change,
    }))
}

fn reviewed(platform: &Platform, body: &ReviewBody, cancel: &Cancel) -> Result<ReviewReport, Failure> {
    let uploads = Uploads::write(&body.files, UploadLimits::default())?;
    let before = match &body.before {
        Some(files) => Some(Uploads::write(files, UploadLimits::default())?),
        None => None,
    };
    let options = ReviewOptions {
        working_folder: uploads.folder().to_owned(),
        new: before.as_ref().map(|before| before.folder().to_string_lossy().into_owned()),
        tools: body.tools.clone(),
        ..ReviewOptions::default()
    };
    let watch = Watch { progress: &|_, _, _| (), cancelled: &|| cancel.is_cancelled() };
    let mut report = platform.review(&options, watch)?.review.report;
    if let Some(change) = &mut report.change {
        // Where the files lay meanwhile is nobody's concern.
        change.compared = "the files before and the files now".into();
    }
    Ok(report)
}

/// `GET /v1/projects`
pub async fn projects(State(app): State<App>, Extension(tenant): Extension<Tenant>) -> Answer<ProjectList> {
    Answer(ProjectList { items: app.projects.list(&tenant.id) })
}

/// `GET /v1/projects/{name}`
pub async fn project(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(name): Named<String>,
) -> Result<Answer<ProjectHistory>, Problem> {
    app.projects.find(&tenant.id, &name).map(Answer)
}
