//! The small single-threaded program that builds native sandboxes, and what it and its controller say to each other.
//!
//! The controller links only the messages; the recipe is behind the feature `standalone` and becomes two programs of
//! its own: `main.rs`, started as a process, and `zygote.rs`, loaded as a module by a Python interpreter that stands
//! ready.
//!
//! | module | what it holds |
//! |---|---|
//! | [`spec`] | the orders that the controller gives |
//! | [`message`] | what the jail answers |
//! | [`calls`] | system calls that are refused, by name |
//! | [`users`] | which user a sandbox runs as, outside |
//! | `supervisor` | the process outside, where there is one: makes the namespaces, ends everything |
//! | `init` | a sandbox's first process: the recipe, by numbered steps |
//! | `nursery`, `cradle` | sandboxes made ahead: where they are born, and how they wait for their order |
//! | `payload` | becoming the program |
//! | `traffic` | what happened in a sandbox's network |
//! | `root`, `confine` | the file system; privileges taken away |
//! | `sys` | every system call |

#![no_std]

extern crate alloc;

pub mod calls;
pub mod message;
pub mod spec;
pub mod users;

#[cfg(feature = "standalone")]
mod confine;
#[cfg(feature = "standalone")]
pub mod cradle;
#[cfg(feature = "standalone")]
mod init;
#[cfg(feature = "standalone")]
pub mod nursery;
#[cfg(feature = "standalone")]
mod payload;
#[cfg(feature = "standalone")]
mod report;
#[cfg(feature = "standalone")]
mod root;
#[cfg(feature = "standalone")]
pub mod supervisor;
#[cfg(feature = "standalone")]
pub mod sys;
#[cfg(feature = "standalone")]
mod traffic;
