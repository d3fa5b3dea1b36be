//! One review from its request to its report.

use crate::baseline::Baseline;
use crate::change::blame::{Reviewed, blame};
use crate::change::gaming::Suspects;
use crate::change::git::GitRunner;
use crate::change::lines::{FileChange, changes};
use crate::change::trees::{ChangeRequest, Finder, State};
use crate::discover::{Scope, discover};
use crate::engine::{Analyzer, SourceText, Watch};
use crate::examine::{Examined, examine};
use crate::gate::{self, Before};
use crate::settings::ReviewSettings;
use crate::tools::{self, ToolRunner};
use crate::{figures, history, reimports, score};
use formicary_model::review::{ChangeSummary, FileMetrics, Finding, Note, NoteKind, ReviewReport, Score};
use formicary_model::{Failure, FailureKind};
use formicary_taint::Settings;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What to review, and how.
#[derive(Debug, Clone)]
pub struct ReviewRequest {
    /// The project's folder, absolute.
    pub root: PathBuf,
    /// The folder as the user named it, for the report.
    pub shown_root: String,
    /// Files and folders to review, absolute; empty for the whole project.
    pub paths: Vec<PathBuf>,
    /// The project's settings.
    pub settings: ReviewSettings,
    /// The change to judge; none for the project as it is.
    pub change: Option<ChangeRequest>,
}

/// A review with the texts that it is about.
#[derive(Debug, Clone)]
pub struct Review {
    /// The report.
    pub report: ReviewReport,
    /// The texts.
    pub sources: Vec<SourceText>,
    /// The project's name, for people: where it was reviewed, or the name of its directory where that says nothing.
    pub name: String,
}

/// The name of a project that is shown as `shown` and lies in `root`.
fn project_name(shown: &str, root: &Path) -> String {
    let says_nothing = shown.chars().all(|character| matches!(character, '.' | '/'));
    let own = root.file_name().map(|name| name.to_string_lossy().into_owned());
    own.filter(|_| says_nothing).unwrap_or_else(|| shown.to_owned())
}

/// Reviews projects with an analysis, and reads repositories through somebody who runs git.
#[derive(Clone, Copy)]
pub struct CodeReviewer<'a> {
    analyzer: &'a dyn Analyzer,
    git: &'a dyn GitRunner,
    tools: Option<&'a dyn ToolRunner>,
}

impl<'a> CodeReviewer<'a> {
    /// A reviewer with this analysis.
    pub fn new(analyzer: &'a dyn Analyzer, git: &'a dyn GitRunner) -> Self {
        Self { analyzer, git, tools: None }
    }

    /// The same with other people's tools, where the settings want them.
    #[must_use]
    pub fn with_tools(self, tools: &'a dyn ToolRunner) -> Self {
        Self { tools: Some(tools), ..self }
    }

    /// Reviews.
    pub fn review(&self, request: &ReviewRequest, watch: Watch<'_>) -> Result<Review, Failure> {
        let settings = &request.settings;
        let scope = Scope {
            root: request.root.clone(),
            paths: request.paths.clone(),
            exclude: settings.excluded(),
            max_file_bytes: settings.max_file_bytes,
        };
        let found = discover(&scope, watch)?;
        called_off(watch)?;
        let excluded = found.excluded.len() as u32;
        let now = Now { sources: found.sources, notes: found.notes, excluded, said: found.settings };
        match &request.change {
            None => self.whole(request, &scope, now, watch),
            Some(change) => self.change(request, change, &scope, now, watch),
        }
    }

    fn whole(
        &self,
        request: &ReviewRequest,
        scope: &Scope,
        now: Now,
        watch: Watch<'_>,
    ) -> Result<Review, Failure> {
        if now.sources.is_empty() && now.notes.is_empty() {
            return Err(nothing(request));
        }
        let (other, notes) = self.other_tools(request, &request.settings, &now.sources)?;
        let mut examined = examine(self.analyzer, &now.sources, &request.settings, &now.said, other, watch);
        called_off(watch)?;
        if !request.paths.is_empty() && reimports::need_others(&examined.findings, &now.sources) {
            let project = Scope { paths: Vec::new(), ..scope.clone() };
            reimports::withdraw(&mut examined.findings, &now.sources, &discover(&project, watch)?.sources);
        }
        if let Some(baseline) = Baseline::read(&request.root, request.settings.baseline_place())? {
            baseline.mark(&mut examined.findings);
        }
        let mut report = self.report(request, [now.notes, notes].concat(), now.excluded, examined)?;
        let settings = &request.settings;
        report.gate = Some(gate::check_quality_gates(&report, &settings.gate, &settings.paths, None));
        let name = project_name(&request.shown_root, &request.root);
        Ok(Review { report, sources: now.sources, name })
    }

    fn change(
        &self,
        request: &ReviewRequest,
        change: &ChangeRequest,
        scope: &Scope,
        now: Now,
        watch: Watch<'_>,
    ) -> Result<Review, Failure> {
        let names = self.rule_names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let baseline = Some(request.settings.baseline_place());
        let states =
            Finder { scope, now: &now.sources, baseline, rules: &names }.find(change, self.git, watch)?;
        called_off(watch)?;
        let before = states.before;
        let said = now.said.clone();
        let after = self.after(request, states.after, &before, scope, now, watch)?;
        // A change is judged by the rules that held before it; what it loosens in them is shown.
        let rules = &before.settings;
        let old = examine(self.analyzer, &before.sources, rules, &said, Vec::new(), watch);
        called_off(watch)?;
        let (other, other_notes) = match after.present {
            None => self.other_tools(request, rules, &after.sources)?,
            Some(_) if !rules.tools.is_empty() => (Vec::new(), vec![only_in_the_folder()]),
            Some(_) => (Vec::new(), Vec::new()),
        };
        let mut new = examine(self.analyzer, &after.sources, rules, &said, other, watch);
        called_off(watch)?;
        let changes = changes(&before.sources, &after.sources);
        let was = Reviewed { sources: &before.sources, findings: &old.findings, files: &old.files };
        let gone = blame(was, &after.sources, &new.files, &mut new.findings, &changes);
        let is_there = |path: &str| {
            after.present.as_ref().map_or_else(|| request.root.join(path).exists(), |set| set.contains(path))
        };
        let infos = self.analyzer.rules();
        let gaming = Suspects {
            before: &before.sources,
            after: &after.sources,
            before_files: &old.files,
            after_files: &new.files,
            settings: (&before.settings, &after.settings),
            baselines: (before.baseline.as_deref(), after.baseline.as_deref()),
            rules: &infos,
            notes: &after.notes,
            changes: &changes,
            is_there: &is_there,
        }
        .gaming();
        let fixed = gone.iter().filter(|finding| is_mended(finding, &changes, &new.files)).count();
        let summary = ChangeSummary {
            compared: states.compared,
            changed_files: changes.values().filter(|change| !change.touched.is_empty()).count() as u32,
            changed_lines: changes.values().map(|change| change.touched.len() as u32).sum(),
            new_findings: new.findings.iter().filter(|f| f.is_open() && f.standing.is_blamed()).count()
                as u32,
            fixed_findings: fixed as u32,
            gaming,
        };
        let mut report = self.report(request, [after.notes, other_notes].concat(), after.excluded, new)?;
        report.change = Some(summary);
        let Score { total, categories, .. } = score::score(&old.findings, &old.files);
        let held = Before { files: &old.files, score: total, categories: &categories, changes: &changes };
        report.gate = Some(gate::check_quality_gates(&report, &rules.gate, &rules.paths, Some(&held)));
        let name = project_name(&request.shown_root, &request.root);
        Ok(Review { report, sources: after.sources, name })
    }

    // What is reviewed after the change: files that only the new settings leave out are looked at all the same.
    fn after(
        &self,
        request: &ReviewRequest,
        state: Option<State>,
        before: &State,
        scope: &Scope,
        now: Now,
        watch: Watch<'_>,
    ) -> Result<After, Failure> {
        if let Some(state) = state {
            return Ok(After {
                sources: state.sources,
                notes: Vec::new(),
                excluded: now.excluded,
                settings: state.settings,
                baseline: state.baseline,
                present: Some(state.present),
            });
        }
        let by_old_rules = Scope {
            exclude: before.settings.excluded(),
            max_file_bytes: before.settings.max_file_bytes.max(scope.max_file_bytes),
            ..scope.clone()
        };
        let found = discover(&by_old_rules, watch)?;
        let baseline = Baseline::text_in(&request.root, request.settings.baseline_place())?;
        Ok(After {
            sources: found.sources,
            notes: found.notes,
            excluded: found.excluded.len() as u32,
            settings: request.settings.clone(),
            baseline,
            present: None,
        })
    }

    fn report(
        &self,
        request: &ReviewRequest,
        mut notes: Vec<Note>,
        excluded_files: u32,
        examined: Examined,
    ) -> Result<ReviewReport, Failure> {
        notes.extend(examined.notes);
        notes.sort();
        notes.dedup();
        let earlier = history::read(&request.root, request.settings.history_place())?;
        let score = score::score(&examined.findings, &examined.files);
        Ok(ReviewReport {
            schema: ReviewReport::SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            root: request.shown_root.clone(),
            debt_minutes: score::debt_minutes(&examined.findings),
            movement: earlier.last().map(|last| score.total - last.score),
            score,
            project: figures::project(&examined.files, examined.cycles, examined.duplication),
            findings: examined.findings,
            files: examined.files,
            modules: examined.modules,
            dependencies: examined.dependencies,
            gate: None,
            change: None,
            notes,
            excluded_files,
            history: earlier,
        })
    }

    fn other_tools(
        &self,
        request: &ReviewRequest,
        settings: &ReviewSettings,
        sources: &[SourceText],
    ) -> Result<(Vec<Finding>, Vec<Note>), Failure> {
        let Some(runner) = self.tools.filter(|_| !settings.tools.is_empty()) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let chosen = tools::run::chosen(&settings.tools)?;
        tools::run_tools(&chosen, sources, runner, &|file| request.root.join(file).exists())
    }

    /// The names of all rules.
    pub fn rule_names(&self) -> Vec<String> {
        self.analyzer.rules().into_iter().map(|rule| rule.name.into_owned()).collect()
    }
}

struct Now {
    sources: Vec<SourceText>,
    notes: Vec<Note>,
    excluded: u32,
    /// What the project's settings files say.
    said: Settings,
}

struct After {
    sources: Vec<SourceText>,
    notes: Vec<Note>,
    excluded: u32,
    settings: ReviewSettings,
    baseline: Option<String>,
    present: Option<std::collections::BTreeSet<String>>,
}

// A finding is mended if its file is still there and can be read: deleting and breaking files mends nothing.
fn is_mended(finding: &Finding, changes: &HashMap<String, FileChange>, files: &[FileMetrics]) -> bool {
    let now = changes.iter().find(|(_, change)| change.before.as_deref() == Some(&finding.file));
    now.is_some_and(|(path, _)| files.iter().any(|file| file.file == *path && file.parsed))
}

fn only_in_the_folder() -> Note {
    let message = "other tools look at the folder as it is, not at a commit: they were not run".into();
    Note { kind: NoteKind::Tool, file: None, line: None, message }
}

fn called_off(watch: Watch<'_>) -> Result<(), Failure> {
    if (watch.cancelled)() {
        Err(Failure::new(FailureKind::Cancelled, "the review was cancelled"))
    } else {
        Ok(())
    }
}

fn nothing(request: &ReviewRequest) -> Failure {
    let message = format!("there is nothing to review in {}", request.shown_root);
    Failure::new(FailureKind::InvalidInput, message)
        .hint("name a folder with sources in a language that `formicary languages` lists")
}
