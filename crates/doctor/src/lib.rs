//! What this host offers, what is missing, how to get it, and what would be enforced.
//!
//! | module | what it holds |
//! |---|---|
//! | [`conclusion`] | all of it in one line |
//! | [`examine`](mod@examine) | from the host and its providers to the report |
//! | [`host`] | facts about the kernel and the machine, read from its files |
//! | [`remedies`] | how to get a protection that is missing |
//! | [`report`] | the examination as it is reported |

pub mod conclusion;
mod examine;
pub mod host;
pub mod remedies;
pub mod report;

pub use conclusion::Conclusion;
pub use examine::examine;
pub use host::{Fact, Verdict};
pub use report::{AuditReport, DebuggerReport, DoctorReport, LevelReport, ProtectionReport, ProviderReport};
