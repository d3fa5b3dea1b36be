//! The agent of a session: the first program of its sandbox. It starts the interpreter, and starts it again when it has died, so
//! that files outlive it; it keeps output, answers and files apart on one stream; and it signals the interpreter from inside,
//! where process numbers mean something. What it is asked and reports: `formicary_guest::message::session`.
//!
//! | module | what it does |
//! |---|---|
//! | [`serve`] | orders in, reports out |
//! | [`interpreter`] | its pipes, its start and its end |
//! | [`files`] | the session's files as reports |

mod files;
mod interpreter;
mod serve;

pub use serve::serve;
