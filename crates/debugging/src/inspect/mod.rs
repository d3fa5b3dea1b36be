//! Breakpoints, stacks and variables, in the sandbox, by the debuggers that languages bring along.
//!
//! Beside the program a small **driver** is put into the sandbox: a script of ours for the language's own debugger (Python's
//! `bdb`, V8's inspector, the Java Debug Interface, gdb for C, C++, Rust and Go, Bash's traps). All drivers obey the same few
//! commands, one JSON object a line ([`wire`]), so that there is one [`Session`] for all languages. The debugger and the
//! program are equally confined; what they say is data.
//!
//! | module | what it holds |
//! |---|---|
//! | [`drivers`] | which driver a language has, and how it is started |
//! | [`wire`] | commands and what comes back |
//! | [`session`] | a program that can be stopped |
//! | [`scripted`] | stopping by a list, without a person |
//! | [`typescript`] | TypeScript, inspected as what it becomes |

pub mod drivers;
pub mod scripted;
pub mod session;
pub mod typescript;
pub mod wire;

pub use session::{Happened, Session, Trouble, with_session};
