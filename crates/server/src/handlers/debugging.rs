//! Why a program fails, and mending it by its tests.

use crate::app::App;
use crate::body::Json;
use crate::problem::Problem;
use crate::tenant::Tenant;
use crate::{confine, stream};
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use formicary_model::{Diagnosis, ExecutionRequest, ExecutionResult, LimitOverrides, Source, SourceFile};
use formicary_platform::debugging::{FixOptions, Step};
use formicary_platform::uploads::{UploadLimits, UploadedFile, Uploads, checked_path};
use formicary_platform::{Live, Said, SourceText};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::PathBuf;

/// A program to run and read, or what one said elsewhere.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiagnoseBody {
    /// The program's files; also what `text` tells of.
    #[serde(default)]
    pub files: Vec<UploadedFile>,
    /// The program, where it is one file.
    #[serde(default)]
    pub code: Option<String>,
    /// What a program said elsewhere: then nothing is run.
    #[serde(default)]
    pub text: Option<String>,
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
}

/// What went wrong.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiagnoseAnswer {
    /// What went wrong; no errors where nothing did.
    pub diagnosis: Diagnosis,
    /// The run, where there was one.
    pub result: Option<ExecutionResult>,
}

/// A program to mend, and how it is tested.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixBody {
    /// The program's files, its tests among them.
    pub files: Vec<UploadedFile>,
    /// The file that may be changed; all that are no tests where absent.
    #[serde(default)]
    pub target: Option<String>,
    /// The test command, as in `python3 -m pytest test_gcd.py`.
    #[serde(default)]
    pub test: Option<String>,
    /// The file of tests, or of JSON cases.
    #[serde(default)]
    pub tests: Option<String>,
    /// The file with the expected output.
    #[serde(default)]
    pub expect: Option<String>,
    /// The file with the input that goes with it.
    #[serde(default)]
    pub stdin: Option<String>,
    /// Seconds in all, 600 at the most.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Candidates at the most.
    #[serde(default)]
    pub candidates: Option<u32>,
}

/// `POST /v1/diagnose`
pub async fn diagnose(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Json(body): Json<DiagnoseBody>,
) -> Result<Response, Problem> {
    if let Some(text) = &body.text {
        let (said, language) = (Said::of(text.as_bytes()), body.language.clone());
        let sources = sources(&body.files)?;
        return stream::answer(&app, &tenant, &headers, move |platform, _| {
            let diagnosis = platform.diagnose_text(&said, language.as_deref(), &sources)?;
            Ok(DiagnoseAnswer { diagnosis, result: None })
        })
        .await;
    }
    let mut request = request(&app, body)?;
    confine::request(&app, &tenant, &mut request)?;
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        let live = Live { observer: watcher, cancel: watcher.cancel.clone(), ..Live::default() };
        let diagnosed = platform.diagnose_as(&watcher.caller, request, live)?;
        Ok(DiagnoseAnswer { diagnosis: diagnosed.diagnosis, result: Some(diagnosed.result) })
    })
    .await
}

fn sources(files: &[UploadedFile]) -> Result<Vec<SourceText>, Problem> {
    let text = |file: &UploadedFile| {
        let path = checked_path(&file.path)?;
        Ok(SourceText { path, text: String::from_utf8_lossy(&file.bytes()?).into_owned() })
    };
    files.iter().map(text).collect()
}

/// Files that came along, as requests have them.
pub(super) fn source_files(files: &[UploadedFile]) -> Result<Vec<SourceFile>, Problem> {
    let file = |file: &UploadedFile| {
        Ok(SourceFile { path: checked_path(&file.path)?, content: file.bytes()?, executable: false })
    };
    files.iter().map(file).collect()
}

/// The program of a body: its code or its files. Nothing where there is neither or both.
pub(super) fn source(
    code: Option<String>,
    files: &[UploadedFile],
    entry: Option<String>,
) -> Option<Result<Source, Problem>> {
    match (code, files.is_empty()) {
        (Some(code), true) => Some(Ok(Source::code(code))),
        (None, false) => Some(source_files(files).map(|files| Source::Files { files, entry })),
        _ => None,
    }
}

fn request(app: &App, body: DiagnoseBody) -> Result<ExecutionRequest, Problem> {
    let source = source(body.code, &body.files, body.entry).ok_or_else(|| {
        Problem::invalid("what to diagnose is not said, or said twice")
            .hint("give one of code, files and text")
    })??;
    Ok(ExecutionRequest {
        source,
        language: body.language,
        args: body.args,
        stdin: body.stdin.unwrap_or_default().into_bytes(),
        limits: body.limits,
        ..app.platform.new_request()
    })
}

/// `POST /v1/fix`
pub async fn fix(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    headers: HeaderMap,
    Json(body): Json<FixBody>,
) -> Result<Response, Problem> {
    let seconds = body.seconds.unwrap_or(60.0);
    if !(1.0..=600.0).contains(&seconds) {
        return Err(Problem::invalid(format!("seconds is {seconds}, it must be 1 to 600")));
    }
    let path = |name: &Option<String>| -> Result<Option<PathBuf>, Problem> {
        Ok(name.as_deref().map(checked_path).transpose()?.map(Into::into))
    };
    let (tests, expect, stdin) = (path(&body.tests)?, path(&body.expect)?, path(&body.stdin)?);
    let target = path(&body.target)?.unwrap_or_else(|| ".".into());
    let mut base = app.platform.new_request();
    confine::request(&app, &tenant, &mut base)?;
    stream::answer(&app, &tenant, &headers, move |platform, watcher| {
        let uploads = Uploads::write(&body.files, UploadLimits::default())?;
        let options = FixOptions {
            working_folder: uploads.folder().to_owned(),
            target,
            test: body.test,
            tests,
            expect,
            stdin,
            most_candidates: body.candidates.map_or(2_000, |most| most as usize),
            seconds,
            write: false,
            install: false,
            model: None,
            base,
        };
        let done = platform.mend_as(&watcher.caller, &options, &watcher.cancel, &|step| {
            if let Some(feed) = &watcher.feed {
                feed.push("step", &told(&step));
            }
        })?;
        // Candidates are judged by many short runs, whose CPU time nobody adds up: the time is charged.
        watcher.charge(done.report.seconds);
        Ok(done.report)
    })
    .await
}

fn told(step: &Step) -> serde_json::Value {
    match step {
        Step::Testing => json!({ "step": "testing" }),
        Step::Localising => json!({ "step": "localising" }),
        Step::Searching(judged, passed) => {
            json!({ "step": "searching", "candidates": judged, "passed": passed })
        }
        Step::Verifying(patch) => json!({ "step": "verifying", "patch": patch }),
        Step::Asking(model, round) => json!({ "step": "asking", "model": model, "round": round }),
        Step::Installing(package) => json!({ "step": "installing", "package": package }),
    }
}
