//! Sessions that outlive the command that made them: a server of the user's own, and the way to it.
//!
//! The server starts by itself when a session is first wanted, one for each user, on a socket that only that user can
//! reach, and ends when there has been no session for a while. Killed, it takes its sandboxes with it; nothing is left
//! but a socket that the next one replaces.
//!
//! | module | what it holds |
//! |---|---|
//! | [`call`] | what a session can be asked, wherever it is |
//! | [`names`] | what callers call their sessions |
//! | [`place`] | the directory of the socket, made and checked |
//! | [`wire`] | the messages on it |
//! | [`server`] | the server |
//! | [`client`] | the way to it, starting it where it does not run |

pub mod call;
pub mod client;
pub mod names;
pub mod place;
pub mod server;
pub mod wire;

pub use call::{SessionAnswer, SessionCall, is_lost_session, is_no_session};
pub use client::{ServerStart, SessionClient, Watch};
pub use names::SessionNames;
pub use place::Place;
