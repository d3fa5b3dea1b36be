//! What the warden and its controller say to each other. The program itself is `main.rs`.
//!
//! | module | what it holds |
//! |---|---|
//! | [`frame`] | pieces of a byte stream with a length and a kind |
//! | [`message`] | the order, and the answers |
//! | [`locks`] | whose the kernel's file locks are: for controllers, too |

pub mod frame;
pub mod locks;
pub mod message;
