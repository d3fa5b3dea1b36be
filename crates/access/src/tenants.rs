//! Who calls, what it may do, and how much of it is left: the same for every door that others can reach.

use crate::keys::{KeyFile, KeyRecord, Quota, Scope};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The caller's name where there are no keys.
pub const LOCAL: &str = "local";
/// Between looks at the file of keys: a key that is revoked holds no longer than this.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const DAY: u64 = 86_400;

/// Why a caller is turned away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// Its key is absent, unknown or expired.
    Unknown(&'static str),
    /// A bound of its own is reached.
    TooMuch {
        /// Which, in one line.
        detail: String,
        /// When it is worth another try.
        wait: Duration,
    },
}

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
    /// Whoever calls where no key is asked for.
    pub fn local() -> Self {
        Self { id: LOCAL.into(), name: LOCAL.into(), scopes: Scope::ALL.to_vec(), quota: Quota::default() }
    }

    /// A tenant with these scopes and no bounds of its own.
    pub fn with_scopes(scopes: &[Scope]) -> Self {
        Self { id: "tenant".into(), name: "tenant".into(), scopes: scopes.to_vec(), quota: Quota::default() }
    }

    /// What it may do.
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
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
    under_way: Mutex<BTreeMap<String, u32>>,
}

/// A call under way; it is over when this is dropped.
pub struct UnderWay {
    tenants: Arc<Tenants>,
    tenant: String,
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
        Self { keys, known: Mutex::default(), used: Mutex::default(), under_way: Mutex::default() }
    }

    /// Whether a key is needed.
    pub fn need_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Who presents this key, or none.
    pub fn recognise(&self, presented: Option<&str>) -> Result<Tenant, Refused> {
        let Some(file) = &self.keys else { return Ok(Tenant::local()) };
        let Some(presented) = presented else { return Err(Refused::Unknown("a key is needed")) };
        let keys = self.keys(file);
        let Some(key) = KeyFile::recognise(&keys, presented) else {
            return Err(Refused::Unknown("the key is not known here"));
        };
        if key.is_expired(now()) {
            return Err(Refused::Unknown("the key has expired"));
        }
        Ok(Tenant {
            id: key.id.clone(),
            name: key.name.clone(),
            scopes: key.scopes.clone(),
            quota: key.quota,
        })
    }

    /// Counts one request; too many in a minute are refused.
    pub fn count_request(&self, tenant: &Tenant) -> Result<(), Refused> {
        let Some(most) = tenant.quota.requests_per_minute.map(f64::from) else { return Ok(()) };
        let mut used = self.used();
        let used = used.entry(tenant.id.clone()).or_insert_with(|| Used::new(most));
        let passed = used.reckoned.elapsed().as_secs_f64();
        used.tokens = (used.tokens + passed * most / 60.0).min(most.max(1.0));
        used.reckoned = Instant::now();
        if used.tokens < 1.0 {
            let wait = if most > 0.0 { (1.0 - used.tokens) * 60.0 / most } else { 60.0 };
            let detail = format!("more than {most} requests came in a minute");
            return Err(Refused::TooMuch { detail, wait: Duration::from_secs_f64(wait.ceil()) });
        }
        used.tokens -= 1.0;
        Ok(())
    }

    /// Refuses work where the day's CPU time is used up.
    pub fn check_cpu(&self, tenant: &Tenant) -> Result<(), Refused> {
        let Some(most) = tenant.quota.cpu_seconds_per_day else { return Ok(()) };
        let now = now();
        let used =
            self.used().get(&tenant.id).filter(|used| used.day == now / DAY).map_or(0.0, |u| u.cpu_seconds);
        if used < most {
            return Ok(());
        }
        let detail = format!("the day's {most} seconds of CPU time are used up");
        Err(Refused::TooMuch { detail, wait: Duration::from_secs(DAY - now % DAY) })
    }

    /// Begins a call, where the tenant has not as many under way as it may.
    pub fn begin(self: &Arc<Self>, tenant: &Tenant) -> Result<UnderWay, Refused> {
        let mut under_way = self.under_way();
        let own = under_way.entry(tenant.id.clone()).or_default();
        if tenant.quota.concurrency.is_some_and(|most| *own >= most) {
            let detail = "the caller has as many requests under way as it may".to_owned();
            return Err(Refused::TooMuch { detail, wait: Duration::from_secs(1) });
        }
        *own += 1;
        Ok(UnderWay { tenants: Arc::clone(self), tenant: tenant.id.clone() })
    }

    fn under_way(&self) -> MutexGuard<'_, BTreeMap<String, u32>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
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

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut under_way = self.tenants.under_way();
        if let Some(own) = under_way.get_mut(&self.tenant) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                under_way.remove(&self.tenant);
            }
        }
    }
}

impl Used {
    fn new(tokens: f64) -> Self {
        Self { tokens, reckoned: Instant::now(), day: now() / DAY, cpu_seconds: 0.0 }
    }
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::NewKey;

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
            assert!(matches!(tenants.recognise(wrong), Err(Refused::Unknown(_))), "{wrong:?}");
        }
        let (_folder, tenants, key, _) = made(Quota::default(), Some(0));
        assert_eq!(tenants.recognise(Some(&key)), Err(Refused::Unknown("the key has expired")));
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
        assert!(matches!(tenants.count_request(&tenant), Err(Refused::TooMuch { .. })));
        tenants.count_request(&other).unwrap();
        tenants.charge(&tenant.id, 4.9);
        tenants.check_cpu(&tenant).unwrap();
        tenants.charge(&tenant.id, 0.2);
        assert!(matches!(tenants.check_cpu(&tenant), Err(Refused::TooMuch { .. })));
        tenants.check_cpu(&other).unwrap();
    }

    #[test]
    fn so_many_calls_are_under_way_and_no_more() {
        let (_folder, tenants, key, _) = made(Quota { concurrency: Some(2), ..Quota::default() }, None);
        let tenants = Arc::new(tenants);
        let tenant = tenants.recognise(Some(&key)).unwrap();
        let other = Tenant { id: "other".into(), ..tenant.clone() };
        let (first, _second) = (tenants.begin(&tenant).unwrap(), tenants.begin(&tenant).unwrap());
        assert!(matches!(tenants.begin(&tenant), Err(Refused::TooMuch { .. })));
        drop((tenants.begin(&other).unwrap(), first));
        tenants.begin(&tenant).unwrap();
    }
}
