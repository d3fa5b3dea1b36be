//! The façade that every door talks to.
//!
//! | module | what it holds |
//! |---|---|
//! | [`facade`] | one method a use-case |
//! | [`config`] | where settings come from and what they resolve to |
//! | [`exit`] | the one table of how things end |
//! | [`doctor`] | what this host offers, what is missing, how to get it |
//! | [`agent`] | tasks solved by a model, in the sandbox; runs kept, resumed, replayed |
//! | [`debugging`] | why something failed, and mending it by its tests |
//! | [`elsewhere`] | other machines that run what this one is asked for |
//! | [`execute`] | one program to its end |
//! | [`judge`] | programs against test cases, many at a time |
//! | [`images`] | the images that containers start from |
//! | [`keys`] | who may call a server, for what, and how much |
//! | [`operation`] | what the operator of a host asks: languages, runs, audit log, images, caches |
//! | [`packages`] | what programs may import; what is kept for the next time |
//! | [`program`] | the program of a request: code, a file, a directory |
//! | [`patterns`] | finding and changing code by its shape, who calls whom, copies, what a change consists of |
//! | [`review`] | what is wrong with code, and whether a change made it worse |
//! | [`seeds`] | the names of the mission's first documents |
//! | [`shelf`] | small files that outlive the process |
//! | [`sessions`] | sessions that outlive the command that made them |
//! | [`tenants`] | callers of a server by their keys: what each may do, and how much of it is left |
//! | [`uploads`] | files that come with a request, in a private folder for as long as they are needed |
//! | [`monitoring`] | whether runs can be made, figures for a scraper |
//! | [`audit`] | the log of every execution |
//! | [`testing`] | running a project's tests, whatever the framework |
//! | [`artifacts`] | writing collected files into a folder, safely |
//!
//! What the doors need of the engines is re-exported here, so that they depend on this crate and the model alone.

#[cfg(feature = "agent")]
pub mod agent;
pub mod audit;
mod commands;
pub mod debugging;
pub mod elsewhere;
pub mod execute;
pub mod exit;
pub mod facade;
pub mod images;
pub mod judge;
pub mod monitoring;
pub mod operation;
pub mod packages;
pub mod patterns;
pub mod policy;
pub mod program;
pub mod registry;
pub mod review;
pub mod seeds;
pub mod sessions;
pub mod testing;
pub mod use_case;
pub mod workspace;

pub use elsewhere::Elsewhere;
pub use facade::{Monitors, Platform, local_caller};
pub use formicary_access::{ids, keys, tenants};
pub use formicary_diagnose::failures::text::Said;
pub use formicary_doctor as doctor;
pub use formicary_execution::code_hash;
pub use formicary_execution::judging;
pub use formicary_execution::packages::KeptEnvironment;
pub use formicary_execution::{Availability, Detection, LanguageOrigin, LanguageStatus, Live};
pub use formicary_files::{Viewpoint, create_named, open_named, write_named};
pub use formicary_files::{artifacts, confined as root, shelf, uploads};
pub use formicary_model::Caller;
pub use formicary_monitoring::prometheus::MEDIA_TYPE as PROMETHEUS_MEDIA_TYPE;
pub use formicary_sandbox::Cancel;
pub use formicary_sandbox::provider::Stdin;
pub use formicary_sandbox::providers::docker::stock::StockedImage;
pub use formicary_settings::{self as config, key};
