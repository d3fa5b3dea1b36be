//! What the guest agent and its controller say to each other. The program itself is `main.rs`.
//!
//! | module | what it holds |
//! |---|---|
//! | [`role`] | what the program can be started as |
//! | [`frame`] | the one framing of every stream: a length, then the content |
//! | [`message`] | the messages of a run and those of a session |
//! | [`locks`] | whose the kernel's file locks are: for controllers, too |
//! | [`sockets`] | what internet sockets hold: for controllers, too |

pub mod frame;
pub mod locks;
pub mod message;
pub mod role;
pub mod sockets;
