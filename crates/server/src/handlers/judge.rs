//! Programs against test cases.

use crate::app::App;
use crate::body::Json;
use crate::problem::Problem;
use crate::tenant::Tenant;
use crate::{confine, stream};
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use formicary_model::{Comparison, JudgeItem, JudgeResult, JudgeSummary, LimitOverrides};
use formicary_platform::Live;
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{Cases, JudgeOptions, Template, lines};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Programs of one request.
const MOST_ITEMS: usize = 1_000;

/// What to judge, and how.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeBody {
    /// The programs with their cases.
    pub items: Vec<JudgeItem>,
    /// The language of those that name none.
    #[serde(default)]
    pub language: Option<String>,
    /// How outputs are compared where an item does not say.
    #[serde(default)]
    pub compare: Comparison,
    /// Limits of each case where an item does not say.
    #[serde(default)]
    pub limits: LimitOverrides,
    /// Whether a program's cases end with the first that is not accepted.
    #[serde(default)]
    pub fail_fast: bool,
    /// The k for which pass@k is wanted.
    #[serde(default)]
    pub pass_at: Vec<u64>,
}

/// What came of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JudgeAnswer {
    /// Each program, in the order of the request.
    pub results: Vec<JudgeResult>,
    /// The figures.
    pub summary: JudgeSummary,
}

/// `POST /v1/judge`
pub async fn judge(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Json(mut body): Json<JudgeBody>,
) -> Result<Response, Problem> {
    if body.items.is_empty() || body.items.len() > MOST_ITEMS {
        let detail = format!("there are {} items, there must be 1 to {MOST_ITEMS}", body.items.len());
        return Err(Problem::invalid(detail).hint("send them in several requests"));
    }
    confine::limits(&app, &tenant, &mut body.limits)?;
    for item in &mut body.items {
        let mut limits = item.limits.clone().or(&body.limits);
        confine::limits(&app, &tenant, &mut limits)?;
        item.limits = limits;
    }
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        let mut request = platform.new_request();
        request.assurance = platform.assurance_of(None);
        (request.language, request.limits) = (body.language, body.limits);
        let template = Template { request, comparison: body.compare, checker: None };
        let mut text = Vec::new();
        for item in &body.items {
            text.extend(serde_json::to_vec(item).unwrap_or_default());
            text.push(b'\n');
        }
        let options = JudgeOptions {
            cases: if body.fail_fast { Cases::UntilFailure } else { Cases::All },
            ..JudgeOptions::default()
        };
        let wish = JudgeRequest { options, pass_at: body.pass_at, ..JudgeRequest::default() };
        let quiet = watcher.quiet();
        let live = Live { observer: &quiet, cancel: watcher.cancel.clone(), ..Live::default() };
        let source = lines::read(std::io::Cursor::new(text), template);
        let mut results = Vec::new();
        let judged = platform.judge_as(&watcher.caller, source, wish, &live, &mut |result, _| {
            if let Some(feed) = &watcher.feed {
                feed.push("judged", result);
            }
            results.push(result.clone());
            Ok(())
        })?;
        judged.ended?;
        Ok(JudgeAnswer { results, summary: judged.summary })
    })
    .await
}
