//! Programs of ours that run inside sandboxes, as bytes: a caller of the libraries, whatever its own binary is, can start them
//! without anything being installed.
//!
//! They are built by this crate's build script alone, one after the other, into one target directory: what they depend on is
//! compiled once, and no build of theirs waits for another.

/// The jail, which builds native sandboxes: no C library, no start files.
pub static JAIL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/formicary-jail"));

/// The jail as a module for Python interpreters that stand ready.
pub static ZYGOTE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/formicary-zygote.so"));

/// The guest agent.
pub static GUEST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/formicary-guest"));

/// What turns TypeScript into JavaScript.
#[cfg(feature = "typestrip")]
pub static TYPESTRIP: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/formicary-typestrip"));
