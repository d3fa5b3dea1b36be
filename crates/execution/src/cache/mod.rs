//! The compile cache: what a compiler made of a source, kept under a name made of everything that shaped it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`key`] | the name: sources, flags, environment, recipe, compiler |
//! | [`identity`] | what is known of a compiler on the host without starting it |
//! | [`entry`] | one entry's file: written whole or not at all, checked when read |
//! | [`store`] | the folder: who may own it, how large it may grow, what goes first |
//!
//! Only the controller writes, and only what a confined compiler left under full protection: a program can influence
//! the entry of its own source and no other. A damaged or foreign entry is a miss and is removed.

pub mod entry;
pub mod identity;
pub mod key;
pub mod store;

pub use entry::Entry;
pub use key::Key;
pub use store::{CacheSettings, CompileCache};
