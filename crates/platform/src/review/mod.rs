//! Reviews, gates and what is done with them; git and external tools run inside the sandbox.

use crate::facade::Platform;
use crate::keys::Scope;
use crate::shelf::Shelf;
use crate::tenants::LOCAL;
use crate::uploads::{UploadLimits, Uploads};
use crate::use_case::{Context, declare};
use crate::workspace::Workspace;
use formicary_files::Viewpoint;
use formicary_model::review::{
    BaselineInput, FixFindingsInput, FixSafety, FixedFindings, GateReport, ProjectHistory, ProjectList,
    ProjectName, PyscnInput, ReviewInput, ReviewReport, ReviewScope, RuleList, RulesInput, WrittenBaseline,
};
use formicary_model::{Failure, NoInput, SourceFile};
use formicary_review::projects::Projects;
use formicary_review::pyscn::PyscnReport;
use formicary_review::requested::{self, Done, Facts, Host, Named};
use formicary_review::{Baseline, Review, ReviewSettings, check_quality_gates, fix, gate};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

pub use formicary_review::engine::Watch;
pub use formicary_review::report::{Display, Format, counted, generate_report, terminal};
pub use formicary_review::requested::all_rules;

/// Where projects that were reviewed by name are kept.
const PROJECTS: &str = "projects";

declare!(
    /// Reviews code, or what a change made of it. Findings are `Ok`; `Err` means that Formicary failed.
    ReviewCode, "review", Post "/v1/review", "Review code, or a change of it", Some(Scope::Review), Writes,
    ReviewInput => Reviewed, review
);
declare!(
    /// Checks the quality gates.
    CheckGates, "gate", Post "/v1/gate", "Check the quality gates of code, or of a change of it", Some(Scope::Review),
    Writes, ReviewScope => Gated, |platform: &Platform, context: &Context<'_>, scope: ReviewScope| {
        let done = platform.reviewed(context, &scope)?;
        let ReviewReport { gate, change, score, .. } = done.review.report;
        let report = GateReport { gate: gate.unwrap_or_default(), change, score: score.total };
        Ok(Gated { report, viewpoint: done.display.viewpoint })
    }
);
declare!(
    /// Fixes what the rules know how to fix.
    FixFindings, "review.fix", Post "/v1/review/fix", "Fix what a review can fix by itself", Some(Scope::Review), Writes,
    FixFindingsInput => FixedFindings, fix_findings
);
declare!(
    /// Writes the open findings as the project's baseline.
    WriteBaseline, "review.baseline", Post "/v1/review/baseline", "Write the open findings as the known ones",
    Some(Scope::Review), Writes, BaselineInput => WrittenBaseline, write_baseline
);
declare!(
    /// Lists the rules.
    ListRules, "review.rules", Resource "/v1/rules", "List the rules of a review", None, Reads,
    RulesInput => RuleList, |_: &Platform, _: &Context<'_>, input| requested::rules(&input)
);
declare!(
    /// Measures a project's Python code: by pyscn, in the sandbox, where it is installed; by our own analysis where not.
    MeasurePython, "review.pyscn", Post "/v1/review/pyscn", "Measure Python code as pyscn does", Some(Scope::Review), Runs,
    PyscnInput => PyscnReport, |platform: &Platform, context: &Context<'_>, PyscnInput(code): PyscnInput| {
        let workspace = context.workspace(&code)?;
        let host = platform.review_host();
        let measured = context.watched(|watch| requested::measure_python(host, named(&workspace), watch));
        measured.map_err(|failure| workspace.explain(failure))
    }
);
declare!(
    /// Lists the projects that the caller had reviewed by name.
    ListProjects, "projects.list", Resource "/v1/projects", "List the projects that were reviewed by name",
    Some(Scope::Review), Reads, NoInput => ProjectList, |platform: &Platform, context: &Context<'_>, _| {
        Ok(ProjectList { items: platform.projects().list(owner(context)) })
    }
);
declare!(
    /// How a project's score went, and what was found last.
    ShowProject, "projects.show", Resource "/v1/projects/{name}", "Show how a project's score went",
    Some(Scope::Review), Reads, ProjectName => ProjectHistory,
    |platform: &Platform, context: &Context<'_>, input: ProjectName| {
        platform.projects().find(owner(context), &input.name)
    }
);

/// A review with what a front end renders of it. On the wire it is the report, and a text if one is wanted.
#[derive(Debug)]
pub struct Reviewed {
    /// The review.
    pub review: Review,
    /// The settings that it followed.
    pub settings: ReviewSettings,
    /// The project's directory.
    pub root: PathBuf,
    /// What of it is shown.
    pub display: Display,
    /// The report in the format that was wanted.
    pub text: Option<String>,
    workspace: Workspace,
}

/// What the gates say. On the wire it is the report.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Gated {
    /// The report.
    pub report: GateReport,
    /// How its paths are written for who reads them on a terminal.
    #[serde(skip)]
    pub viewpoint: Viewpoint,
}

#[derive(Serialize, JsonSchema)]
struct Wire<'a> {
    #[serde(flatten)]
    report: Cow<'a, ReviewReport>,
    /// The report in the format that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

impl Serialize for Reviewed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Wire { report: self.display.of(&self.review.report), text: self.text.as_deref() }
            .serialize(serializer)
    }
}

impl JsonSchema for Reviewed {
    fn schema_name() -> Cow<'static, str> {
        "ReviewReport".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Wire::json_schema(generator)
    }
}

/// Under whose name projects are kept.
fn owner<'a>(context: &'a Context<'_>) -> &'a str {
    Some(context.caller.tenant()).filter(|tenant| !tenant.is_empty()).unwrap_or(LOCAL)
}

fn review(platform: &Platform, context: &Context<'_>, input: ReviewInput) -> Result<Reviewed, Failure> {
    let mut done = platform.reviewed(context, &input.scope)?;
    done.display = Display {
        categories: input.types,
        severity: input.severity,
        only_new: false,
        most: input.limit,
        viewpoint: done.display.viewpoint,
        fingerprints: input.fingerprints.map(|known| known.into_iter().collect()),
    };
    if let Some(format) = input.format {
        let display = Display { only_new: done.review.report.change.is_some(), ..done.display.clone() };
        done.text = Some(generate_report(&done.review, format, &display, &all_rules()));
    }
    Ok(done)
}

fn fix_findings(
    platform: &Platform,
    context: &Context<'_>,
    input: FixFindingsInput,
) -> Result<FixedFindings, Failure> {
    let done = platform.reviewed(context, &input.scope)?;
    let sources = &done.review.sources;
    let most = if input.unsafe_fixes { FixSafety::Unsafe } else { FixSafety::Safe };
    let fixed = fix::plan(&done.review.report.findings, sources, most);
    let is_project = done.workspace.is_project();
    if input.write && is_project {
        fix::write(&fixed, sources, &done.root)?;
    }
    let sent = |(file, text): (&String, &String)| SourceFile::new(file.clone(), text.clone());
    Ok(FixedFindings {
        applied: fixed.applied,
        left: fixed.left,
        changes: fixed.diffs(sources),
        files: if is_project { Vec::new() } else { fixed.files.iter().map(sent).collect() },
        written: input.write && is_project,
    })
}

fn write_baseline(
    platform: &Platform,
    context: &Context<'_>,
    BaselineInput(scope): BaselineInput,
) -> Result<WrittenBaseline, Failure> {
    let done = platform.reviewed(context, &scope)?;
    let baseline = Baseline::of(&done.review.report.findings);
    let place = done.settings.baseline_place();
    let findings = done.review.report.open_findings().count();
    if done.workspace.is_project() {
        let path = baseline.write(&done.root, place)?.display().to_string();
        return Ok(WrittenBaseline { path, findings, files: Vec::new() });
    }
    // What came along is gone in a moment: its sender keeps the file.
    let place = place.strip_prefix(&done.root).unwrap_or(place).display().to_string();
    let files = vec![SourceFile::new(place.clone(), baseline.text())];
    Ok(WrittenBaseline { path: place, findings, files })
}

impl Platform {
    /// What runs git and external tools for reviews.
    pub(crate) fn review_host(&self) -> Host<'_> {
        let provider = &self.settings().provider;
        Host { providers: &self.providers, provider, search: &self.execution.toolchains }
    }

    /// Reviews for a caller, and keeps of it what the scope says.
    fn reviewed(&self, context: &Context<'_>, scope: &ReviewScope) -> Result<Reviewed, Failure> {
        scope.gates.as_ref().map_or(Ok(()), gate::check_names)?;
        let workspace = context.workspace(&scope.code)?;
        let before = scope.before.as_ref().map(|files| Uploads::write(files, UploadLimits::default()));
        let before = before.transpose()?;
        let named = Named { before: before.as_ref().map(Uploads::folder), ..named(&workspace) };
        // Files that came along are never seen again: what is learned of them is not worth caching.
        let cached = self.sources.cache_folder().filter(|_| workspace.is_project() && !scope.without_cache);
        let facts = cached.map(|cache| Facts { directory: cache.join("review"), version: version() });
        let found =
            context.watched(|watch| requested::review(self.review_host(), named, scope, facts, watch));
        let Done { mut review, settings, root } = found.map_err(|failure| {
            let failure = workspace.explain(failure);
            before.as_ref().map_or_else(|| failure.clone(), |before| before.explain(failure.clone()))
        })?;
        if let (Some(change), Some(_)) = (&mut review.report.change, &before) {
            // Where the files lay meanwhile is nobody's concern.
            change.compared = "the files before and the files now".into();
        }
        if let Some(gates) = &scope.gates {
            review.report.gate = Some(check_quality_gates(&review.report, gates, &[], None));
        }
        if let Some(project) = &scope.project {
            self.projects().record(owner(context), project, &review.report);
        }
        let viewpoint = Viewpoint::new(workspace.directory(), &root);
        let display = Display { viewpoint, ..Display::default() };
        Ok(Reviewed { review, settings, root, display, text: None, workspace })
    }

    /// Keeps projects below this directory, or in memory alone, in place of the user's own.
    pub fn keep_projects(&self, directory: Option<&Path>) {
        // The first one wins: a server says it before it takes requests.
        let _ = self.projects.set(Projects::open(Shelf::new(directory, PROJECTS)));
    }

    /// The projects that were reviewed by name.
    fn projects(&self) -> &Projects {
        let own = || Shelf::new(self.sources.state_folder().as_deref(), PROJECTS);
        self.projects.get_or_init(|| Projects::open(own()))
    }
}

fn named(workspace: &Workspace) -> Named<'_> {
    Named { directory: workspace.directory(), paths: workspace.paths(), before: None }
}

/// Another build may know other rules: what was cached by it is not taken.
fn version() -> String {
    let built = std::env::current_exe().and_then(|program| program.metadata()).ok();
    let changed = built.as_ref().and_then(|metadata| metadata.modified().ok());
    let changed =
        changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |since| since.as_nanos());
    format!("{} {} {changed}", env!("CARGO_PKG_VERSION"), built.map_or(0, |metadata| metadata.len()))
}
