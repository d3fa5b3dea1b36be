//! Code by its shape: searched, rewritten, compared, refactored. The files come along, and what changed goes back.

use crate::app::App;
use crate::body::Json;
use crate::problem::Problem;
use crate::tenant::Tenant;
use axum::Extension;
use axum::Json as Answer;
use axum::extract::State;
use formicary_model::clones::{CloneReport, CloneType};
use formicary_model::patterns::{RefactorReport, RewriteReport, SearchReport};
use formicary_model::refactorings::RefactoringReport;
use formicary_model::{Failure, FailureKind};
use formicary_platform::patterns::clones::CloneRequest;
use formicary_platform::patterns::refactorings::RefactoringRequest;
use formicary_platform::patterns::{
    Chosen, RefactorOptions, Refactoring, RewriteOptions, SearchOptions, Sought,
};
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::uploads::{UploadLimits, UploadedFile, Uploads, checked_path};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchBody {
    /// The files.
    pub files: Vec<UploadedFile>,
    /// Code with metavariables, as in `print($X)`.
    #[serde(default)]
    pub pattern: Option<String>,
    /// In the place of a pattern: shipped rules, kinds of them, `all`, or YAML files that come along.
    #[serde(default)]
    pub rules: Vec<String>,
    /// The language; every one in which the pattern can be read, if none is named.
    #[serde(default)]
    pub language: Option<String>,
    /// Whether the nearest miss is wanted where nothing matches.
    #[serde(default)]
    pub explain: bool,
}

/// What to rewrite.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RewriteBody {
    /// The files.
    pub files: Vec<UploadedFile>,
    /// Code with metavariables.
    #[serde(default)]
    pub pattern: Option<String>,
    /// In the place of a pattern: rules, each with its fix.
    #[serde(default)]
    pub rules: Vec<String>,
    /// What takes the pattern's place.
    #[serde(default)]
    pub to: Option<String>,
    /// The language.
    #[serde(default)]
    pub language: Option<String>,
}

/// A rewrite, and the files that it changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RewriteAnswer {
    /// What changes, as diffs.
    pub report: RewriteReport,
    /// The files that changed, as they are now.
    pub files: Vec<UploadedFile>,
}

/// Which copies to look for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClonesBody {
    /// The files.
    pub files: Vec<UploadedFile>,
    /// Which kinds; empty for all.
    #[serde(default)]
    pub types: Vec<CloneType>,
    /// The fewest lines of a copy.
    #[serde(default)]
    pub lines: Option<u32>,
    /// The fewest tokens of a copy.
    #[serde(default)]
    pub tokens: Option<u32>,
    /// The least likeness, from 0 to 1.
    #[serde(default)]
    pub similarity: Option<f32>,
    /// Whether files with tests are left out.
    #[serde(default)]
    pub without_tests: bool,
}

/// Two versions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefactoringsBody {
    /// The files before.
    pub before: Vec<UploadedFile>,
    /// The files after.
    pub after: Vec<UploadedFile>,
}

/// What to refactor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefactorBody {
    /// The files.
    pub files: Vec<UploadedFile>,
    /// What is done.
    pub refactoring: RefactoringBody,
}

/// One refactoring. Lines and columns count from one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum RefactoringBody {
    /// The name at a place gets another name.
    Rename {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// The new name.
        to: String,
    },
    /// An expression gets a name.
    ExtractVariable {
        /// The file.
        file: String,
        /// The line of its first character.
        line: u32,
        /// The column of its first character.
        column: u32,
        /// The line after its last character.
        end_line: u32,
        /// The column after its last character.
        end_column: u32,
        /// The name.
        name: String,
    },
    /// Statements become a function.
    ExtractFunction {
        /// The file.
        file: String,
        /// The first line.
        first: u32,
        /// The last line.
        last: u32,
        /// The name.
        name: String,
    },
    /// A variable becomes what it stands for.
    Inline {
        /// The file.
        file: String,
        /// The line of the variable.
        line: u32,
        /// Its column.
        column: u32,
    },
}

/// A refactoring, and the files that it changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RefactorAnswer {
    /// What was done, as diffs.
    pub report: RefactorReport,
    /// The files that changed, as they are now.
    pub files: Vec<UploadedFile>,
}

/// `POST /v1/search`
pub async fn search(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<SearchBody>,
) -> Result<Answer<SearchReport>, Problem> {
    let sought = sought(body.pattern, body.rules)?;
    let report = app.work(&tenant, move |platform, watcher| {
        let uploads = Uploads::write(&body.files, UploadLimits::default())?;
        let options = SearchOptions {
            working_folder: uploads.folder().to_owned(),
            paths: Vec::new(),
            language: body.language,
            sought,
            explain: body.explain,
        };
        let cancelled = || watcher.cancel.is_cancelled();
        platform.search(&options, Watch { progress: &|_, _, _| (), cancelled: &cancelled })
    });
    report.await.map(Answer)
}

/// `POST /v1/rewrite`
pub async fn rewrite(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<RewriteBody>,
) -> Result<Answer<RewriteAnswer>, Problem> {
    let sought = sought(body.pattern, body.rules)?;
    let answer = app.work(&tenant, move |platform, watcher| {
        let uploads = Uploads::write(&body.files, UploadLimits::default())?;
        let options = RewriteOptions {
            working_folder: uploads.folder().to_owned(),
            paths: Vec::new(),
            language: body.language,
            sought,
            template: body.to,
            write: true,
        };
        let cancelled = || watcher.cancel.is_cancelled();
        let watch = Watch { progress: &|_, _, _| (), cancelled: &cancelled };
        let mut report = platform.rewrite(&options, watch, &mut |_| Chosen::All)?;
        let files = changed(&uploads, report.changes.iter().map(|change| change.file.as_str()));
        // What was written is gone in a moment; the caller has the files.
        (report.written, report.undo) = (false, None);
        Ok(RewriteAnswer { report, files })
    });
    answer.await.map(Answer)
}

/// `POST /v1/clones`
pub async fn clones(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<ClonesBody>,
) -> Result<Answer<CloneReport>, Problem> {
    if body.similarity.is_some_and(|likeness| !(0.0..=1.0).contains(&likeness)) {
        return Err(Problem::invalid("similarity must be from 0 to 1"));
    }
    let report = app.work(&tenant, move |platform, watcher| {
        let uploads = Uploads::write(&body.files, UploadLimits::default())?;
        let request = CloneRequest {
            working_folder: uploads.folder().to_owned(),
            types: body.types,
            lines: body.lines,
            tokens: body.tokens.map(|tokens| tokens as usize),
            similarity: body.similarity,
            without_tests: body.without_tests,
            ..CloneRequest::default()
        };
        let cancelled = || watcher.cancel.is_cancelled();
        let watch = Watch { progress: &|_, _, _| (), cancelled: &cancelled };
        platform.clones(&request, watch).map_err(|failure| without_place(failure, &uploads))
    });
    report.await.map(Answer)
}

/// `POST /v1/refactorings`
pub async fn refactorings(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<RefactoringsBody>,
) -> Result<Answer<RefactoringReport>, Problem> {
    let report = app.work(&tenant, move |platform, watcher| {
        let uploads = Uploads::write_versions(&body.before, &body.after, UploadLimits::default())?;
        let request = RefactoringRequest {
            working_folder: uploads.folder().to_owned(),
            before: "before".into(),
            after: Some("after".into()),
        };
        let cancelled = || watcher.cancel.is_cancelled();
        platform.refactorings(&request, Watch { progress: &|_, _, _| (), cancelled: &cancelled })
    });
    report.await.map(Answer)
}

/// `POST /v1/refactor`
pub async fn refactor(
    State(app): State<App>,
    Extension(tenant): Extension<Tenant>,
    Json(body): Json<RefactorBody>,
) -> Result<Answer<RefactorAnswer>, Problem> {
    let refactoring = refactoring(body.refactoring)?;
    let answer = app.work(&tenant, move |platform, watcher| {
        let uploads = Uploads::write(&body.files, UploadLimits::default())?;
        let working_folder = uploads.folder().to_owned();
        let options = RefactorOptions { working_folder, refactoring, write: true, verify: Vec::new() };
        let cancelled = || watcher.cancel.is_cancelled();
        let watch = Watch { progress: &|_, _, _| (), cancelled: &cancelled };
        let mut report = platform.refactor(&options, watch)?;
        let files = changed(&uploads, report.changes.iter().map(|change| change.file.as_str()));
        (report.written, report.undo) = (false, None);
        Ok(RefactorAnswer { report, files })
    });
    answer.await.map(Answer)
}

/// Rules are named, or are files that came along: nothing else on this host is read.
fn sought(pattern: Option<String>, rules: Vec<String>) -> Result<Sought, Problem> {
    match (pattern, rules.is_empty()) {
        (Some(pattern), true) => Ok(Sought::Pattern(pattern)),
        (None, false) => {
            let plain = rules.iter().map(|rule| checked_path(rule)).collect::<Result<_, _>>()?;
            Ok(Sought::Rules(plain))
        }
        _ => Err(Problem::invalid("what to look for is not said, or said twice")
            .hint("give either pattern or rules")),
    }
}

fn refactoring(body: RefactoringBody) -> Result<Refactoring, Problem> {
    let path = |file: String| checked_path(&file).map(Into::into).map_err(Problem::from);
    let at = |line: u32, column: u32| (line as usize, column as usize);
    Ok(match body {
        RefactoringBody::Rename { file, line, column, to } => {
            Refactoring::Rename { file: path(file)?, at: at(line, column), to }
        }
        RefactoringBody::ExtractVariable { file, line, column, end_line, end_column, name } => {
            let (from, until) = (at(line, column), at(end_line, end_column));
            Refactoring::ExtractVariable { file: path(file)?, from, until, name }
        }
        RefactoringBody::ExtractFunction { file, first, last, name } => Refactoring::ExtractFunction {
            file: path(file)?,
            first: first as usize,
            last: last as usize,
            name,
        },
        RefactoringBody::Inline { file, line, column } => {
            Refactoring::Inline { file: path(file)?, at: at(line, column) }
        }
    })
}

fn changed<'a>(uploads: &Uploads, files: impl Iterator<Item = &'a str>) -> Vec<UploadedFile> {
    let read = |path: &str| {
        let text = String::from_utf8(uploads.read(path)?).ok()?;
        Some(UploadedFile::text(path, text))
    };
    files.filter_map(read).collect()
}

/// The folder's name means nothing to the caller.
fn without_place(mut failure: Failure, uploads: &Uploads) -> Failure {
    if failure.kind == FailureKind::InvalidInput {
        failure.message = failure.message.replace(&*uploads.folder().to_string_lossy(), "the files");
    }
    failure
}
