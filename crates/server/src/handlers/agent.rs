//! Runs of the agent: begun by whoever may, with the model that the operator chose; listed and shown to admins.
//!
//! What is kept belongs to the user whose server this is. Without keys that is whoever calls; with keys it takes an admin.

use crate::app::App;
use crate::body::{Json as Body, Named};
use crate::confine;
use crate::problem::Problem;
use crate::stream;
use crate::tenant::Tenant;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::{Extension, Json};
use formicary_platform::agent::{
    Acceptance, AgentHooks, AgentOptions, Budget, ExpectedOutput, Progress, Rules, Task,
};
use formicary_platform::uploads::{UploadLimits, UploadedFile, Uploads};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// A task for the agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentBody {
    /// What is wanted, in the caller's words.
    pub task: String,
    /// The files that it begins with.
    #[serde(default)]
    pub files: Vec<UploadedFile>,
    /// A test command that must end with exit code 0, as in `python3 -m unittest`.
    #[serde(default)]
    pub test: Option<String>,
    /// How the program is run, where that is not plain.
    #[serde(default)]
    pub run: Option<String>,
    /// What the program must write.
    #[serde(default)]
    pub expect: Option<String>,
    /// The input that goes with it.
    #[serde(default)]
    pub stdin: Option<String>,
    /// Questions to the model at the most; never more than the operator allows.
    #[serde(default)]
    pub steps: Option<u32>,
    /// Seconds in all; never more than the operator allows.
    #[serde(default)]
    pub seconds: Option<f64>,
}

/// `POST /v1/agent/runs`
pub async fn begin(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Body(body): Body<AgentBody>,
) -> Result<Response, Problem> {
    let mut base = app.platform.new_request();
    confine::request(&app, &tenant, &mut base)?;
    let budget = budget(app.platform.agent_budget(), &body)?;
    let sources = app.settings.sources.clone();
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        let uploads = Uploads::write(&body.files, UploadLimits::default())?;
        let expected =
            body.expect.map(|stdout| ExpectedOutput { stdin: body.stdin.unwrap_or_default(), stdout });
        let options = AgentOptions {
            working_folder: uploads.folder().to_owned(),
            task: Task {
                text: body.task,
                acceptance: Acceptance {
                    expected: expected.into_iter().collect(),
                    tests: body.test,
                    checker: None,
                },
                command: body.run,
            },
            // The operator's: a caller from elsewhere chooses neither model nor bill.
            model: None,
            record: None,
            folder: (!body.files.is_empty()).then(|| uploads.folder().to_owned()),
            rules: Rules { packages: platform.agent_packages(), ..Rules::default() },
            budget,
            base,
        };
        let watch = |progress: Progress| {
            if let Some(feed) = &watcher.feed {
                feed.push("step", &told(&progress));
            }
        };
        let hooks = AgentHooks { cancel: &watcher.cancel, watch: &watch, human: None };
        let done = platform.agent(options, &sources, &hooks)?;
        watcher.charge(done.outcome.spent.sandbox_seconds);
        Ok(done.outcome)
    })
    .await
}

/// What may be spent: what the operator allows, or less where the caller wants less.
fn budget(most: Budget, body: &AgentBody) -> Result<Budget, Problem> {
    let seconds = body.seconds.unwrap_or(most.seconds);
    if !(1.0..=most.seconds).contains(&seconds) {
        return Err(Problem::invalid(format!("seconds is {seconds}, it must be 1 to {}", most.seconds)));
    }
    let steps = body.steps.unwrap_or(most.steps);
    if !(1..=most.steps).contains(&steps) {
        return Err(Problem::invalid(format!("steps is {steps}, it must be 1 to {}", most.steps)));
    }
    Ok(Budget { steps, seconds, ..most })
}

fn told(progress: &Progress) -> Value {
    match progress {
        Progress::Asking(step) => json!({ "step": "asking", "number": step }),
        Progress::Retrying(why, after) => json!({ "step": "retrying", "why": why, "seconds": after }),
        Progress::Answered(text) => json!({ "step": "answered", "text": text }),
        Progress::Tool(name, outcome) => json!({ "step": "tool", "tool": name, "text": outcome }),
        Progress::Running(what) => json!({ "step": "running", "text": what }),
        Progress::Ran(how) => json!({ "step": "ran", "text": how }),
        Progress::Fixing => json!({ "step": "fixing" }),
        Progress::Judged(passed, text) => json!({ "step": "judged", "passed": passed, "text": text }),
    }
}

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
