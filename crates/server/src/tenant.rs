//! Who calls, what it may do, and how much of it is left.

use crate::problem::Problem;
use axum::http::StatusCode;
use formicary_platform::keys::{KeyFile, KeyRecord, Quota, Scope};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The caller's name where there are no keys.
pub const LOCAL: &str = "local";
/// Between looks at the file of keys: a key that is revoked holds no longer than this.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const DAY: u64 = 86_400;

/// Who calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Tenant {
    /// Names it in runs, sessions and logs.
    pub id: String,
    /// What people call it.
    pub name: String,
    scopes: Vec<Scope>,
    /// How much it may do.
    pub quota: Quota,
}

impl Tenant {
    fn local() -> Self {
        Self { id: LOCAL.into(), name: LOCAL.into(), scopes: Scope::ALL.to_vec(), quota: Quota::default() }
    }

    /// Whether it may do this.
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Whether it may know of everybody's runs.
    pub fn is_admin(&self) -> bool {
        self.may(Scope::Admin)
    }
}

/// Everybody who may call.
pub struct Tenants {
    keys: Option<KeyFile>,
    known: Mutex<Known>,
    used: Mutex<BTreeMap<String, Used>>,
}

#[derive(Default)]
struct Known {
    looked: Option<Instant>,
    keys: Arc<Vec<KeyRecord>>,
}

struct Used {
    /// Requests that may come now, and when that was reckoned.
    tokens: f64,
    reckoned: Instant,
    day: u64,
    cpu_seconds: f64,
}

impl Tenants {
    /// The callers with these keys; without keys everybody who reaches the server.
    pub fn new(keys: Option<KeyFile>) -> Self {
        Self { keys, known: Mutex::default(), used: Mutex::default() }
    }

    /// Whether a key is needed.
    pub fn need_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Who presents this key, or none.
    pub fn recognise(&self, presented: Option<&str>) -> Result<Tenant, Problem> {
        let Some(file) = &self.keys else { return Ok(Tenant::local()) };
        let unauthorized = |detail: &str| {
            Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
                .hint("send `Authorization: Bearer fmk_…`; `formicary keys create` makes a key")
        };
        let Some(presented) = presented else { return Err(unauthorized("a key is needed")) };
        let keys = self.keys(file);
        let Some(key) = KeyFile::recognise(&keys, presented) else {
            return Err(unauthorized("the key is not known here"));
        };
        if key.is_expired(now()) {
            return Err(unauthorized("the key has expired"));
        }
        Ok(Tenant {
            id: key.id.clone(),
            name: key.name.clone(),
            scopes: key.scopes.clone(),
            quota: key.quota,
        })
    }

    /// Counts one request; too many in a minute are refused.
    pub fn count_request(&self, tenant: &Tenant) -> Result<(), Problem> {
        let Some(most) = tenant.quota.requests_per_minute.map(f64::from) else { return Ok(()) };
        let mut used = self.used();
        let used = used.entry(tenant.id.clone()).or_insert_with(|| Used::new(most));
        let passed = used.reckoned.elapsed().as_secs_f64();
        used.tokens = (used.tokens + passed * most / 60.0).min(most.max(1.0));
        used.reckoned = Instant::now();
        if used.tokens < 1.0 {
            let wait = if most > 0.0 { (1.0 - used.tokens) * 60.0 / most } else { 60.0 };
            let detail = format!("more than {most} requests came in a minute");
            return Err(too_many(detail, Duration::from_secs_f64(wait.ceil())));
        }
        used.tokens -= 1.0;
        Ok(())
    }

    /// Refuses work where the day's CPU time is used up.
    pub fn check_cpu(&self, tenant: &Tenant) -> Result<(), Problem> {
        let Some(most) = tenant.quota.cpu_seconds_per_day else { return Ok(()) };
        let now = now();
        let used =
            self.used().get(&tenant.id).filter(|used| used.day == now / DAY).map_or(0.0, |u| u.cpu_seconds);
        if used < most {
            return Ok(());
        }
        let detail = format!("the day's {most} seconds of CPU time are used up");
        Err(too_many(detail, Duration::from_secs(DAY - now % DAY)))
    }

    /// Notes CPU time that was used.
    pub fn charge(&self, tenant: &str, cpu_seconds: f64) {
        let day = now() / DAY;
        let mut used = self.used();
        let used = used.entry(tenant.to_owned()).or_insert_with(|| Used::new(f64::INFINITY));
        if used.day != day {
            (used.day, used.cpu_seconds) = (day, 0.0);
        }
        used.cpu_seconds += cpu_seconds.max(0.0);
    }

    /// The keys, looked at again from time to time. While the file cannot be read, what was known last holds.
    fn keys(&self, file: &KeyFile) -> Arc<Vec<KeyRecord>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.looked.is_none_or(|looked| looked.elapsed() >= LOOK_EVERY) {
            match file.list() {
                Ok(keys) => known.keys = Arc::new(keys),
                Err(failure) => tracing::warn!(%failure, "the keys cannot be read"),
            }
            known.looked = Some(Instant::now());
        }
        Arc::clone(&known.keys)
    }

    fn used(&self) -> MutexGuard<'_, BTreeMap<String, Used>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Used {
    fn new(tokens: f64) -> Self {
        Self { tokens, reckoned: Instant::now(), day: now() / DAY, cpu_seconds: 0.0 }
    }
}

/// A bound of the caller's own is reached.
pub fn too_many(detail: impl Into<String>, wait: Duration) -> Problem {
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
        .hint("come back after the time that Retry-After says")
        .retry_after(wait)
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_platform::keys::NewKey;

    fn made(quota: Quota, lifetime: Option<u64>) -> (tempfile::TempDir, Tenants, String, KeyFile) {
        let folder = tempfile::tempdir().unwrap();
        let file = KeyFile::new(folder.path().join("keys.json"));
        let new = NewKey { name: "a".into(), scopes: vec![Scope::Execute], lifetime, quota };
        let (_, key) = file.create(new, now()).unwrap();
        (folder, Tenants::new(Some(file.clone())), key, file)
    }

    #[test]
    fn keys_are_asked_for_and_looked_at() {
        let (_folder, tenants, key, _) = made(Quota::default(), None);
        let tenant = tenants.recognise(Some(&key)).unwrap();
        assert!(tenant.may(Scope::Execute) && !tenant.may(Scope::Review) && !tenant.is_admin());
        for wrong in [None, Some(""), Some("fmk_0")] {
            assert_eq!(tenants.recognise(wrong).unwrap_err().status(), StatusCode::UNAUTHORIZED);
        }
        let (_folder, tenants, key, _) = made(Quota::default(), Some(0));
        assert!(tenants.recognise(Some(&key)).unwrap_err().body(None).detail.contains("expired"));
        assert!(Tenants::new(None).recognise(None).unwrap().is_admin());
    }

    #[test]
    fn quotas_are_held_for_each_alone() {
        let quota =
            Quota { requests_per_minute: Some(2), cpu_seconds_per_day: Some(5.0), ..Quota::default() };
        let (_folder, tenants, key, _) = made(quota, None);
        let tenant = tenants.recognise(Some(&key)).unwrap();
        let other = Tenant { id: "other".into(), ..tenant.clone() };
        tenants.count_request(&tenant).unwrap();
        tenants.count_request(&tenant).unwrap();
        assert_eq!(tenants.count_request(&tenant).unwrap_err().status(), StatusCode::TOO_MANY_REQUESTS);
        tenants.count_request(&other).unwrap();
        tenants.charge(&tenant.id, 4.9);
        tenants.check_cpu(&tenant).unwrap();
        tenants.charge(&tenant.id, 0.2);
        assert_eq!(tenants.check_cpu(&tenant).unwrap_err().status(), StatusCode::TOO_MANY_REQUESTS);
        tenants.check_cpu(&other).unwrap();
    }
}
