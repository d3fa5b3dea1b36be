//! The audit log as the façade keeps it: opened once, told of every run, searched and looked after.
//!
//! | module | what it holds |
//! |---|---|
//! | [`keeping`] | where the log is, and what happens when it cannot be written |
//! | [`reading`] | verify, query, export, prune |
//! | [`time`] | moments as people write them |

pub mod keeping;
pub mod reading;
pub mod time;

pub use formicary_monitoring::audit::{
    AuditRecord, Filter, Order, Problem, RecordKind, Sealed, Verification, search::COLUMNS,
    search::export_csv,
};
