//! Every use case of the registry over HTTP: JSON in, JSON out, or events as they come.

use crate::app::{App, Watcher};
use crate::body::Json;
use crate::problem::Problem;
use crate::tenant::Tenant;
use crate::{confine, stream};
use axum::Extension;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{MethodRouter, post};
use formicary_platform::use_case::{Context, Row, UseCase};
use serde_json::Value;

/// On whose behalf work is done: what it is about comes along, since a caller from elsewhere has no files on this host.
pub fn context<'a>(tenant: &Tenant, watcher: &'a Watcher) -> Context<'a> {
    Context::new(watcher.caller.clone(), confine::policy(tenant))
        .observed(watcher)
        .until(watcher.cancel.clone())
}

/// Who calls, and the server that is called.
pub struct Caller {
    /// The server.
    pub app: App,
    /// On whose behalf.
    pub tenant: Tenant,
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let Extension(tenant) = Extension::from_request_parts(parts, app).await.map_err(|error| {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", error.body_text())
        })?;
        Ok(Self { app: app.clone(), tenant })
    }
}

impl Caller {
    /// Performs a use case as work that counts against what the caller may have under way.
    pub async fn perform<U: UseCase>(&self, input: U::Input) -> Result<U::Output, Problem> {
        performed::<U>(&self.app, &self.tenant, input).await
    }

    /// Performs a use case that is done in a moment.
    pub async fn quickly<U: UseCase>(&self, input: U::Input) -> Result<U::Output, Problem> {
        quickly::<U>(&self.app, &self.tenant, input).await
    }
}

/// Performs a use case as work that counts against what the caller may have under way.
pub async fn performed<U: UseCase>(
    app: &App,
    tenant: &Tenant,
    input: U::Input,
) -> Result<U::Output, Problem> {
    let own = tenant.clone();
    app.work(tenant, move |platform, watcher| platform.perform::<U>(&context(&own, watcher), input)).await
}

/// The input of a use case that the caller may have. What may not be is refused now, not when its turn has come.
pub async fn judged<U: UseCase>(app: &App, tenant: &Tenant, body: Value) -> Result<U::Input, Problem> {
    let context = Context::new(confine::caller(tenant), confine::policy(tenant));
    app.look(move |platform| {
        let mut input = platform.read::<U>(body)?;
        platform.judge_input::<U>(&context, &mut input).map(|()| input)
    })
    .await
}

/// Performs a use case that is done in a moment, also for a caller who has all under way that it may have.
pub async fn quickly<U: UseCase>(app: &App, tenant: &Tenant, input: U::Input) -> Result<U::Output, Problem> {
    let context = Context::new(confine::caller(tenant), confine::policy(tenant));
    app.look(move |platform| platform.perform::<U>(&context, input)).await
}

/// The handler of a use case.
pub fn handler(row: &'static Row) -> MethodRouter<App> {
    post(
        async move |State(app): State<App>,
                    Extension(tenant): Extension<Tenant>,
                    headers: HeaderMap,
                    Json(body): Json<Value>|
                    -> Result<Response, Problem> {
            let own = tenant.clone();
            stream::answer(&app, &tenant, &headers, move |platform, watcher| {
                row.call(platform, &context(&own, watcher), body)
            })
            .await
        },
    )
}
