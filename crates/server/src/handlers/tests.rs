//! Tests that come along with their project: run, written, judged by mutants.

use super::debugging::source_files;
use crate::app::App;
use crate::body::Json;
use crate::problem::Problem;
use crate::tenant::Tenant;
use crate::{confine, stream};
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use formicary_model::{ExecutionRequest, LimitOverrides, PackageRequest};
use formicary_platform::Live;
use formicary_platform::testing::{GenerationWanted, MutationWanted, Style, TestOptions, TestTarget, Wanted};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// The longest that the sandbox lets one run of tests go on.
const MOST_SECONDS: f64 = 300.0;
/// The longest search for tests or mutants: their sandboxes need time besides.
const MOST_SEARCH: f64 = 160.0;
/// The longest that all files of one request may take, one after the other.
const MOST_SECONDS_IN_ALL: f64 = 3_600.0;
/// Sandboxes, or mutants, at a time: others want to work too.
const WORKERS: usize = 2;
/// Mutants of one file at the most.
const MOST_MUTANTS: usize = 5_000;

/// Which tests to run, and how.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunBody {
    /// The project's files, its tests among them.
    pub files: Vec<UploadedFile>,
    /// `pytest`, `unittest`, `node`, `jest`, `vitest`, `go`, `cargo`, `junit` or `ctest`; recognised where absent.
    #[serde(default)]
    pub framework: Option<String>,
    /// Files, packages or tests, as the framework names them; all where there are none.
    #[serde(default)]
    pub only: Vec<String>,
    /// Only tests whose names hold this.
    #[serde(default)]
    pub filter: Option<String>,
    /// More arguments for the framework.
    #[serde(default)]
    pub args: Vec<String>,
    /// Whether to tell which lines were reached.
    #[serde(default)]
    pub coverage: bool,
    /// Seconds that one test may take.
    #[serde(default)]
    pub test_seconds: Option<f64>,
    /// Seconds for all of them, 1 to 300; 280 when absent.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Python packages that the tests need, such as `pytest`.
    #[serde(default)]
    pub packages: PackageRequest,
    /// Limits that differ from those of tests.
    #[serde(default)]
    pub limits: LimitOverrides,
}

/// For what to write tests, and how.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GenerateBody {
    /// The project's files.
    pub files: Vec<UploadedFile>,
    /// The Python files that want tests; all that are no tests where there are none.
    #[serde(default)]
    pub only: Vec<String>,
    /// Only these functions, classes or `Class.method`s.
    #[serde(default)]
    pub functions: Vec<String>,
    /// The form of the tests.
    #[serde(default)]
    pub style: StyleBody,
    /// Seconds for each file, 1 to 160; 15 when absent.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Python packages that the project needs.
    #[serde(default)]
    pub packages: PackageRequest,
    /// Limits that differ from those of tests.
    #[serde(default)]
    pub limits: LimitOverrides,
}

/// The form of written tests.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StyleBody {
    /// Functions with plain assertions.
    #[default]
    Pytest,
    /// Methods of a class of unittest.
    Unittest,
}

/// Which tests to judge, and by which mutants.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutateBody {
    /// The project's files, its tests among them.
    pub files: Vec<UploadedFile>,
    /// The Python files that are changed; all that are no tests where there are none.
    #[serde(default)]
    pub only: Vec<String>,
    /// Only changes in these functions, classes or `Class.method`s; in all where there are none.
    #[serde(default)]
    pub functions: Vec<String>,
    /// The files of tests that judge; all where there are none.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Only tests whose names hold this.
    #[serde(default)]
    pub filter: Option<String>,
    /// `pytest` or `unittest`; recognised where absent.
    #[serde(default)]
    pub framework: Option<String>,
    /// Seconds in all, 1 to 160; 120 when absent.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Mutants of one file at the most, spread over it; 400 when absent.
    #[serde(default)]
    pub most: Option<usize>,
    /// Python packages that the tests need, such as `pytest`.
    #[serde(default)]
    pub packages: PackageRequest,
    /// Limits that differ from those of tests.
    #[serde(default)]
    pub limits: LimitOverrides,
}

/// `POST /v1/tests/run`
pub async fn run(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Json(body): Json<RunBody>,
) -> Result<Response, Problem> {
    let seconds = within("seconds", body.seconds.unwrap_or(280.0), 1.0, MOST_SECONDS)?;
    let each = |seconds| within("test_seconds", seconds, 0.01, MOST_SECONDS);
    let wanted = Wanted {
        framework: body.framework,
        select: body.only,
        filter: body.filter,
        arguments: body.args,
        coverage: body.coverage,
        test_seconds: body.test_seconds.map(each).transpose()?,
        seconds: Some(seconds),
    };
    let base = base(&app, &tenant, body.packages, body.limits)?;
    let options = options(&body.files, wanted, base)?;
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        let live = Live { observer: watcher, cancel: watcher.cancel.clone(), ..Live::default() };
        platform.run_tests_as(&watcher.caller, &options, &live)
    })
    .await
}

/// `POST /v1/tests/generate`
pub async fn generate(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Json(body): Json<GenerateBody>,
) -> Result<Response, Problem> {
    let seconds = within("seconds", body.seconds.unwrap_or(15.0), 1.0, MOST_SEARCH)?;
    let all = || body.files.iter().filter(|file| file.path.ends_with(".py")).count();
    let count = if body.only.is_empty() { all() } else { body.only.len() };
    let in_all = seconds * count as f64;
    if in_all > MOST_SECONDS_IN_ALL {
        let detail = format!("{count} files at {seconds} seconds are more than {MOST_SECONDS_IN_ALL} in all");
        return Err(Problem::invalid(detail).hint("name fewer files in only, or give each fewer seconds"));
    }
    let wanted = GenerationWanted {
        files: body.only,
        functions: body.functions,
        seconds,
        style: match body.style {
            StyleBody::Pytest => Style::Pytest,
            StyleBody::Unittest => Style::Unittest,
        },
        workers: WORKERS,
    };
    let base = base(&app, &tenant, body.packages, body.limits)?;
    let options = options(&body.files, Wanted::default(), base)?;
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        let quiet = watcher.quiet();
        let live = Live { observer: &quiet, cancel: watcher.cancel.clone(), ..Live::default() };
        platform.generate_tests_as(&watcher.caller, &options, &wanted, &live)
    })
    .await
}

/// `POST /v1/tests/mutate`
pub async fn mutate(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Json(body): Json<MutateBody>,
) -> Result<Response, Problem> {
    let seconds = within("seconds", body.seconds.unwrap_or(120.0), 1.0, MOST_SEARCH)?;
    let most = body.most.unwrap_or(400);
    if !(1..=MOST_MUTANTS).contains(&most) {
        return Err(Problem::invalid(format!("most is {most}, it must be 1 to {MOST_MUTANTS}")));
    }
    let wanted = MutationWanted {
        files: body.only,
        functions: body.functions,
        tests: body.tests,
        filter: body.filter,
        framework: body.framework,
        seconds,
        most,
        workers: WORKERS,
    };
    let base = base(&app, &tenant, body.packages, body.limits)?;
    let options = options(&body.files, Wanted::default(), base)?;
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        let quiet = watcher.quiet();
        let live = Live { observer: &quiet, cancel: watcher.cancel.clone(), ..Live::default() };
        platform.mutate_as(&watcher.caller, &options, &wanted, &live)
    })
    .await
}

/// What all runs of a request start from, within the bounds of its caller.
fn base(
    app: &App,
    tenant: &Tenant,
    packages: PackageRequest,
    limits: LimitOverrides,
) -> Result<ExecutionRequest, Problem> {
    let mut base = ExecutionRequest { packages, limits, ..app.platform.new_request() };
    confine::request(app, tenant, &mut base)?;
    confine::for_tests(app, tenant, &mut base.limits);
    Ok(base)
}

fn options(files: &[UploadedFile], wanted: Wanted, base: ExecutionRequest) -> Result<TestOptions, Problem> {
    let target = TestTarget::Files(source_files(files)?);
    // Files that came along have no folder.
    Ok(TestOptions { working_folder: PathBuf::new(), target, wanted, base })
}

fn within(name: &str, asked: f64, least: f64, most: f64) -> Result<f64, Problem> {
    if (least..=most).contains(&asked) {
        return Ok(asked);
    }
    Err(Problem::invalid(format!("{name} is {asked}, it must be {least} to {most}")))
}
