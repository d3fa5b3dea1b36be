//! Sessions and their files as resources: each route performs a use case of the registry.

use super::perform::{context, performed, quickly};
use crate::app::App;
use crate::body::{Json, Named, Raw};
use crate::problem::Problem;
use crate::stream;
use crate::tenant::Tenant;
use axum::Json as Answer;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, http::HeaderValue};
use formicary_model::{
    CellInput, CellRequest, FileList, GetFileInput, Interrupted, NoInput, PutFilesInput, RemoveFilesInput,
    SessionId, SessionInfo, SessionList, SourceFile,
};
use formicary_platform::sessions::{
    CloseSession, CreateSession, GetFile, InterruptSession, ListFiles, ListSessions, PutFiles, RemoveFiles,
    ResetSession, RunCell, ShowSession,
};
use serde_json::Value;

/// `POST /v1/sessions`
pub async fn create(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<Value>,
) -> Result<Response, Problem> {
    let request = app.platform.read::<CreateSession>(body)?;
    let info = performed::<CreateSession>(&app, &tenant, request).await?;
    let place = format!("/v1/sessions/{}", info.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], Answer(info)).into_response())
}

/// `GET /v1/sessions`
pub async fn list(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
) -> Result<Answer<SessionList>, Problem> {
    quickly::<ListSessions>(&app, &tenant, NoInput {}).await.map(Answer)
}

/// `GET /v1/sessions/{id}`
pub async fn show(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Answer<SessionInfo>, Problem> {
    quickly::<ShowSession>(&app, &tenant, SessionId { id }).await.map(Answer)
}

/// `DELETE /v1/sessions/{id}`
pub async fn close(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<StatusCode, Problem> {
    performed::<CloseSession>(&app, &tenant, SessionId { id }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /v1/sessions/{id}/cells`
pub async fn run(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Named(id): Named<String>,
    Json(cell): Json<CellRequest>,
) -> Result<Response, Problem> {
    // Before the answer begins to stream: that there is no such session is a status of its own.
    quickly::<ShowSession>(&app, &tenant, SessionId { id: id.clone() }).await?;
    let own = tenant.clone();
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        platform.perform::<RunCell>(&context(&own, watcher), CellInput { id, cell })
    })
    .await
}

/// `POST /v1/sessions/{id}/interrupt`
pub async fn interrupt(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Answer<Interrupted>, Problem> {
    quickly::<InterruptSession>(&app, &tenant, SessionId { id }).await.map(Answer)
}

/// `POST /v1/sessions/{id}/reset`
pub async fn reset(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<StatusCode, Problem> {
    performed::<ResetSession>(&app, &tenant, SessionId { id }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /v1/sessions/{id}/files`
pub async fn files(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named(id): Named<String>,
) -> Result<Answer<FileList>, Problem> {
    performed::<ListFiles>(&app, &tenant, SessionId { id }).await.map(Answer)
}

/// `PUT /v1/sessions/{id}/files/{path}`
pub async fn put(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named((id, path)): Named<(String, String)>,
    Raw(bytes): Raw,
) -> Result<StatusCode, Problem> {
    let files = vec![SourceFile::new(path, bytes.to_vec())];
    performed::<PutFiles>(&app, &tenant, PutFilesInput { id, files }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /v1/sessions/{id}/files/{path}`
pub async fn get(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named((id, path)): Named<(String, String)>,
) -> Result<Response, Problem> {
    let file = performed::<GetFile>(&app, &tenant, GetFileInput { id, path }).await?;
    let mut response = file.content.into_response();
    // Whatever a program wrote, a browser must not take it for a page of this server's.
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    Ok(response)
}

/// `DELETE /v1/sessions/{id}/files/{path}`
pub async fn remove(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Named((id, path)): Named<(String, String)>,
) -> Result<StatusCode, Problem> {
    performed::<RemoveFiles>(&app, &tenant, RemoveFilesInput { id, paths: vec![path] }).await?;
    Ok(StatusCode::NO_CONTENT)
}
