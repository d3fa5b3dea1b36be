//! A review as it is requested: the project of the paths, what the request says over its settings, what is kept of it.

use crate::change::sandboxed::SandboxedGit;
use crate::change::trees::ChangeRequest;
use crate::engine::{Analyzer as _, Watch};
use crate::native::{CacheSettings, NativeAnalyzer};
use crate::reviewer::{CodeReviewer, Review, ReviewRequest};
use crate::settings::{ReviewSettings, read_settings};
use crate::tools::ToolRunner;
use crate::tools::sandboxed::SandboxedTools;
use crate::{cache, discover, history, project, pyscn};
use formicary_execution::ToolchainSearch;
use formicary_model::review::{ReviewScope, RuleInfo, RuleList, RulesInput};
use formicary_model::{Failure, FailureKind, suggest};
use formicary_sandbox::Provider;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// What runs git and other people's tools: providers of isolation, and where programs are looked for.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    /// The providers of this host.
    pub providers: &'a [Arc<dyn Provider>],
    /// The name of the one that is wanted.
    pub provider: &'a str,
    /// Where programs are looked for.
    pub search: &'a ToolchainSearch,
}

impl<'a> Host<'a> {
    /// Git in the sandbox.
    pub fn git(self) -> SandboxedGit<'a> {
        SandboxedGit { providers: self.providers, provider: self.provider }
    }

    /// External tools in the sandbox, for the project in this directory.
    pub fn tools(self, root: &'a Path) -> SandboxedTools<'a> {
        SandboxedTools { providers: self.providers, provider: self.provider, search: self.search, root }
    }
}

/// What is reviewed: paths of a project, as one names them who stands in a directory.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// Where relative paths begin.
    pub directory: &'a Path,
    /// The paths; none for the whole project.
    pub paths: &'a [PathBuf],
    /// The project as it was before, if it came along.
    pub before: Option<&'a Path>,
}

/// Facts that are cached between reviews. Those of another version are computed anew.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The directory, with a file for each project.
    pub directory: PathBuf,
    /// Changes whenever the rules may have changed.
    pub version: String,
}

impl Facts {
    fn of(self, root: &Path) -> CacheSettings {
        let name = cache::key(&[&root.to_string_lossy()]);
        CacheSettings { file: self.directory.join(format!("{}.facts", &name[..24])), version: self.version }
    }
}

/// A review with the settings that it followed and the project's directory.
pub struct Done {
    /// The review.
    pub review: Review,
    /// Its settings.
    pub settings: ReviewSettings,
    /// The project's directory.
    pub root: PathBuf,
}

/// Reviews, and appends the result to the project's history where the request wants that.
pub fn review(
    host: Host<'_>,
    named: Named<'_>,
    scope: &ReviewScope,
    facts: Option<Facts>,
    watch: Watch<'_>,
) -> Result<Done, Failure> {
    let (git, here) = (host.git(), named.directory);
    let place = project::find_paths(here, named.paths)?;
    let root = place.root.clone();
    let analyzer = NativeAnalyzer::new(facts.map(|facts| facts.of(&root)));
    let reviewer = CodeReviewer::new(&analyzer, &git);
    let names = reviewer.rule_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut settings = read_settings(&root, &root, &names)?;
    if let Some(baseline) = &scope.baseline {
        settings.baseline = Some(here.join(baseline));
    }
    if !scope.tools.is_empty() {
        settings.tools.clone_from(&scope.tools);
    }
    if let Some(history) = &scope.history {
        settings.history = Some(here.join(history));
    }
    let change = match (named.before, &scope.new) {
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
    let tools = host.tools(&root);
    let review = reviewer.with_tools(&tools).review(&request, watch)?;
    if scope.record {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let trend = history::trend(&review.report, now, None);
        history::append(&root, settings.history_place(), &trend)?;
    }
    Ok(Done { review, settings, root })
}

/// Measures Python code. Parts of a project are always measured by our own analysis.
pub fn measure_python(
    host: Host<'_>,
    named: Named<'_>,
    watch: Watch<'_>,
) -> Result<pyscn::PyscnReport, Failure> {
    let place = project::find_paths(named.directory, named.paths)?;
    let settings = ReviewSettings::default();
    let whole = place.paths.is_empty();
    let scope = discover::Scope {
        root: place.root.clone(),
        paths: place.paths,
        exclude: settings.excluded(),
        max_file_bytes: settings.max_file_bytes,
    };
    let found = discover::discover(&scope, watch)?;
    let tools = host.tools(&place.root);
    let runner = whole.then_some(&tools as &dyn ToolRunner);
    pyscn::PyscnAnalyzer::new(&NativeAnalyzer::default(), runner).analyze(&found.sources)
}

/// Every rule, by category and name.
pub fn all_rules() -> Vec<RuleInfo> {
    let mut rules = NativeAnalyzer::new(None).rules();
    rules.sort_by(|a, b| (a.category, &a.name).cmp(&(b.category, &b.name)));
    rules
}

/// The rules that a request names.
pub fn rules(input: &RulesInput) -> Result<RuleList, Failure> {
    let mut items = all_rules();
    if let Some(name) = &input.rule
        && !items.iter().any(|rule| rule.name == *name)
    {
        let known = items.iter().map(|rule| rule.name.as_ref());
        let hint = suggest::hint(name, known, || "leave it out for all rules");
        return Err(Failure::new(FailureKind::InvalidInput, format!("unknown rule {name}")).hint(hint));
    }
    items.retain(|rule| {
        input.rule.as_ref().is_none_or(|name| rule.name == *name)
            && (input.types.is_empty() || input.types.contains(&rule.category))
    });
    Ok(RuleList { items })
}
