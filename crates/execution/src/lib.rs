//! Running code: validation, how each language is compiled and run, and the result.
//!
//! | module | what it holds |
//! |---|---|
//! | [`settings`] | what the executor is told at its start |
//! | [`guard`] | what a request may not hold |
//! | [`detect`] | which language code is in |
//! | [`registry`] | every language on one page, the user's own among them |
//! | [`toolchain`] | compilers and interpreters on the host |
//! | [`recipes`] | how each language is compiled and run |
//! | [`cache`] | what compilers made, kept for the next time |
//! | [`packages`] | what programs may import, installed before they run |
//! | [`sessions`] | sandboxes that live on between cells |
//! | [`status`] | what is known of a language on this host |
//! | [`executor`] | one request in, one result out |
//! | [`judging`] | programs against test cases |
//! | [`program`] | a program compiled once, to be run many times |

pub mod cache;
pub mod detect;
pub mod executor;
pub mod guard;
pub mod judging;
pub mod packages;
pub mod program;
pub mod recipes;
pub mod registry;
pub mod sessions;
pub mod settings;
pub mod status;
pub mod toolchain;

mod pipeline;

pub use cache::CacheSettings;
pub use detect::Detection;
pub use executor::{Executor, Live};
pub use packages::PackageSettings;
pub use pipeline::fingerprint::{code_bytes, code_hash};
pub use pipeline::run_id::{new as new_run_id, now_ms};
pub use program::{PreparedProgram, RunInput};
pub use registry::CustomLanguage;
pub use settings::{ExecutionSettings, ToolchainSearch};
pub use status::{Availability, LanguageOrigin, LanguageStatus};
