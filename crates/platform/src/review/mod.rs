//! Reviewing through the façade: what a door asks for becomes a request; git runs inside the sandbox.

pub(crate) mod git;
pub(crate) mod project;
pub(crate) mod tools;

use crate::facade::Platform;
use formicary_model::review::{FixSafety, RuleInfo};
use formicary_model::{Failure, FailureKind, suggest};
use formicary_review::engine::{Analyzer, Watch};
use formicary_review::fix::{self, Fixed};
use formicary_review::native::{CacheSettings, NativeAnalyzer};
use formicary_review::{Baseline, CodeReviewer, Review, ReviewRequest, ReviewSettings, history};
use git::SandboxedGit;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tools::SandboxedTools;

/// What to review, as a door was asked.
#[derive(Debug, Clone, Default)]
pub struct ReviewOptions {
    /// Where the user stands; relative paths start there.
    pub working_folder: PathBuf,
    /// Files and folders; empty for where the user stands.
    pub paths: Vec<PathBuf>,
    /// The change to judge: a git range or revision, a folder, or a diff file.
    pub new: Option<String>,
    /// The baseline, in place of the project's.
    pub baseline: Option<PathBuf>,
    /// The history, in place of the project's.
    pub history: Option<PathBuf>,
    /// Other people's tools, in place of the project's choice.
    pub tools: Vec<String>,
    /// Whether this review becomes part of the history.
    pub record: bool,
    /// Where facts about files may be kept between reviews.
    pub cache: Option<PathBuf>,
}

/// A review, and the settings that it followed.
#[derive(Debug)]
pub struct ReviewDone {
    /// The review.
    pub review: Review,
    /// The settings.
    pub settings: ReviewSettings,
    /// The project's folder.
    pub root: PathBuf,
}

impl Platform {
    /// Reviews a project, or what a change made of it. Findings are `Ok`; `Err` means that Formicary failed.
    pub fn review(&self, options: &ReviewOptions, watch: Watch<'_>) -> Result<ReviewDone, Failure> {
        let git =
            SandboxedGit { providers: &self.providers, provider: self.configuration().word("provider") };
        let place = project::find(options)?;
        let analyzer = NativeAnalyzer::new(options.cache.as_deref().map(|folder| cache(folder, &place.root)));
        let reviewer = CodeReviewer::new(&analyzer, &git);
        let names = reviewer.rule_names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut settings = formicary_review::settings::read_settings(&place.root, &place.root, &names)?;
        if let Some(baseline) = &options.baseline {
            settings.baseline = Some(options.working_folder.join(baseline));
        }
        if !options.tools.is_empty() {
            settings.tools.clone_from(&options.tools);
        }
        if let Some(history) = &options.history {
            settings.history = Some(options.working_folder.join(history));
        }
        let request = ReviewRequest {
            root: place.root.clone(),
            shown_root: place.shown,
            paths: place.paths,
            settings: settings.clone(),
            change: options.new.as_deref().map(|new| project::change(new, options)).transpose()?,
        };
        let tools = SandboxedTools {
            providers: &self.providers,
            provider: self.configuration().word("provider"),
            search: &self.execution.toolchains,
            root: &place.root,
        };
        let review = reviewer.with_tools(&tools).review(&request, watch)?;
        if options.record {
            let path = settings.history.as_deref().unwrap_or(Path::new(HISTORY));
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
            history::append(&place.root.join(path), &history::trend(&review.report, now, None))?;
        }
        Ok(ReviewDone { review, settings, root: place.root })
    }

    /// Every rule.
    pub fn review_rules(&self) -> Vec<RuleInfo> {
        let mut rules = NativeAnalyzer::new(None).rules();
        rules.sort_by(|a, b| (a.category, &a.name).cmp(&(b.category, &b.name)));
        rules
    }

    /// One rule, by its name.
    pub fn review_rule(&self, name: &str) -> Result<RuleInfo, Failure> {
        let rules = self.review_rules();
        let names = || rules.iter().map(|rule| rule.name.as_ref());
        rules.iter().find(|rule| rule.name == name).cloned().ok_or_else(|| {
            let hint = match suggest::nearest(name, names()) {
                Some(near) => format!("did you mean {near}?"),
                None => "`formicary rules` lists every rule".into(),
            };
            Failure::new(FailureKind::InvalidInput, format!("unknown rule {name}")).hint(hint)
        })
    }

    /// Mends what can be mended and writes the files.
    pub fn fix(&self, done: &ReviewDone, most: FixSafety) -> Result<Fixed, Failure> {
        let fixed = fix::plan(&done.review.report.findings, &done.review.sources, most);
        fix::write(&fixed, &done.review.sources, &done.root)?;
        Ok(fixed)
    }

    /// Writes the open findings of a review as the project's baseline. Gives its path.
    pub fn write_baseline(&self, done: &ReviewDone) -> Result<PathBuf, Failure> {
        let path = done.root.join(done.settings.baseline.as_deref().unwrap_or(Path::new(BASELINE)));
        let write = || -> std::io::Result<()> {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&path, Baseline::of(&done.review.report.findings).text())
        };
        write().map_err(|error| {
            Failure::new(FailureKind::InvalidInput, format!("{}: {error}", path.display()))
                .hint("name a file in a folder that you may write")
        })?;
        Ok(path)
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

/// The baseline's place where the project names none.
pub const BASELINE: &str = ".formicary/baseline.json";
/// The history's place where the project names none.
pub const HISTORY: &str = ".formicary/history.jsonl";
