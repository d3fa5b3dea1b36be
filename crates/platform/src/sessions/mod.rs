//! Sessions that outlive the command that made them: a server of the user's own, and the way to it.
//!
//! The server starts by itself when a session is first wanted, one for each user, on a socket that only that user can
//! reach, and ends when there has been no session for a while. Killed, it takes its sandboxes with it; nothing is left
//! but a socket that the next one replaces.
//!
//! | module | what it holds |
//! |---|---|
//! | [`place`] | the folder of the socket, made and checked |
//! | [`local`] | the sessions of this process |
//! | [`names`] | what callers call their sessions |
//! | [`use_cases`] | what front ends perform |
//! | [`anywhere`] | the same by what is asked of them, also where they are with other machines |
//! | [`wire`] | what is said on it |
//! | [`server`] | the server |
//! | [`client`] | the way to it, starting it where it does not run |

pub mod anywhere;
pub mod client;
pub mod local;
pub(crate) mod names;
pub mod place;
pub mod server;
pub mod use_cases;
pub mod wire;

pub use anywhere::{SessionAnswer, SessionCall, is_lost_session, is_no_session};
pub use client::{ServerStart, SessionClient, Watch};
pub use formicary_execution::sessions::Session;
pub use place::Place;
pub use use_cases::{
    CloseSession, CreateSession, GetFile, InterruptSession, ListFiles, ListSessions, PutFiles, RemoveFiles,
    ResetSession, RunCell, ShowSession,
};
