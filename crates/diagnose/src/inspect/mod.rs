//! Breakpoints, stacks and variables, in the sandbox, by the languages' own debuggers.
//!
//! Two kinds of debuggers stand behind one trait, [`Debugger`]. Beside the program a small **driver** of ours is put into the
//! sandbox: a script for what the language brings along (Python's `bdb`, V8's inspector, the Java Debug Interface, gdb, Bash's
//! traps), which obeys a few commands, one JSON object a line ([`wire`]). Or an **adapter** of the Debug Adapter Protocol
//! (delve, LLDB's, debugpy; [`adapters`]) is started there and spoken to by the small client in [`dap`]. Debugger and program
//! are equally confined; what they say is data.
//!
//! | module | what it holds |
//! |---|---|
//! | [`drivers`] | which debuggers a language has, which is taken, and how it is started |
//! | [`debugger`] | what every debugger can do |
//! | [`line`] | bytes in and out of the sandbox |
//! | [`own`] | drivers of ours |
//! | [`wire`] | their commands and what comes back |
//! | [`adapters`] | adapters, as data |
//! | [`dap`] | the client for them |
//! | [`session`] | a program that can be stopped |
//! | [`scripted`] | stopping by a list, without a person |
//! | [`typescript`] | TypeScript, inspected as what it becomes |

pub mod adapters;
pub mod dap;
pub mod debugger;
pub mod drivers;
pub mod line;
pub mod own;
pub mod scripted;
pub mod session;
pub mod typescript;
pub mod wire;

pub use debugger::{Debugger, Happened, Trouble};
pub use session::{Session, with_session};
