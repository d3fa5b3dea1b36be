//! One table of use-cases, run through every door. What differs from run to run is taken out; the rest must be the same.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test's helper fails the test by panicking")]
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "tests start the binary itself")]

mod cases;
mod cli;
mod compare;
mod http;
mod languages;
mod library;
mod mcp;
mod project;
mod redaction;
mod schemas;
mod twice;

static SKIPS: formicary_testkit::skips::Skips = formicary_testkit::skips::Skips::new();
