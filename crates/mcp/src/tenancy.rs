//! What of a call hangs on who calls: the name in logs, bounds of memory, what is charged, and sessions, of which each tenant
//! has its own.

use crate::call::Call;
use crate::inputs::invalid;
use formicary_model::{Caller, Failure, FailureKind, LimitOverrides, SessionInfo};
use formicary_platform::local_caller;
use formicary_platform::sessions::Session;
use formicary_platform::tenants::LOCAL;
use std::sync::Arc;

impl Call {
    /// Who asks, for monitors and the audit log.
    pub(crate) fn caller(&self) -> Caller {
        if self.tenant.id == LOCAL {
            return local_caller().through("mcp");
        }
        Caller::new(&self.tenant.name).of(&self.tenant.id).through("mcp")
    }

    /// Notes CPU time that was used.
    pub(crate) fn charge(&self, cpu_seconds: f64) {
        self.house.tenants.charge(&self.tenant.id, cpu_seconds);
    }

    /// Memory within what the caller may have.
    pub(crate) fn bound(&self, limits: &mut LimitOverrides) -> Result<(), Failure> {
        let Some(most) = self.tenant.quota.memory_bytes else { return Ok(()) };
        match limits.memory_bytes {
            Some(asked) if asked > most => Err(invalid(
                format!("memory_bytes is {asked}, at most {most} may be asked for"),
                "ask for less",
            )),
            Some(_) => Ok(()),
            None => {
                let usual = self.platform().configuration().number("limits.memory_bytes") as u64;
                limits.memory_bytes = (usual > most).then_some(most);
                Ok(())
            }
        }
    }

    fn prefix(&self) -> String {
        if self.tenant.id == LOCAL { String::new() } else { format!("{}-", self.tenant.id) }
    }

    /// The name of a session inside, where names of all tenants stand beside each other.
    pub(crate) fn inside(&self, id: &str) -> String {
        self.prefix() + id
    }

    /// A session as its owner knows it; nothing where it is another's.
    pub(crate) fn outside(&self, mut info: SessionInfo) -> Option<SessionInfo> {
        info.id = info.id.strip_prefix(&self.prefix())?.to_owned();
        Some(info)
    }

    /// The caller's session of this name. A name that is wrong must not lead to those of others: nothing is suggested.
    pub(crate) fn session(&self, id: &str) -> Result<Arc<Session>, Failure> {
        let found = self.platform().sessions()?.find(&self.inside(id));
        if self.prefix().is_empty() {
            return found;
        }
        found.map_err(|_| {
            let shown: String = id.chars().take(80).collect();
            invalid(format!("there is no session {shown:?}"), "session_list lists them")
        })
    }

    /// The name inside of a session that the caller makes. Where several share a server, nobody takes every session that
    /// there may be.
    pub(crate) fn new_session_name(&self, asked: Option<String>) -> Result<Option<String>, Failure> {
        let prefix = self.prefix();
        if prefix.is_empty() {
            return Ok(asked);
        }
        let most = self.platform().configuration().number("sessions.most") as usize;
        let all = self.platform().sessions()?.list();
        let own = all.iter().filter(|info| info.id.starts_with(&prefix)).count();
        if own >= most.div_ceil(2) {
            return Err(invalid(format!("{own} sessions are open, no more are allowed"), "close one"));
        }
        let fits = |id: &String| {
            (1..=40).contains(&id.len())
                && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
        };
        match asked {
            Some(id) if fits(&id) => Ok(Some(prefix + &id)),
            Some(_) => Err(invalid("the id cannot be a session's", "use 1 to 40 letters, digits, _ and -")),
            None => {
                let mut random = [0; 8];
                getrandom::fill(&mut random).map_err(|error| {
                    let why = format!("the host gives no random numbers: {error}");
                    Failure::new(FailureKind::Internal, why)
                })?;
                Ok(Some(format!("{prefix}s{:016x}", u64::from_be_bytes(random))))
            }
        }
    }
}
