//! Sessions: a sandbox that lives on between cells, with its files and, for Python, JavaScript and Bash, its live
//! interpreter.
//!
//! The sandbox's first program is the guest agent (`formicary-guest`), embedded here. It starts the interpreter with a
//! small driver and starts it anew when it has died; so files outlive the interpreter without being moved. When the
//! whole sandbox dies, the provider's safe collector brings the files back and the next sandbox is given them.
//!
//! The working folder lies on the sandbox's own sized file system, not in a folder of the host: there the kernel
//! holds the disk limit, nothing on the host ever opens a path that a cell controls, and nothing is left behind when
//! Formicary is killed. Outside a sandbox a workspace is a list of shared, never changing byte strings
//! ([`formicary_sandbox::InputFile`]), so that a copy of a session can share them until one side writes.
//!
//! | module | what it holds |
//! |---|---|
//! | [`roster`] | all sessions of one process: made, found, ended when idle |
//! | [`session`] | one session: whose turn it is, what it counts |
//! | [`live`] | cells in a live interpreter |
//! | [`stored`] | cells of other languages: a run each, with the session's files |
//! | [`kept`] | a running sandbox and its guest agent |
//! | [`drivers`] | how each live language is started, asked and understood |
//! | [`settings`] | how many, how long |

mod drivers;
mod kept;
mod live;
mod roster;
mod session;
mod settings;
mod stored;

pub use roster::SessionManager;
pub use session::Session;
pub use settings::SessionSettings;
