//! Before any handler: is the server called by a name of its own, from a page of its own, with a key, for something that the
//! key may do. And after: headers that hold everywhere.

use crate::app::App;
use crate::problem::{Problem, with_instance};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use formicary_platform::keys::Scope;
use std::net::IpAddr;
use std::time::Instant;

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Everything that holds for every request.
pub async fn everywhere(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let called = called_rightly(request.headers(), &app.settings.hosts).and_then(|()| {
        // An address in the request's first line is what a proxy would go by.
        let named = request.uri().authority().map(axum::http::uri::Authority::as_str);
        named.map_or(Ok(()), |named| called_by(named, &app.settings.hosts))
    });
    let response = match called {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let mut response = with_instance(response, &path);
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    if !response.headers().contains_key(header::CACHE_CONTROL) {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    // Neither headers nor queries: keys travel in the one and data in the other.
    tracing::info!(
        %method,
        path,
        status = response.status().as_u16(),
        milliseconds = started.elapsed().as_millis() as u64,
        "answered"
    );
    response
}

/// A page of somebody else's that had its name lead here (DNS rebinding), or that calls from a browser, is refused.
fn called_rightly(headers: &HeaderMap, names: &[String]) -> Result<(), Problem> {
    // Two proxies may each believe another one of them: RFC 9112, section 3.2.
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Err(Problem::invalid("the request has more than one Host header").hint("send one"));
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    called_by(host, names)?;
    let own_page = |origin: &HeaderValue| {
        let origin = origin.to_str().unwrap_or_default();
        let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        from.is_some_and(|from| from.eq_ignore_ascii_case(host))
    };
    if headers.get_all(header::ORIGIN).iter().all(own_page) {
        return Ok(());
    }
    Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", "pages from elsewhere may not call this server")
        .hint("call it from a page that it serves, or from a program"))
}

fn called_by(host: &str, names: &[String]) -> Result<(), Problem> {
    if is_own(host, names) {
        return Ok(());
    }
    let host: String = host.chars().take(80).collect();
    let detail = format!("this server is not called {host:?}");
    Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "misdirected", detail)
        .hint("call it by its address, or name it with --host NAME"))
}

/// Whether a `Host` names this server: an address (no name was looked up), `localhost`, or a name of its own.
fn is_own(host: &str, names: &[String]) -> bool {
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, port)) => {
            return address.parse::<IpAddr>().is_ok()
                && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
        }
        None => match host.rsplit_once(':') {
            Some((name, port)) if is_port(port) => name,
            Some(_) => return false,
            None => host,
        },
    };
    let name = name.to_ascii_lowercase();
    name == "localhost" || name.parse::<IpAddr>().is_ok() || names.contains(&name)
}

// `127.0.0.1:80, evil.example` is not a port with a tail.
fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a route asks for: a key, and a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// Any key.
    Key,
    /// A key that may do this.
    Scope(Scope),
}

/// Lets in whoever may do what the route does, and says who it is.
pub async fn authorize(
    State((app, needs)): State<(App, Needs)>,
    mut request: Request,
    next: Next,
) -> Response {
    if needs == Needs::Nothing {
        return next.run(request).await;
    }
    let tenant = match app.tenants.recognise(presented(request.headers())) {
        Ok(tenant) => tenant,
        Err(refused) => return Problem::from(refused).into_response(),
    };
    if let Needs::Scope(scope) = needs
        && !tenant.may(scope)
    {
        let detail = format!("the key {} may not do this", tenant.name);
        return Problem::new(StatusCode::FORBIDDEN, "forbidden", detail)
            .hint(format!("it needs the scope {}", scope.word()))
            .into_response();
    }
    if let Err(problem) = app.tenants.count_request(&tenant).map_err(Problem::from) {
        app.note_refusal(&tenant, &problem);
        return problem.into_response();
    }
    request.extensions_mut().insert(tenant);
    next.run(request).await
}

/// The key of a request: in `Authorization`, or, for browsers' WebSockets, which cannot set that, as a protocol.
fn presented(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| {
        let (kind, key) = value.trim().split_once(' ')?;
        kind.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    bearer.or_else(|| {
        let protocols = headers.get(header::SEC_WEBSOCKET_PROTOCOL)?.to_str().ok()?;
        protocols
            .split(',')
            .map(str::trim)
            .find(|protocol| protocol.starts_with(formicary_platform::keys::PREFIX))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_names_and_pages_call_it() {
        let names = ["api.example".to_owned()];
        let cases = [
            ("127.0.0.1:8765", None, true),
            ("127.0.0.1", None, true),
            ("localhost:1", None, true),
            ("LOCALHOST", None, true),
            ("[::1]:8765", None, true),
            ("192.0.2.7", None, true),
            ("api.example:443", None, true),
            ("evil.example:8765", None, false),
            ("127.0.0.1.evil.example", None, false),
            ("localhost.evil.example", None, false),
            ("[evil]:1", None, false),
            ("127.0.0.1:8765, evil.example", None, false),
            ("[::1]:8765, evil.example", None, false),
            ("127.0.0.1:evil.example", None, false),
            ("evil.example@127.0.0.1:8765", None, false),
            ("", None, false),
            ("127.0.0.1:8765", Some("http://127.0.0.1:8765"), true),
            ("api.example", Some("https://api.example"), true),
            ("127.0.0.1:8765", Some("http://127.0.0.1:9999"), false),
            ("127.0.0.1:8765", Some("http://evil.example"), false),
            ("127.0.0.1:8765", Some("null"), false),
        ];
        for (host, origin, fine) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            assert_eq!(called_rightly(&headers, &names).is_ok(), fine, "{host} {origin:?}");
        }
    }

    #[test]
    fn headers_that_come_twice_are_refused() {
        for (name, values, status) in [
            (header::HOST, ["127.0.0.1:8765", "evil.example"], StatusCode::BAD_REQUEST),
            (header::HOST, ["evil.example", "127.0.0.1:8765"], StatusCode::BAD_REQUEST),
            (header::HOST, ["127.0.0.1:8765", "127.0.0.1:8765"], StatusCode::BAD_REQUEST),
            (header::ORIGIN, ["http://127.0.0.1:8765", "http://evil.example"], StatusCode::FORBIDDEN),
        ] {
            let mut headers = HeaderMap::new();
            if name != header::HOST {
                headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8765"));
            }
            for value in values {
                headers.append(&name, HeaderValue::from_static(value));
            }
            assert_eq!(called_rightly(&headers, &[]).unwrap_err().status(), status, "{name}: {values:?}");
        }
    }

    #[test]
    fn keys_are_found_where_they_stand() {
        let cases = [
            (header::AUTHORIZATION, "Bearer fmk_1", Some("fmk_1")),
            (header::AUTHORIZATION, "bearer  fmk_1 ", Some("fmk_1")),
            (header::AUTHORIZATION, "Basic fmk_1", None),
            (header::AUTHORIZATION, "fmk_1", None),
            (header::SEC_WEBSOCKET_PROTOCOL, "formicary, fmk_1", Some("fmk_1")),
            (header::SEC_WEBSOCKET_PROTOCOL, "formicary", None),
        ];
        for (name, value, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            assert_eq!(presented(&headers), expected, "{value}");
        }
    }
}
