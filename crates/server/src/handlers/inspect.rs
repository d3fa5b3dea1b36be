//! A look into a running program.

use super::debugging::source;
use crate::app::App;
use crate::body::Json;
use crate::problem::Problem;
use crate::tenant::Tenant;
use crate::{confine, stream};
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use formicary_model::{Breakpoint, ExecutionRequest, InspectRequest, LimitOverrides};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;

/// Stops that one answer may hold.
const MOST_STOPS: u32 = 1_000;
/// Places to stop at, and expressions to evaluate at each.
const MOST_PLACES: usize = 200;

/// A program, where it is to stop, and what to look at there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InspectBody {
    /// The program's files.
    #[serde(default)]
    pub files: Vec<UploadedFile>,
    /// The program, where it is one file.
    #[serde(default)]
    pub code: Option<String>,
    /// The language; found out where absent.
    #[serde(default)]
    pub language: Option<String>,
    /// The file to run.
    #[serde(default)]
    pub entry: Option<String>,
    /// Arguments for the program.
    #[serde(default)]
    pub args: Vec<String>,
    /// Standard input.
    #[serde(default)]
    pub stdin: Option<String>,
    /// Limits that differ from the configured ones.
    #[serde(default)]
    pub limits: LimitOverrides,
    /// Where to stop: a line or a function each. What ends the program stops it in any case.
    #[serde(default)]
    pub breakpoints: Vec<Breakpoint>,
    /// Whether exceptions that the program itself catches stop it too.
    #[serde(default)]
    pub every_exception: bool,
    /// Expressions to evaluate at every stop, in the language of the program.
    #[serde(default)]
    pub print: Vec<String>,
    /// After this many stops the program is ended, 1 to 1000; 20 when absent.
    #[serde(default)]
    pub stops: Option<u32>,
    /// The debugger, such as `lldb` or `debugpy`; the one that suits the language and is there when absent.
    #[serde(default)]
    pub adapter: Option<String>,
}

/// `POST /v1/inspect`
pub async fn inspect(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Json(body): Json<InspectBody>,
) -> Result<Response, Problem> {
    let looked_for = looked_for(&body)?;
    let mut request = ExecutionRequest {
        source: source(body.code, &body.files, body.entry).ok_or_else(|| {
            Problem::invalid("what to inspect is not said, or said twice").hint("give one of code and files")
        })??,
        language: body.language,
        args: body.args,
        stdin: body.stdin.unwrap_or_default().into_bytes(),
        limits: body.limits,
        ..app.platform.new_request()
    };
    confine::request(&app, &tenant, &mut request)?;
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        let report =
            platform.inspect_as(&watcher.caller, &request, &looked_for, &watcher.cancel, |stop| {
                if let Some(feed) = &watcher.feed {
                    feed.push("stop", stop);
                }
            })?;
        // The debugger hears the run's events itself.
        watcher.charge(report.run.usage.cpu_user + report.run.usage.cpu_system);
        Ok(report)
    })
    .await
}

fn looked_for(body: &InspectBody) -> Result<InspectRequest, Problem> {
    let most_stops = body.stops.unwrap_or(20);
    if !(1..=MOST_STOPS).contains(&most_stops) {
        return Err(Problem::invalid(format!("stops is {most_stops}, it must be 1 to {MOST_STOPS}")));
    }
    for (name, count) in [("breakpoints", body.breakpoints.len()), ("print", body.print.len())] {
        if count > MOST_PLACES {
            let detail = format!("{name} holds {count}, it must hold {MOST_PLACES} at the most");
            return Err(Problem::invalid(detail));
        }
    }
    for (at, point) in body.breakpoints.iter().enumerate() {
        let right = match (&point.function, &point.file, point.line) {
            (Some(function), None, None) => !function.trim().is_empty(),
            (None, _, Some(line)) => line > 0,
            _ => false,
        };
        if !right {
            return Err(Problem::invalid(format!("breakpoints.{at} names no place, or two"))
                .hint("give a line from 1, with its file where there are several, or a function"));
        }
    }
    Ok(InspectRequest {
        breakpoints: body.breakpoints.clone(),
        every_exception: body.every_exception,
        print: body.print.clone(),
        most_stops,
        adapter: body.adapter.clone(),
    })
}
