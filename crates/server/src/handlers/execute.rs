//! One execution, answered when it is over or as it goes on.

use crate::app::App;
use crate::body::Json;
use crate::problem::Problem;
use crate::tenant::Tenant;
use crate::{confine, stream};
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use formicary_model::ExecutionRequest;
use formicary_platform::Live;

/// `POST /v1/execute`
pub async fn execute(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Json(request): Json<ExecutionRequest>,
) -> Result<Response, Problem> {
    let request = confine::checked(&app, &tenant, request).await?;
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        let live = Live { observer: watcher, cancel: watcher.cancel.clone(), ..Live::default() };
        platform.run_as(&watcher.caller, request, live)
    })
    .await
}
