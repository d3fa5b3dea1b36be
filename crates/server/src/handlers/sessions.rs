//! Sessions and their files as resources: each route performs a use case of the registry.

use super::perform::{Caller, context};
use crate::body::{Json, Named, Raw};
use crate::problem::Problem;
use crate::stream;
use axum::Json as Answer;
use axum::http::HeaderValue;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
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
pub async fn create(caller: Caller, Json(body): Json<Value>) -> Result<Response, Problem> {
    let request = caller.app.platform.read::<CreateSession>(body)?;
    let info = caller.perform::<CreateSession>(request).await?;
    let place = format!("/v1/sessions/{}", info.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], Answer(info)).into_response())
}

/// `GET /v1/sessions`
pub async fn list(caller: Caller) -> Result<Answer<SessionList>, Problem> {
    caller.quickly::<ListSessions>(NoInput {}).await.map(Answer)
}

/// `GET /v1/sessions/{id}`
pub async fn show(caller: Caller, Named(id): Named<String>) -> Result<Answer<SessionInfo>, Problem> {
    caller.quickly::<ShowSession>(SessionId { id }).await.map(Answer)
}

/// `DELETE /v1/sessions/{id}`
pub async fn close(caller: Caller, Named(id): Named<String>) -> Result<StatusCode, Problem> {
    caller.perform::<CloseSession>(SessionId { id }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /v1/sessions/{id}/cells`
pub async fn run(
    caller: Caller,
    headers: HeaderMap,
    Named(id): Named<String>,
    Json(cell): Json<CellRequest>,
) -> Result<Response, Problem> {
    // Before the answer begins to stream: that there is no such session is a status of its own.
    caller.quickly::<ShowSession>(SessionId { id: id.clone() }).await?;
    let own = caller.tenant.clone();
    stream::answer(&caller.app, &caller.tenant, &headers, move |platform, watcher| {
        platform.perform::<RunCell>(&context(&own, watcher), CellInput { id, cell })
    })
    .await
}

/// `POST /v1/sessions/{id}/interrupt`
pub async fn interrupt(caller: Caller, Named(id): Named<String>) -> Result<Answer<Interrupted>, Problem> {
    caller.quickly::<InterruptSession>(SessionId { id }).await.map(Answer)
}

/// `POST /v1/sessions/{id}/reset`
pub async fn reset(caller: Caller, Named(id): Named<String>) -> Result<StatusCode, Problem> {
    caller.perform::<ResetSession>(SessionId { id }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /v1/sessions/{id}/files`
pub async fn files(caller: Caller, Named(id): Named<String>) -> Result<Answer<FileList>, Problem> {
    caller.perform::<ListFiles>(SessionId { id }).await.map(Answer)
}

/// `PUT /v1/sessions/{id}/files/{path}`
pub async fn put(
    caller: Caller,
    Named((id, path)): Named<(String, String)>,
    Raw(bytes): Raw,
) -> Result<StatusCode, Problem> {
    let files = vec![SourceFile::new(path, bytes.to_vec())];
    caller.perform::<PutFiles>(PutFilesInput { id, files }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /v1/sessions/{id}/files/{path}`
pub async fn get(caller: Caller, Named((id, path)): Named<(String, String)>) -> Result<Response, Problem> {
    let file = caller.perform::<GetFile>(GetFileInput { id, path }).await?;
    let mut response = file.content.into_response();
    // Whatever a program wrote, a browser must not take it for a page of this server's.
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    Ok(response)
}

/// `DELETE /v1/sessions/{id}/files/{path}`
pub async fn remove(
    caller: Caller,
    Named((id, path)): Named<(String, String)>,
) -> Result<StatusCode, Problem> {
    caller.perform::<RemoveFiles>(RemoveFilesInput { id, paths: vec![path] }).await?;
    Ok(StatusCode::NO_CONTENT)
}
