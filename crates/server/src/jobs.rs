//! Executions that nobody waits for: kept with their events and results until they are fetched, removed or too old.

use crate::feed::Feed;
use crate::problem::{Problem, ProblemBody};
use crate::tenant::{now, too_many};
use axum::http::StatusCode;
use formicary_model::ExecutionResult;
use formicary_platform::ids;
use formicary_platform::shelf::Shelf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::task::AbortHandle;

/// Jobs of one tenant, those that are over among them.
const MOST_OF_ONE: usize = 1_000;
/// Bytes of results and events that are kept for one tenant.
const MOST_BYTES: usize = 128 << 20;

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// It waits for its turn.
    Queued,
    /// It is under way.
    Running,
    /// It has a result, whatever the program did.
    Done,
    /// It was called off.
    Cancelled,
    /// Formicary failed; there is no result.
    Failed,
}

/// A job on the wire.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct JobBody {
    /// Names it.
    pub id: String,
    /// Where it stands.
    pub status: JobStatus,
    /// The language, as far as it is known.
    pub language: Option<String>,
    /// When it was asked for, in seconds since 1970.
    pub created: u64,
    /// When it began to work.
    pub started: Option<u64>,
    /// When it was over.
    pub finished: Option<u64>,
    /// The run, as soon as there is one.
    pub run_id: Option<String>,
    /// What came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ExecutionResult>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemBody>,
}

/// One job.
#[derive(Debug)]
pub struct Job {
    /// Names it.
    pub id: String,
    /// What it tells.
    pub feed: Arc<Feed>,
    tenant: String,
    created: u64,
    state: Mutex<State>,
    task: OnceLock<AbortHandle>,
}

#[derive(Debug)]
struct State {
    status: JobStatus,
    language: Option<String>,
    started: Option<u64>,
    finished: Option<u64>,
    result: Option<Arc<ExecutionResult>>,
    problem: Option<ProblemBody>,
    bytes: usize,
}

impl Job {
    fn new(id: String, tenant: &str, language: Option<String>) -> Self {
        let state = State {
            status: JobStatus::Queued,
            language,
            started: None,
            finished: None,
            result: None,
            problem: None,
            bytes: 0,
        };
        Self {
            id,
            feed: Arc::default(),
            tenant: tenant.to_owned(),
            created: now(),
            state: Mutex::new(state),
            task: OnceLock::new(),
        }
    }

    /// A job of an earlier server. One that was not over then is lost, and says so.
    fn again(id: String, tenant: &str, kept: JobBody) -> Self {
        let job = Self { created: kept.created, ..Self::new(id, tenant, kept.language.clone()) };
        job.lock().started = kept.started;
        match (kept.result, kept.problem) {
            (Some(result), _) => job.finish(Ok(result)),
            (None, Some(problem)) => {
                job.feed.push("problem", &problem);
                job.feed.close();
                let mut state = job.lock();
                (state.status, state.problem) = (kept.status, Some(problem));
            }
            (None, None) => {
                let detail = "the server ended before the job did";
                job.finish(Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
                    .hint("ask for it again, with another Idempotency-Key")));
            }
        }
        if kept.finished.is_some() {
            job.lock().finished = kept.finished;
        }
        job.feed.is_of(kept.run_id);
        job
    }

    /// The job on the wire; without its result where many are listed.
    pub fn body(&self, whole: bool) -> JobBody {
        let state = self.lock();
        JobBody {
            id: self.id.clone(),
            status: state.status,
            language: state.language.clone(),
            created: self.created,
            started: state.started,
            finished: state.finished,
            run_id: self.feed.run_id(),
            result: state.result.as_deref().filter(|_| whole).cloned(),
            problem: state.problem.clone(),
        }
    }

    /// Where it stands.
    pub fn status(&self) -> JobStatus {
        self.lock().status
    }

    /// Notes what does it, so that it can be called off.
    pub fn is_done_by(&self, task: AbortHandle) {
        let _ = self.task.set(task);
    }

    /// It has begun.
    pub fn start(&self) {
        let mut state = self.lock();
        (state.status, state.started) = (JobStatus::Running, Some(now()));
    }

    /// It is over.
    pub fn finish(&self, outcome: Result<ExecutionResult, Problem>) {
        match outcome {
            Ok(result) => {
                self.feed.push("result", &result);
                let artifacts: usize = result.artifacts.iter().map(|artifact| artifact.content.len()).sum();
                let bytes = artifacts + result.stdout.len() + result.stderr.len();
                let mut state = self.lock();
                state.language = Some(result.language.clone());
                (state.status, state.bytes) = (JobStatus::Done, bytes);
                state.result = Some(Arc::new(result));
                state.finished = Some(now());
            }
            Err(problem) => {
                let body = problem.body(None);
                self.feed.push("problem", &body);
                let mut state = self.lock();
                let called_off = body.kind == "cancelled";
                state.status = if called_off { JobStatus::Cancelled } else { JobStatus::Failed };
                state.problem = Some(body);
                state.finished = Some(now());
            }
        }
        self.feed.close();
    }

    fn bytes(&self) -> usize {
        self.lock().bytes + self.feed.bytes()
    }

    fn is_over(&self) -> bool {
        !matches!(self.status(), JobStatus::Queued | JobStatus::Running)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A wish that may come twice: its name, and what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Once {
    /// The caller's name for it.
    pub key: String,
    /// The hash of what was asked.
    pub hash: blake3::Hash,
}

/// All jobs of a server.
#[derive(Debug, Default)]
pub struct Jobs {
    tenants: Mutex<BTreeMap<String, Tenant>>,
    shelf: Shelf,
}

/// A job on the shelf.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    job: JobBody,
    /// The caller's name for it, and the hash of what was asked.
    once: Option<(String, String)>,
}

/// One tenant's jobs by identifier, which grows with time.
#[derive(Debug, Default)]
struct Tenant {
    jobs: BTreeMap<String, Arc<Job>>,
    once: BTreeMap<String, (blake3::Hash, String)>,
}

impl Jobs {
    /// Those that were kept, and those that come.
    pub fn open(shelf: Shelf) -> Self {
        let mut tenants: BTreeMap<String, Tenant> = BTreeMap::new();
        for (tenant, id, kept) in shelf.all::<Kept>() {
            let unfinished = kept.job.finished.is_none();
            let job = Arc::new(Job::again(id.clone(), &tenant, kept.job));
            if unfinished {
                shelf.put(&tenant, &id, &Kept { job: job.body(true), once: kept.once.clone() });
            }
            let own = tenants.entry(tenant).or_default();
            own.jobs.insert(id.clone(), job);
            if let Some((key, hash)) = kept.once
                && let Ok(hash) = blake3::Hash::from_hex(hash)
            {
                own.once.insert(key, (hash, id));
            }
        }
        Self { tenants: Mutex::new(tenants), shelf }
    }

    /// Puts a job on the shelf as it stands: when it is asked for, and when it is over. One that was forgotten stays so.
    pub fn keep(&self, job: &Job) {
        let once = {
            let tenants = self.lock();
            let Some(own) = tenants.get(&job.tenant).filter(|own| own.jobs.contains_key(&job.id)) else {
                return;
            };
            let found = own.once.iter().find(|(_, (_, id))| *id == job.id);
            found.map(|(key, (hash, _))| (key.clone(), hash.to_hex().to_string()))
        };
        self.shelf.put(&job.tenant, &job.id, &Kept { job: job.body(true), once });
    }

    /// A new job, or the one that was made when this was asked before. `true` for a new one.
    pub fn add(
        &self,
        tenant: &str,
        language: Option<String>,
        once: Option<Once>,
    ) -> Result<(Arc<Job>, bool), Problem> {
        let mut tenants = self.lock();
        let own = tenants.entry(tenant.to_owned()).or_default();
        if let Some(once) = &once
            && let Some((hash, id)) = own.once.get(&once.key)
            && let Some(job) = own.jobs.get(id)
        {
            if *hash != once.hash {
                let detail = "the Idempotency-Key was used for another request";
                return Err(Problem::new(StatusCode::CONFLICT, "conflict", detail)
                    .hint("use a new one for each request"));
            }
            return Ok((Arc::clone(job), false));
        }
        for gone in own.make_room()? {
            self.shelf.remove(tenant, &gone);
        }
        let job = Arc::new(Job::new(new_id()?, tenant, language));
        own.jobs.insert(job.id.clone(), Arc::clone(&job));
        if let Some(once) = once {
            own.once.insert(once.key, (once.hash, job.id.clone()));
        }
        Ok((job, true))
    }

    /// The tenant's job of this name.
    pub fn find(&self, tenant: &str, id: &str) -> Result<Arc<Job>, Problem> {
        let found = self.lock().get(tenant).and_then(|own| own.jobs.get(id)).cloned();
        found.filter(|job| job.tenant == tenant).ok_or_else(|| Problem::not_found("job", id))
    }

    /// Calls a job off and forgets it.
    pub fn remove(&self, tenant: &str, id: &str) -> Result<(), Problem> {
        let job = self.find(tenant, id)?;
        if let Some(task) = job.task.get() {
            task.abort();
        }
        job.feed.close();
        if let Some(own) = self.lock().get_mut(tenant) {
            own.forget(id);
        }
        self.shelf.remove(tenant, id);
        Ok(())
    }

    /// The tenant's jobs, the latest first, from after `cursor` on; and the next cursor.
    pub fn list(
        &self,
        tenant: &str,
        status: Option<JobStatus>,
        cursor: Option<&str>,
        limit: usize,
    ) -> (Vec<JobBody>, Option<String>) {
        let jobs: Vec<Arc<Job>> = match self.lock().get(tenant) {
            Some(own) => own.jobs.values().rev().cloned().collect(),
            None => Vec::new(),
        };
        let after = |job: &&Arc<Job>| cursor.is_none_or(|cursor| job.id.as_str() < cursor);
        let fits = |job: &&Arc<Job>| status.is_none_or(|status| job.status() == status);
        let mut found: Vec<JobBody> =
            jobs.iter().filter(after).filter(fits).take(limit + 1).map(|job| job.body(false)).collect();
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|job| job.id.clone());
        (found, next)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Tenant>> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tenant {
    /// Those that had to go.
    fn make_room(&mut self) -> Result<Vec<String>, Problem> {
        let mut gone = Vec::new();
        let mut bytes: usize = self.jobs.values().map(|job| job.bytes()).sum();
        while self.jobs.len() >= MOST_OF_ONE || bytes > MOST_BYTES {
            let Some(oldest) = self.jobs.values().find(|job| job.is_over()).cloned() else {
                return Err(too_many("the caller has too many jobs under way", Duration::from_secs(5)));
            };
            bytes = bytes.saturating_sub(oldest.bytes());
            self.forget(&oldest.id);
            gone.push(oldest.id.clone());
        }
        Ok(gone)
    }

    fn forget(&mut self, id: &str) {
        self.jobs.remove(id);
        self.once.retain(|_, (_, own)| own != id);
    }
}

/// A name that nobody guesses and that sorts by time.
fn new_id() -> Result<String, Problem> {
    let random = ids::random::<8>()?;
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    Ok(format!("j{millis:012x}{random}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn once(key: &str, what: &str) -> Option<Once> {
        Some(Once { key: key.into(), hash: blake3::hash(what.as_bytes()) })
    }

    #[test]
    fn what_is_asked_twice_is_done_once() {
        let jobs = Jobs::default();
        let (first, new) = jobs.add("a", None, once("k", "x")).unwrap();
        assert!(new);
        let (again, new) = jobs.add("a", None, once("k", "x")).unwrap();
        assert!(!new && again.id == first.id);
        assert_eq!(jobs.add("a", None, once("k", "y")).unwrap_err().status(), StatusCode::CONFLICT);
        assert!(jobs.add("b", None, once("k", "y")).unwrap().1, "each tenant has names of its own");
        jobs.remove("a", &first.id).unwrap();
        assert!(jobs.add("a", None, once("k", "y")).unwrap().1);
    }

    #[test]
    fn nobody_sees_anothers_jobs() {
        let jobs = Jobs::default();
        let (job, _) = jobs.add("a", None, None).unwrap();
        for wrong in [jobs.find("b", &job.id).map(drop), jobs.remove("b", &job.id)] {
            assert_eq!(wrong.unwrap_err().status(), StatusCode::NOT_FOUND);
        }
        assert!(jobs.list("b", None, None, 10).0.is_empty());
        assert_eq!(jobs.list("a", None, None, 10).0.len(), 1);
    }

    #[test]
    fn pages_follow_each_other() {
        let jobs = Jobs::default();
        for _ in 0..5 {
            jobs.add("a", None, None).unwrap();
        }
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let (page, next) = jobs.list("a", None, cursor.as_deref(), 2);
            assert!(page.len() <= 2);
            seen.extend(page.into_iter().map(|job| job.id));
            let Some(next) = next else { break };
            cursor = Some(next);
        }
        assert_eq!(seen.len(), 5);
        assert!(seen.is_sorted_by(|a, b| a > b), "{seen:?}");
        assert!(jobs.list("a", Some(JobStatus::Done), None, 10).0.is_empty());
    }

    #[test]
    fn the_oldest_that_is_over_makes_room() {
        let jobs = Jobs::default();
        let (first, _) = jobs.add("a", None, None).unwrap();
        for _ in 1..MOST_OF_ONE {
            jobs.add("a", None, None).unwrap();
        }
        assert_eq!(jobs.add("a", None, None).unwrap_err().status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(jobs.add("b", None, None).is_ok());
        first.finish(Err(Problem::invalid("x")));
        jobs.add("a", None, None).unwrap();
        assert!(jobs.find("a", &first.id).is_err());
    }
}
