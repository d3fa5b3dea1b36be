//! What callers call their sessions. Names of all callers stand beside each other inside, each behind its owner's prefix, so
//! that callers who share a host neither meet nor learn of each other's.

use crate::call::{is_lost_session, is_no_session};
use formicary_model::failure::code;
use formicary_model::{Failure, FailureKind, SessionInfo};

/// Letters of a name at most, where a prefix goes before it.
const MOST_LETTERS: usize = 40;

/// The names of one caller's sessions.
#[derive(Debug, Clone, Default)]
pub struct SessionNames {
    prefix: String,
    shared: bool,
}

impl SessionNames {
    /// Names of a tenant's own. Whether it shares the host with others decides how many sessions it may have.
    pub fn of_tenant(id: &str, shared: bool) -> Self {
        Self { prefix: format!("{id}-"), shared }
    }

    /// What the names inside begin with.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether others have sessions here too.
    pub fn is_shared(&self) -> bool {
        self.shared
    }

    /// The name inside. One that no session can have is not there.
    pub fn inside(&self, id: &str) -> Result<String, Failure> {
        if self.prefix.is_empty() {
            return Ok(id.to_owned());
        }
        if is_name(id) { Ok(format!("{}{id}", self.prefix)) } else { Err(unknown(id)) }
    }

    /// The name of a session that is to be made, as its caller will know it; nothing if it is made up later.
    pub fn new_name(&self, id: Option<String>) -> Result<Option<String>, Failure> {
        match id {
            id if self.prefix.is_empty() => Ok(id),
            Some(id) if is_name(&id) => Ok(Some(id)),
            Some(id) => {
                let message = format!("{:?} cannot be the name of a session", shown(&id));
                Err(Failure::new(FailureKind::InvalidInput, message)
                    .hint("use 1 to 40 letters, digits, _ and -"))
            }
            None => {
                let mut random = [0; 8];
                getrandom::fill(&mut random).map_err(|error| {
                    let message = format!("the host gives no random numbers: {error}");
                    Failure::new(FailureKind::Internal, message)
                })?;
                Ok(Some(format!("s{:016x}", u64::from_be_bytes(random))))
            }
        }
    }

    /// A session as its owner knows it; nothing if it is another's.
    pub fn outside(&self, mut info: SessionInfo) -> Option<SessionInfo> {
        info.id = info.id.strip_prefix(&self.prefix)?.to_owned();
        Some(info)
    }

    /// A failure of a session as its caller may see it: without the names inside, and without a hint at others' sessions.
    pub fn explain(&self, id: &str, failure: Failure) -> Failure {
        if self.prefix.is_empty() {
            return failure;
        }
        if is_no_session(&failure) {
            return unknown(id);
        }
        if failure.is(code::TAKEN_SESSION) {
            let message = format!("there is a session {:?} already", shown(id));
            return Failure::new(FailureKind::InvalidInput, message)
                .code(code::TAKEN_SESSION)
                .hint("choose another name, or close it first");
        }
        let plain = |text: String| text.replace(&self.prefix, "");
        let kind = if is_lost_session(&failure) { FailureKind::NotFound } else { failure.kind };
        Failure { kind, message: plain(failure.message), hint: failure.hint.map(plain), ..failure }
    }
}

fn is_name(id: &str) -> bool {
    (1..=MOST_LETTERS).contains(&id.len())
        && id.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
}

fn unknown(id: &str) -> Failure {
    Failure::new(FailureKind::NotFound, format!("there is no session {:?}", shown(id)))
        .code(code::UNKNOWN_SESSION)
        .hint("it may have been idle for too long; the list of sessions names those that are there")
}

fn shown(id: &str) -> String {
    id.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_learns_what_sessions_are_called_inside() {
        let names = SessionNames::of_tenant("t1", true);
        assert_eq!(names.inside("work").unwrap(), "t1-work");
        for wrong in ["", "../x", "a b", "é", &"x".repeat(41)] {
            assert_eq!(names.inside(wrong).unwrap_err().kind, FailureKind::NotFound, "{wrong}");
            assert_eq!(names.new_name(Some(wrong.into())).unwrap_err().kind, FailureKind::InvalidInput);
        }
        assert!(names.new_name(None).unwrap().unwrap().starts_with('s'));
        let failure = |code: &'static str| {
            let inside = "session \"t1-work\" did you mean \"t1-other\"?";
            Failure::new(FailureKind::InvalidInput, inside).hint(inside).code(code)
        };
        for code in [code::UNKNOWN_SESSION, code::LOST_SESSION, code::TAKEN_SESSION, "another"] {
            let explained = names.explain("work", failure(code));
            assert!(!format!("{explained:?}").contains("t1-"), "{explained:?}");
            assert!(explained.is(code), "{explained:?}");
        }
        let local = SessionNames::default();
        assert_eq!(local.inside("work").unwrap(), "work");
        assert_eq!(local.explain("work", failure("another")), failure("another"));
        assert_eq!(local.new_name(None).unwrap(), None);
    }
}
