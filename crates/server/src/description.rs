//! The description for people: a page without scripts, made from the same document.

use crate::app::App;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse};
use formicary_model::visible::markup;
use serde_json::Value;
use std::fmt::Write as _;

const STYLE: &str = ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;\
margin:2rem auto;padding:0 1rem;background:Canvas;color:CanvasText;overflow-wrap:anywhere}code,pre{font:14px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;\
border:1px solid #8886;border-radius:.5rem}h2{margin-top:2.5rem}summary{cursor:pointer}\
.method{display:inline-block;min-width:4.5rem;font-weight:600;text-transform:uppercase}";

/// Nothing at all but its own styles.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
frame-ancestors 'none'";

/// `GET /docs`
pub async fn docs(State(app): State<App>) -> impl IntoResponse {
    let document: Value = serde_json::from_str(&app.description).unwrap_or_default();
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(render(&document)))
}

fn render(document: &Value) -> String {
    let mut families: Vec<(&str, String)> = Vec::new();
    let paths = document["paths"].as_object();
    for (path, operations) in paths.into_iter().flatten() {
        for (method, operation) in operations.as_object().into_iter().flatten() {
            let family = operation["tags"][0].as_str().unwrap_or_default();
            let text = one(method, path, operation);
            match families.iter_mut().find(|(name, _)| *name == family) {
                Some((_, all)) => all.push_str(&text),
                None => families.push((family, text)),
            }
        }
    }
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Formicary: interface</title><style>{STYLE}</style>\
         <h1>Formicary</h1><p>JSON in, JSON out; what goes wrong is <code>application/problem+json</code>. \
         A key goes into <code>Authorization: Bearer fmk_…</code>. \
         <a href=\"/openapi.json\">OpenAPI 3.1</a></p>"
    );
    for (family, text) in families {
        let _ = write!(page, "<h2>{}</h2>{text}", markup(family));
    }
    page.push_str("<h2>Types</h2>");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let text = serde_json::to_string_pretty(schema).unwrap_or_default();
        let _ = write!(
            page,
            "<details id=\"{0}\"><summary><code>{0}</code></summary><pre>{1}</pre></details>",
            markup(name),
            markup(&text)
        );
    }
    page.push_str("</html>");
    page
}

fn one(method: &str, path: &str, operation: &Value) -> String {
    let mut text = format!(
        "<p><span class=\"method\">{}</span> <code>{}</code><br>{}",
        markup(method),
        markup(path),
        markup(operation["summary"].as_str().unwrap_or_default())
    );
    if let Some(about) = operation["description"].as_str() {
        let _ = write!(text, " {}", markup(about));
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    link(&mut text, "takes", body);
    let answers = operation["responses"].as_object().into_iter().flatten();
    for (_, answer) in answers.filter(|(status, _)| status.starts_with('2')) {
        link(&mut text, "gives", &answer["content"]["application/json"]["schema"]);
    }
    text.push_str("</p>");
    text
}

fn link(text: &mut String, word: &str, schema: &Value) {
    if let Some(name) = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
        let _ = write!(text, " · {word} <a href=\"#{0}\"><code>{0}</code></a>", markup(name));
    }
}
