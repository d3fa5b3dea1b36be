//! Sessions through the façade: those of this process, those of other machines, and the user's own server.
//!
//! | module | what it holds |
//! |---|---|
//! | [`local`] | the sessions of this process |
//! | [`anywhere`] | the same wherever they are |
//! | [`use_cases`] | what front ends perform |

pub mod anywhere;
pub mod local;
pub mod use_cases;

use crate::facade::Platform;
use formicary_model::Failure;
use formicary_sessions::server::{self, Served};

pub use formicary_execution::sessions::Session;
pub use formicary_sessions::{
    Place, ServerStart, SessionAnswer, SessionCall, SessionClient, Watch, is_lost_session, is_no_session,
};
pub use use_cases::{
    CloseSession, CreateSession, GetFile, InterruptSession, ListFiles, ListSessions, PutFiles, RemoveFiles,
    ResetSession, RunCell, ShowSession,
};

/// Serves this process's sessions to their user until there has been none for the configured time.
pub fn serve(platform: &Platform, place: &Place) -> Result<(), Failure> {
    let sessions = platform.sessions();
    server::serve(
        Served {
            sessions: sessions.as_ref().copied(),
            run: &|id, cell, watch| platform.run_cell(id, cell, watch),
            linger: platform.settings().sessions.linger_seconds,
        },
        place,
    )
}
