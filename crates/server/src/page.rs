//! The page's files, and what a browser may do with anything that comes from here.

use crate::problem::Problem;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use rust_embed::RustEmbed;

/// The built page. Where it was not built, a plain one of our own stands in.
#[derive(RustEmbed)]
#[folder = "../../dashboard/dist"]
#[allow_missing = true]
struct Files;

const PLAIN: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
content=\"width=device-width\"><title>Formicary</title><h1>Formicary</h1><p>The server runs. \
<a href=\"/docs\">What it can do</a>, <a href=\"/openapi.json\">the same for programs</a>.</p></html>";

/// Nothing from outside, nothing inline, no frame around it. Rich outputs of programs are shown in frames of their own
/// without rights (`srcdoc`), which keep this policy.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Files of the page; what is not there is a problem.
pub async fn files(method: Method, uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let missing = || {
        Problem::new(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address")
            .hint("/docs lists what there is")
            .into_response()
    };
    if path.starts_with("v1/") {
        return missing();
    }
    let Some(file) = Files::get(path) else {
        return match (path, method) {
            ("index.html", Method::GET | Method::HEAD) => {
                ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], PLAIN).into_response()
            }
            _ => missing(),
        };
    };
    if !matches!(method, Method::GET | Method::HEAD) {
        let detail = "files of the page are only read";
        return Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail).into_response();
    }
    // Names of built files hold the hash of what is in them; the page itself is asked for again.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, kind(path)), (header::CACHE_CONTROL, cache)];
    (headers, file.data).into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" | "map" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The policy holds for everything that a browser could show.
pub async fn policy(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let own = response.headers_mut().entry(header::CONTENT_SECURITY_POLICY);
    own.or_insert(HeaderValue::from_static(POLICY));
    response
}
