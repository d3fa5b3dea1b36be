//! What the jail and its controller say to each other.
//!
//! The controller links this small library; the recipe itself lives in the binary of the same package, which the
//! controller starts as a process of its own (see `main.rs` for the map).
//!
//! | module | what it holds |
//! |---|---|
//! | [`spec`] | the order that the controller gives |
//! | [`message`] | what the jail answers |
//! | [`calls`] | system calls that are refused, by name |

#![no_std]

extern crate alloc;

pub mod calls;
pub mod message;
pub mod spec;
