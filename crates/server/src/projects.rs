//! Reviews of the past: how each project's score went, and what was found last.

use crate::problem::Problem;
use crate::shelf::Shelf;
use crate::tenant::now;
use formicary_model::review::{Finding, ReviewReport, Score, Trend};
use formicary_platform::reviewing::history;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Projects of one tenant; the one that was not reviewed for longest makes room.
const MOST_PROJECTS: usize = 100;
/// Reviews that are remembered of one project.
const MOST_REVIEWS: usize = 500;
/// Findings that are kept of the last one.
const MOST_FINDINGS: usize = 2_000;

/// A project in a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProjectBody {
    /// Its name.
    pub name: String,
    /// The score of the last review.
    pub score: f64,
    /// Open findings of the last review.
    pub findings: u32,
    /// When it was reviewed last, in seconds since 1970.
    pub reviewed: u64,
    /// Reviews so far.
    pub reviews: u64,
}

/// A project as a whole.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ProjectHistory {
    /// Its name.
    pub name: String,
    /// Every review that is remembered, the oldest first.
    pub history: Vec<Trend>,
    /// The last score, with its categories and hot spots.
    pub score: Score,
    /// Open findings of the last review.
    pub findings: Vec<Finding>,
    /// Open findings that are not shown.
    pub findings_left_out: usize,
}

/// All projects of a server.
#[derive(Debug, Default)]
pub struct Projects {
    all: Mutex<BTreeMap<(String, String), ProjectHistory>>,
    shelf: Shelf,
}

impl Projects {
    /// Those that were kept, and those that come.
    pub fn open(shelf: Shelf) -> Self {
        let kept = shelf.all::<ProjectHistory>();
        let all = kept.into_iter().map(|(tenant, name, project)| ((tenant, name), project)).collect();
        Self { all: Mutex::new(all), shelf }
    }

    /// Adds a review to a project's history.
    pub fn record(&self, tenant: &str, name: &str, report: &ReviewReport) {
        let mut projects = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tenant.to_owned(), name.to_owned());
        let mut past = projects.remove(&key).map(|project| project.history).unwrap_or_default();
        past.push(history::trend(report, now(), None));
        if past.len() > MOST_REVIEWS {
            past.remove(0);
        }
        let mut findings: Vec<Finding> = report.open_findings().cloned().collect();
        let left_out = findings.len().saturating_sub(MOST_FINDINGS);
        findings.truncate(MOST_FINDINGS);
        let own = |key: &&(String, String)| key.0 == tenant;
        if projects.keys().filter(own).count() >= MOST_PROJECTS {
            let reviewed = |project: &ProjectHistory| project.history.last().map(|trend| trend.time);
            let oldest = projects.iter().filter(|(key, _)| own(key)).min_by_key(|(_, p)| reviewed(p));
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                projects.remove(&oldest);
                self.shelf.remove(tenant, &oldest.1);
            }
        }
        let project = ProjectHistory {
            name: name.to_owned(),
            history: past,
            score: report.score.clone(),
            findings,
            findings_left_out: left_out,
        };
        self.shelf.put(tenant, name, &project);
        projects.insert(key, project);
    }

    /// The tenant's projects.
    pub fn list(&self, tenant: &str) -> Vec<ProjectBody> {
        let projects = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let own = projects.iter().filter(|((own, _), _)| own == tenant);
        own.filter_map(|((_, name), project)| {
            let last = project.history.last()?;
            Some(ProjectBody {
                name: name.clone(),
                score: last.score,
                findings: last.findings,
                reviewed: last.time,
                reviews: project.history.len() as u64,
            })
        })
        .collect()
    }

    /// One project of the tenant.
    pub fn find(&self, tenant: &str, name: &str) -> Result<ProjectHistory, Problem> {
        let projects = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tenant.to_owned(), name.to_owned());
        projects.get(&key).cloned().ok_or_else(|| Problem::not_found("project", name))
    }
}

/// Whether this can be a project's name.
pub fn check_name(name: &str) -> Result<(), Problem> {
    let fine = (1..=100).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if fine {
        return Ok(());
    }
    let shown: String = name.chars().take(80).collect();
    Err(Problem::invalid(format!("{shown:?} cannot be the name of a project"))
        .hint("use 1 to 100 letters, digits, dots, dashes and underscores"))
}
