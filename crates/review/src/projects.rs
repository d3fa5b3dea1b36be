//! Reviews of the past: how each project's score went, and what was found last.

use crate::history;
use formicary_files::shelf::Shelf;
use formicary_model::review::{Finding, ProjectHistory, ProjectSummary, ReviewReport};
use formicary_model::{Failure, FailureKind};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Projects of one tenant; the one that was not reviewed for longest makes room.
const MOST_PROJECTS: usize = 100;
/// Reviews that are remembered of one project.
const MOST_REVIEWS: usize = 500;
/// Findings that are kept of the last one.
const MOST_FINDINGS: usize = 2_000;

/// All projects of a process's callers.
pub struct Projects {
    all: Mutex<BTreeMap<(String, String), ProjectHistory>>,
    store: Shelf,
}

impl Projects {
    /// Those that were kept, and those that come.
    pub fn open(store: Shelf) -> Self {
        let kept = store.all();
        let all = kept.into_iter().map(|(tenant, name, project)| ((tenant, name), project)).collect();
        Self { all: Mutex::new(all), store }
    }

    /// Adds a review to a project's history.
    pub fn record(&self, tenant: &str, name: &str, report: &ReviewReport) {
        let mut projects = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tenant.to_owned(), name.to_owned());
        let mut past = projects.remove(&key).map(|project| project.history).unwrap_or_default();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        past.push(history::trend(report, now, None));
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
                self.store.remove(tenant, &oldest.1);
            }
        }
        let project = ProjectHistory {
            name: name.to_owned(),
            history: past,
            score: report.score.clone(),
            findings,
            findings_left_out: left_out,
        };
        self.store.put(tenant, name, &project);
        projects.insert(key, project);
    }

    /// The tenant's projects.
    pub fn list(&self, tenant: &str) -> Vec<ProjectSummary> {
        let projects = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let own = projects.iter().filter(|((own, _), _)| own == tenant);
        own.filter_map(|((_, name), project)| {
            let last = project.history.last()?;
            Some(ProjectSummary {
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
    pub fn find(&self, tenant: &str, name: &str) -> Result<ProjectHistory, Failure> {
        let projects = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tenant.to_owned(), name.to_owned());
        projects.get(&key).cloned().ok_or_else(|| {
            let shown: String = name.chars().take(80).collect();
            Failure::new(FailureKind::NotFound, format!("there is no project {shown:?}"))
                .hint("the list of projects names those that were reviewed")
        })
    }
}
