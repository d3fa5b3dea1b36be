//! What the keeper and the engine outside the sandbox say to one another.
//!
//! The keeper is the first program of a session's sandbox. It starts the interpreter and starts it anew when it has
//! died, so that files outlive it; it keeps output, answers and files apart on one stream; and it signals the
//! interpreter from inside, where process numbers mean something. Everything that comes from it is checked outside:
//! the code beside it may have taken it over, and can then hurt its own session alone.
//!
//! | module | what it holds |
//! |---|---|
//! | [`message`] | the messages of both directions |
//! | [`frame`] | how they are told apart on a stream |

pub mod frame;
pub mod message;
