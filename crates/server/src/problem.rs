//! What goes wrong, as `application/problem+json`: the kinds of the command line, and a few that only HTTP has.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use formicary_model::failure::code;
use formicary_model::{Failure, FailureKind};
use formicary_platform::exit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A problem on the wire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemBody {
    /// The kind: that of the command line (`invalid_input`, `toolchain_missing`, …), or one of HTTP (`not_found`, …).
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind for people.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// One line that names the input.
    pub detail: String,
    /// One line that names the remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The path that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
}

/// A problem on its way out.
#[derive(Debug, Clone)]
pub struct Problem {
    status: StatusCode,
    kind: String,
    detail: String,
    hint: Option<String>,
    retry_after: Option<Duration>,
}

impl Problem {
    /// A problem of this status and kind.
    pub fn new(status: StatusCode, kind: &str, detail: impl Into<String>) -> Self {
        Self { status, kind: kind.to_owned(), detail: detail.into(), hint: None, retry_after: None }
    }

    /// The same with a remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with a time after which it is worth another try.
    #[must_use]
    pub fn retry_after(mut self, time: Duration) -> Self {
        self.retry_after = Some(time);
        self
    }

    /// The request is wrong.
    pub fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_input", detail)
    }

    /// There is no such thing, or it is not the caller's: nobody learns which.
    pub fn not_found(what: &str, id: &str) -> Self {
        let id: String = id.chars().take(80).collect();
        Self::new(StatusCode::NOT_FOUND, "not_found", format!("there is no {what} {id:?}"))
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The problem on the wire.
    pub fn body(&self, instance: Option<String>) -> ProblemBody {
        ProblemBody {
            kind: self.kind.clone(),
            title: title(&self.kind),
            status: self.status.as_u16(),
            detail: self.detail.clone(),
            hint: self.hint.clone(),
            instance,
        }
    }
}

/// `invalid_input` becomes `Invalid input`.
fn title(kind: &str) -> String {
    let words = kind.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The word of a failure's kind.
pub fn kind_word(kind: FailureKind) -> String {
    serde_json::to_value(kind).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Failures that have a status of their own over HTTP, by their codes.
const BY_CODE: [(&str, StatusCode, &str, Option<Duration>); 2] = [
    (code::TAKEN_SESSION, StatusCode::CONFLICT, "conflict", None),
    (
        code::TOO_MANY_SESSIONS,
        StatusCode::TOO_MANY_REQUESTS,
        "too_many_requests",
        Some(Duration::from_secs(30)),
    ),
];

/// What a person has a command for, a client has a route for.
const ROUTES: [(&str, &str); 7] = [
    ("languages", "`GET /v1/languages`"),
    ("session new LANG", "`POST /v1/sessions`"),
    ("session list", "`GET /v1/sessions`"),
    ("session close ID", "`DELETE /v1/sessions/{id}`"),
    ("session files ID", "`GET /v1/sessions/{id}/files`"),
    ("session put", "`PUT /v1/sessions/{id}/files/{path}`"),
    ("rules", "`GET /v1/rules`"),
];

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let failure = failure.by_names(&ROUTES).by_fields();
        let status = StatusCode::from_u16(exit::failure_http_status(failure.kind))
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let kind = kind_word(failure.kind);
        let own = BY_CODE.iter().find(|(code, ..)| failure.is(code));
        let (status, kind, retry_after) =
            own.map_or((status, kind.as_str(), None), |(_, status, kind, after)| (*status, kind, *after));
        let problem = Self::new(status, kind, failure.message);
        Self { hint: failure.hint, retry_after, ..problem }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let text = serde_json::to_vec(&self.body(None)).unwrap_or_default();
        let mut response = (self.status, text).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(time) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(time.as_secs().max(1)));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            const CHALLENGE: HeaderName = header::WWW_AUTHENTICATE;
            headers.insert(CHALLENGE, HeaderValue::from_static("Bearer realm=\"formicary\""));
        }
        response.extensions_mut().insert(Told(self));
        response
    }
}

/// The problem of a response, for whoever knows the path that it belongs to.
#[derive(Debug, Clone)]
pub struct Told(pub Problem);

/// The same response with the path that was asked for.
pub fn with_instance(response: Response, path: &str) -> Response {
    let Some(Told(problem)) = response.extensions().get::<Told>().cloned() else { return response };
    let (mut parts, _) = response.into_parts();
    let path: String = path.chars().take(512).collect();
    let text = serde_json::to_vec(&problem.body(Some(path))).unwrap_or_default();
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_keep_their_kind_and_hint() {
        let failure = Failure::new(FailureKind::InvalidInput, "unknown language x").hint("say python");
        let problem = Problem::from(failure);
        let body = serde_json::to_value(problem.body(Some("/v1/execute".into()))).unwrap();
        let expected = serde_json::json!({
            "type": "invalid_input", "title": "Invalid input", "status": 400, "detail": "unknown language x",
            "hint": "say python", "instance": "/v1/execute",
        });
        assert_eq!(body, expected);
    }
}
