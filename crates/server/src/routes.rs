//! Every address on one page. The router and the description are both made from this table, so neither knows of something
//! that the other does not.

use crate::access::{Needs, authorize, everywhere};
use crate::app::App;
use crate::handlers::{about, agent, jobs, operations, perform, reviews, sessions, socket};
use crate::jobs::{JobBody, JobStatus};
use crate::problem::Problem;
use crate::{description, page};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{MethodRouter, delete, get, post, put};
use formicary_model::review::{ProjectHistory, ProjectList, RuleInfo};
use formicary_model::{
    CellRequest, CellResult, ExecutionRequest, FileList, Interrupted, SessionInfo, SessionList,
    SessionRequest,
};
use formicary_platform::agent::{RunList, RunView};
use formicary_platform::keys::Scope;
use formicary_platform::registry;
use formicary_platform::use_case::{Route as Routed, Row};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::any::Any;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

/// Makes a schema with a generator.
pub type MakeSchema = fn(&mut SchemaGenerator) -> Schema;

/// What a route takes.
#[derive(Clone, Copy)]
pub enum Takes {
    /// No body.
    Nothing,
    /// JSON of this shape.
    Json(MakeSchema),
    /// Bytes.
    Bytes,
}

/// What a route gives when all is well.
#[derive(Clone, Copy)]
pub enum Gives {
    /// JSON of this shape.
    Json(u16, MakeSchema),
    /// Nothing but a status.
    Empty,
    /// Something of another media type.
    Other(u16, &'static str),
}

/// A parameter of a query or a header.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// `query` or `header`.
    pub place: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its schema.
    pub schema: MakeSchema,
}

/// One address and what it does.
pub struct Route {
    /// The method, in lower case.
    pub method: &'static str,
    /// The path, with names in braces.
    pub path: &'static str,
    /// The family that it belongs to.
    pub family: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// What a caller must have.
    pub needs: Needs,
    /// The body.
    pub takes: Takes,
    /// The answer.
    pub gives: Gives,
    /// Whether events are given to whoever accepts `text/event-stream`.
    pub streams: bool,
    /// Further parameters.
    pub parameters: &'static [Parameter],
    handler: MethodRouter<App>,
}

impl Route {
    fn new(
        method: &'static str,
        path: &'static str,
        about: &'static str,
        handler: MethodRouter<App>,
    ) -> Self {
        Self {
            method,
            path,
            family: "",
            about,
            needs: Needs::Key,
            takes: Takes::Nothing,
            gives: Gives::Empty,
            streams: false,
            parameters: &[],
            handler,
        }
    }

    fn open(mut self) -> Self {
        self.needs = Needs::Nothing;
        self
    }

    fn scope(mut self, scope: Scope) -> Self {
        self.needs = Needs::Scope(scope);
        self
    }

    fn takes<T: JsonSchema>(mut self) -> Self {
        self.takes = Takes::Json(SchemaGenerator::subschema_for::<T>);
        self
    }

    fn takes_bytes(mut self) -> Self {
        self.takes = Takes::Bytes;
        self
    }

    fn gives<T: JsonSchema>(mut self, status: u16) -> Self {
        self.gives = Gives::Json(status, SchemaGenerator::subschema_for::<T>);
        self
    }

    fn gives_any(self) -> Self {
        self.gives::<serde_json::Map<String, serde_json::Value>>(200)
    }

    fn gives_other(mut self, status: u16, kind: &'static str) -> Self {
        self.gives = Gives::Other(status, kind);
        self
    }

    fn streams(mut self) -> Self {
        self.streams = true;
        self
    }

    fn with(mut self, parameters: &'static [Parameter]) -> Self {
        self.parameters = parameters;
        self
    }
}

const PAGE: &[Parameter] = &[
    Parameter {
        name: "limit",
        place: "query",
        about: "Jobs of a page, 1 to 200; 50 when absent.",
        schema: page_size,
    },
    Parameter {
        name: "cursor",
        place: "query",
        about: "What `next` of the page before said.",
        schema: SchemaGenerator::subschema_for::<String>,
    },
    Parameter {
        name: "status",
        place: "query",
        about: "Only jobs that stand so.",
        schema: SchemaGenerator::subschema_for::<JobStatus>,
    },
];

const AUDIT: &[Parameter] = &[
    audit_parameter("from", "Not before this: `2026-11-16`, `2026-11-16T09:30:00Z`, or how long ago: `36h`."),
    audit_parameter("to", "Before this."),
    audit_parameter("language", "Of this language."),
    audit_parameter("status", "With this status, kind of failure, or kind of record."),
    audit_parameter("caller", "Of callers of this name."),
    audit_parameter("text", "With this in their text."),
    Parameter {
        name: "limit",
        place: "query",
        about: "Records of a page, 1 to 500; 50 when absent.",
        schema: record_page_size,
    },
    audit_parameter("cursor", "What `next` of the page before said."),
];

const fn audit_parameter(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, place: "query", about, schema: SchemaGenerator::subschema_for::<String> }
}

fn record_page_size(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "integer", "minimum": 1, "maximum": 500 })
}

const ONCE: &[Parameter] = &[Parameter {
    name: "Idempotency-Key",
    place: "header",
    about: "The same key and body again give the same job.",
    schema: once_key,
}];

const RESUME: &[Parameter] = &[Parameter {
    name: "Last-Event-ID",
    place: "header",
    about: "The number of the last event that was seen.",
    schema: SchemaGenerator::subschema_for::<u32>,
}];

fn page_size(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "integer", "minimum": 1, "maximum": 200 })
}

fn once_key(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" })
}

/// Every address.
pub fn table() -> Vec<Route> {
    use Scope::{Admin, Agent, Execute, Review};
    let route = Route::new;
    let mut all = family(
        "About",
        [
            route("get", "/v1/health", "Whether the server lives.", get(about::health))
                .open()
                .gives::<about::Health>(200),
            route("get", "/v1/ready", "Whether it takes work.", get(about::ready))
                .open()
                .gives::<about::Health>(200),
            route("get", "/v1/version", "Which Formicary this is.", get(about::version))
                .gives::<about::Version>(200),
            route(
                "get",
                "/v1/languages",
                "The languages, and whether they can run here.",
                get(about::languages),
            )
            .gives::<Vec<serde_json::Map<String, serde_json::Value>>>(200),
            route(
                "get",
                "/v1/doctor",
                "What this host offers, what is missing, and how to get it.",
                get(about::doctor),
            )
            .gives_any(),
            route("get", "/v1/rules", "The rules of a review.", get(reviews::rules))
                .gives::<Vec<RuleInfo>>(200),
            route("get", "/openapi.json", "This description.", get(about::description)).open().gives_any(),
            route("get", "/docs", "This description for people.", get(description::docs))
                .open()
                .gives_other(200, "text/html"),
        ],
    );
    all.extend(family("Execution", [
        route("get", "/v1/execute/ws", "Runs code over a WebSocket. The first message is the request; then `{\"stdin\": \"…\"}`, `{\"close_stdin\": true}`, `{\"interrupt\": true}`, which the program hears as Ctrl-C; the server sends `{\"event\": …, \"data\": …}`.", get(socket::socket)).scope(Execute).gives_other(101, "application/json"),
    ]));
    all.extend(family(
        "Jobs",
        [
            route("post", "/v1/jobs", "Runs code that nobody waits for.", post(jobs::create))
                .scope(Execute)
                .takes::<ExecutionRequest>()
                .gives::<JobBody>(202)
                .with(ONCE),
            route("get", "/v1/jobs", "The caller's jobs, the latest first.", get(jobs::list))
                .scope(Execute)
                .gives::<jobs::JobPage>(200)
                .with(PAGE),
            route("get", "/v1/jobs/{id}", "One job, with its result.", get(jobs::show))
                .scope(Execute)
                .gives::<JobBody>(200),
            route("delete", "/v1/jobs/{id}", "Calls a job off and forgets it.", delete(jobs::remove))
                .scope(Execute),
            route("get", "/v1/jobs/{id}/events", "What a job tells, from any event on.", get(jobs::events))
                .scope(Execute)
                .gives_other(200, "text/event-stream")
                .with(RESUME),
            route("get", "/v1/jobs/{id}/timeline", "What a job used over time.", get(jobs::timeline))
                .scope(Execute)
                .gives_any(),
            route(
                "get",
                "/v1/runs",
                "Runs under way and the last ones: the caller's, or everybody's for admins.",
                get(operations::runs),
            )
            .scope(Execute)
            .gives_any(),
            route("get", "/v1/runs/{id}/timeline", "What a run used over time.", get(operations::timeline))
                .scope(Execute)
                .gives_any(),
            route("delete", "/v1/runs/{id}", "Ends a run that is under way.", delete(operations::end))
                .scope(Execute),
        ],
    ));
    all.extend(family(
        "Sessions",
        [
            route("post", "/v1/sessions", "Makes a session.", post(sessions::create))
                .scope(Execute)
                .takes::<SessionRequest>()
                .gives::<SessionInfo>(201),
            route("get", "/v1/sessions", "The caller's sessions.", get(sessions::list))
                .scope(Execute)
                .gives::<SessionList>(200),
            route("get", "/v1/sessions/{id}", "One session.", get(sessions::show))
                .scope(Execute)
                .gives::<SessionInfo>(200),
            route(
                "delete",
                "/v1/sessions/{id}",
                "Ends a session; its files are gone with it.",
                delete(sessions::close),
            )
            .scope(Execute),
            route("post", "/v1/sessions/{id}/cells", "Runs a cell.", post(sessions::run))
                .scope(Execute)
                .takes::<CellRequest>()
                .gives::<CellResult>(200)
                .streams(),
            route("get", "/v1/sessions/{id}/ws", "Runs cells over a WebSocket, one after the other. Each is a message; `{\"interrupt\": true}` interrupts the one that runs, and state is kept; the server sends `{\"event\": …, \"data\": …}`.", get(socket::session))
                .scope(Execute)
                .gives_other(101, "application/json"),
            route(
                "post",
                "/v1/sessions/{id}/interrupt",
                "Interrupts the cell that runs; state is kept.",
                post(sessions::interrupt),
            )
            .scope(Execute)
            .gives::<Interrupted>(200),
            route(
                "post",
                "/v1/sessions/{id}/reset",
                "Starts the interpreter anew; files are kept.",
                post(sessions::reset),
            )
            .scope(Execute),
            route("get", "/v1/sessions/{id}/files", "The files of a session.", get(sessions::files))
                .scope(Execute)
                .gives::<FileList>(200),
            route("put", "/v1/sessions/{id}/files/{*path}", "Writes a file.", put(sessions::put))
                .scope(Execute)
                .takes_bytes(),
            route("get", "/v1/sessions/{id}/files/{*path}", "Reads a file.", get(sessions::get))
                .scope(Execute)
                .gives_other(200, "application/octet-stream"),
            route("delete", "/v1/sessions/{id}/files/{*path}", "Removes a file.", delete(sessions::remove))
                .scope(Execute),
        ],
    ));
    all.extend(family(
        "Review",
        [
            route("get", "/v1/projects", "Projects that were reviewed by name.", get(reviews::projects))
                .scope(Review)
                .gives::<ProjectList>(200),
            route(
                "get",
                "/v1/projects/{name}",
                "How a project's score went, and what was found last.",
                get(reviews::project),
            )
            .scope(Review)
            .gives::<ProjectHistory>(200),
        ],
    ));
    all.extend(family(
        "Agent",
        [
            route(
                "get",
                "/v1/agent/runs",
                "The agent's runs, the latest first; for admins.",
                get(agent::list),
            )
            .scope(Agent)
            .gives::<RunList>(200),
            route(
                "get",
                "/v1/agent/runs/{id}",
                "A run of the agent, with its transcript; for admins.",
                get(agent::show),
            )
            .scope(Agent)
            .gives::<RunView>(200),
        ],
    ));
    all.extend(family(
        "Operation",
        [
            route("get", "/v1/audit", "Records of the audit log, the latest first.", get(operations::audit))
                .scope(Admin)
                .gives_any()
                .with(AUDIT),
            route("get", "/v1/audit/verify", "Whether the audit log is whole.", get(operations::verify))
                .scope(Admin)
                .gives_any(),
            route("get", "/v1/metrics", "Counts and percentiles.", get(operations::metrics))
                .scope(Admin)
                .gives_any(),
            route("get", "/metrics", "The same for Prometheus.", get(operations::prometheus))
                .scope(Admin)
                .gives_other(200, "text/plain"),
        ],
    ));
    all.extend(registry::ALL.iter().filter(|row| row.route == Routed::Post).map(performed));
    all
}

/// The route of a use case.
fn performed(row: &'static Row) -> Route {
    let family = match row.scope {
        Some(Scope::Execute) if row.name.starts_with("tests.") => "Tests",
        Some(Scope::Execute) => "Execution",
        Some(Scope::Review) => "Review",
        Some(Scope::Debug) => "Debugging",
        Some(Scope::Agent) => "Agent",
        Some(Scope::Admin) => "Operation",
        None => "About",
    };
    Route {
        method: "post",
        path: row.path,
        family,
        about: row.about,
        needs: row.scope.map_or(Needs::Key, Needs::Scope),
        takes: Takes::Json(row.input),
        gives: Gives::Json(200, row.output),
        streams: true,
        parameters: &[],
        handler: perform::handler(row),
    }
}

fn family<const N: usize>(name: &'static str, mut routes: [Route; N]) -> Vec<Route> {
    routes.iter_mut().for_each(|route| route.family = name);
    Vec::from(routes)
}

/// The whole server as a service.
pub fn router(app: App) -> Router {
    let mut router = Router::new();
    for route in table() {
        let guard = from_fn_with_state((app.clone(), route.needs), authorize);
        router = router.route(route.path, route.handler.route_layer(guard));
    }
    router
        .method_not_allowed_fallback(async || {
            let detail = "this address does not know the method";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
                .hint("the header Allow lists what it knows")
        })
        .fallback(page::files)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), everywhere))
        .layer(from_fn(page::policy))
        .layer(CompressionLayer::new())
        .with_state(app)
}

fn panicked(_: Box<dyn Any + Send>) -> axum::response::Response {
    use axum::response::IntoResponse as _;
    let detail = "a fault of Formicary ended the request";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail).into_response()
}
