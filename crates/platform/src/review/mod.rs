//! Reviews, gates and what is done with them; git and external tools run inside the sandbox.

pub(crate) mod git;
pub(crate) mod project;
pub mod projects;
mod pyscn;
pub(crate) mod tools;

use crate::facade::Platform;
use crate::keys::Scope;
use crate::tenants::LOCAL;
use crate::uploads::{UploadLimits, Uploads};
use crate::use_case::{Context, declare};
use crate::workspace::Workspace;
use formicary_files::Viewpoint;
use formicary_model::review::{
    BaselineInput, FixFindingsInput, FixSafety, FixedFile, FixedFindings, GateReport, ProjectHistory,
    ProjectList, ProjectName, ReviewInput, ReviewReport, ReviewScope, RuleInfo, RuleList, RulesInput,
    WrittenBaseline,
};
use formicary_model::{Failure, FailureKind, NoInput, SourceFile, suggest};
use formicary_review::engine::Analyzer;
use formicary_review::fix;
use formicary_review::gate::{is_metric, metric_names};
use formicary_review::native::{CacheSettings, NativeAnalyzer};
use formicary_review::{Baseline, CodeReviewer, Review, ReviewRequest, ReviewSettings, history};
use formicary_review::{ChangeRequest, check_quality_gates};
use formicary_search::rewrite::unified;
use git::SandboxedGit;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tools::SandboxedTools;

pub use formicary_review::engine::Watch;
pub use formicary_review::report::{Display, Format, counted, generate_report, terminal};
pub use pyscn::MeasurePython;

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
    RulesInput => RuleList, |_: &Platform, _: &Context<'_>, input| rules(&input)
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
    let before = |file: &String| sources.iter().find(|source| source.path == *file);
    let changes = fixed.files.iter().filter_map(|(file, text)| {
        Some(FixedFile { file: file.clone(), diff: unified(file, &before(file)?.text, text) })
    });
    let sent = |(file, text): (&String, &String)| SourceFile::new(file.clone(), text.clone());
    Ok(FixedFindings {
        applied: fixed.applied,
        left: fixed.left,
        changes: changes.collect(),
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

/// Every rule, by category and name.
pub fn all_rules() -> Vec<RuleInfo> {
    let mut rules = NativeAnalyzer::new(None).rules();
    rules.sort_by(|a, b| (a.category, &a.name).cmp(&(b.category, &b.name)));
    rules
}

fn rules(input: &RulesInput) -> Result<RuleList, Failure> {
    let mut items = all_rules();
    if let Some(name) = &input.rule
        && !items.iter().any(|rule| rule.name == *name)
    {
        let hint = match suggest::nearest(name, items.iter().map(|rule| rule.name.as_ref())) {
            Some(near) => format!("did you mean {near}?"),
            None => "leave it out for all rules".into(),
        };
        return Err(Failure::new(FailureKind::InvalidInput, format!("unknown rule {name}")).hint(hint));
    }
    items.retain(|rule| {
        input.rule.as_ref().is_none_or(|name| rule.name == *name)
            && (input.types.is_empty() || input.types.contains(&rule.category))
    });
    Ok(RuleList { items })
}

fn known_metrics(gates: &BTreeMap<String, f64>) -> Result<(), Failure> {
    let Some(stray) = gates.keys().find(|name| !is_metric(name)) else { return Ok(()) };
    let names = metric_names();
    let hint = match suggest::nearest(stray, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("known: {}", names.join(", ")),
    };
    Err(Failure::new(FailureKind::InvalidInput, format!("there is no metric {stray}")).hint(hint))
}

impl Platform {
    /// Git in this platform's sandbox.
    pub(crate) fn git(&self) -> SandboxedGit<'_> {
        SandboxedGit { providers: &self.providers, provider: &self.settings().provider }
    }

    /// External tools in this platform's sandbox, for the project in this directory.
    pub(crate) fn external_tools<'a>(&'a self, root: &'a Path) -> SandboxedTools<'a> {
        SandboxedTools {
            providers: &self.providers,
            provider: &self.settings().provider,
            search: &self.execution.toolchains,
            root,
        }
    }

    /// Reviews for a caller, and keeps of it what the scope says.
    fn reviewed(&self, context: &Context<'_>, scope: &ReviewScope) -> Result<Reviewed, Failure> {
        scope.gates.as_ref().map_or(Ok(()), known_metrics)?;
        let workspace = context.workspace(&scope.code)?;
        let before = scope.before.as_ref().map(|files| Uploads::write(files, UploadLimits::default()));
        let before = before.transpose()?;
        let earlier = before.as_ref().map(Uploads::folder);
        let found = context.watched(|watch| self.review_workspace(&workspace, scope, earlier, watch));
        let (mut review, settings, root) = found.map_err(|failure| {
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

    fn review_workspace(
        &self,
        workspace: &Workspace,
        scope: &ReviewScope,
        before: Option<&Path>,
        watch: Watch<'_>,
    ) -> Result<(Review, ReviewSettings, PathBuf), Failure> {
        let (git, here) = (self.git(), workspace.directory());
        let place = project::find_paths(here, workspace.paths())?;
        let root = place.root.clone();
        // Files that came along are never seen again: what is learned of them is not worth keeping.
        let cached = self.sources.cache_folder().filter(|_| workspace.is_project() && !scope.without_cache);
        let analyzer = NativeAnalyzer::new(cached.map(|folder| cache(&folder.join("review"), &root)));
        let reviewer = CodeReviewer::new(&analyzer, &git);
        let names = reviewer.rule_names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut settings = formicary_review::settings::read_settings(&root, &root, &names)?;
        if let Some(baseline) = &scope.baseline {
            settings.baseline = Some(here.join(baseline));
        }
        if !scope.tools.is_empty() {
            settings.tools.clone_from(&scope.tools);
        }
        if let Some(history) = &scope.history {
            settings.history = Some(here.join(history));
        }
        let change = match (before, &scope.new) {
            (Some(before), _) => Some(ChangeRequest::Folder(before.to_owned())),
            (None, Some(new)) => Some(project::change(new, here, &root, &git)?),
            (None, None) => None,
        };
        let request = ReviewRequest {
            root: place.root,
            shown_root: place.shown,
            paths: place.paths,
            settings: settings.clone(),
            change,
        };
        let tools = self.external_tools(&root);
        let review = reviewer.with_tools(&tools).review(&request, watch)?;
        if scope.record {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
            let trend = history::trend(&review.report, now, None);
            history::append(&root, settings.history_place(), &trend)?;
        }
        Ok((review, settings, root))
    }
}

// Facts of a project stand in one file of the user's cache. Another build may know other rules: it starts anew.
fn cache(folder: &Path, root: &Path) -> CacheSettings {
    let built = std::env::current_exe().and_then(|program| program.metadata()).ok();
    let changed = built.as_ref().and_then(|metadata| metadata.modified().ok());
    let changed =
        changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |since| since.as_nanos());
    let version =
        format!("{} {} {changed}", env!("CARGO_PKG_VERSION"), built.map_or(0, |metadata| metadata.len()));
    let name = formicary_review::cache::key(&[&root.to_string_lossy()]);
    CacheSettings { file: folder.join(format!("{}.facts", &name[..24])), version }
}
