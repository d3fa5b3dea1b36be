//! The body of a request: whole in time, not too large, JSON of the right shape; and what goes back.

use crate::app::App;
use crate::problem::Problem;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A body that is JSON of this shape.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + 'static> FromRequest<App> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        if !is_json(&parts.headers) {
            let detail = "the body is not declared as JSON";
            let kind = "unsupported_media_type";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, kind, detail)
                .hint("send `Content-Type: application/json`"));
        }
        let bytes = read(app, &parts.headers, body).await?;
        parse(&bytes).map(Self)
    }
}

/// JSON of this shape, or a problem that names the place.
pub fn parse<T: DeserializeOwned + JsonSchema + 'static>(bytes: &[u8]) -> Result<T, Problem> {
    let hint = "/openapi.json describes what is expected";
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| Problem::invalid(format!("the body is not JSON: {error}")).hint(hint))?;
    formicary_model::use_case::read(value, None).map_err(Problem::from)
}

/// A body that is whatever it is.
pub struct Raw(pub Bytes);

impl FromRequest<App> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        read(app, &parts.headers, body).await.map(Self)
    }
}

async fn read(app: &App, headers: &HeaderMap, body: Body) -> Result<Bytes, Problem> {
    let most = app.settings.body_bytes;
    let too_large = || {
        let detail = format!("the body has more than {most} bytes");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail)
            .hint("send less, or let server.body_bytes be larger")
    };
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: usize| length > most) {
        return Err(too_large());
    }
    let whole = axum::body::to_bytes(body, most);
    match tokio::time::timeout(app.settings.body_time, whole).await {
        Err(_) => Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body did not come in time")
            .hint("send it quicker, or let server.body_seconds be more")),
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => {
            let error = error.into_inner();
            let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&*error);
            while let Some(one) = cause {
                if one.is::<http_body_util::LengthLimitError>() {
                    return Err(too_large());
                }
                cause = one.source();
            }
            Err(Problem::invalid("the body was cut off"))
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()) else {
        return false;
    };
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// Parameters of the query.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(asked) = Query::<T>::from_request_parts(parts, state)
            .await
            .map_err(|error| Problem::invalid(format!("the query is wrong: {}", error.body_text())))?;
        Ok(Self(asked))
    }
}

/// Names in the path.
pub struct Named<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(named) = Path::<T>::from_request_parts(parts, state)
            .await
            .map_err(|error| Problem::invalid(format!("the path is wrong: {}", error.body_text())))?;
        Ok(Self(named))
    }
}

/// Whether the caller wants events as they come.
pub fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .any(|kind| kind.split(';').next().unwrap_or_default().trim() == "text/event-stream")
}
