//! Sessions wherever they are: in this process, or with a worker of the cluster in front of which this platform stands.

use super::{SessionAnswer, SessionCall};
use crate::facade::{Platform, local_caller};
use formicary_model::{Caller, CellRequest, CellResult, Failure, SessionInfo, Stream};

impl Platform {
    /// Asks a session, wherever this platform's sessions are.
    pub fn session(&self, call: SessionCall) -> Result<SessionAnswer, Failure> {
        match self.elsewhere.get() {
            Some(elsewhere) => elsewhere.session(call),
            None => self.session_here(call),
        }
    }

    /// Asks a session of this process.
    pub fn session_here(&self, call: SessionCall) -> Result<SessionAnswer, Failure> {
        formicary_sessions::call::perform(self.sessions()?, call, |caller, id, cell| {
            let caller = caller.cloned().unwrap_or_else(local_caller);
            self.run_cell_as(&caller, id, cell, &(), &mut |_, _| {})
        })
    }

    /// The sessions whose names begin so, wherever they are.
    pub fn sessions_named(&self, prefix: &str) -> Result<Vec<SessionInfo>, Failure> {
        if let Some(elsewhere) = self.elsewhere.get() {
            return elsewhere.sessions(prefix);
        }
        let mut all = self.sessions()?.list();
        all.retain(|info| info.id.starts_with(prefix));
        Ok(all)
    }

    /// Runs a cell where its session is. Its output comes at its end.
    pub(super) fn run_cell_elsewhere(
        &self,
        caller: &Caller,
        id: &str,
        cell: &CellRequest,
        watch: &mut (dyn FnMut(Stream, &[u8]) + Send),
    ) -> Result<CellResult, Failure> {
        let call = SessionCall::RunAs(id.to_owned(), cell.clone(), caller.clone());
        let result = self.session(call)?.cell()?;
        for (stream, text) in [(Stream::Stdout, &result.stdout), (Stream::Stderr, &result.stderr)] {
            if !text.is_empty() {
                watch(stream, text.as_bytes());
            }
        }
        Ok(result)
    }
}
