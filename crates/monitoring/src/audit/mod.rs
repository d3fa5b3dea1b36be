//! The audit log: every execution and every refused one, in a chain of records that tells when something in it was changed.
//!
//! | module | what it holds |
//! |---|---|
//! | [`record`] | what a record says |
//! | [`chain`] | how records hang together, and how a broken link is found |
//! | [`store`] | what keeps them, seen from outside |
//! | [`sqlite`] | a file of one's own |
//! | [`postgres`] | a server that many machines share |
//! | [`log`] | from events to records: durable before a result is returned, many at a time |
//! | [`search`] | finding records, writing them out |
//! | [`retention`] | letting old ones go without breaking the chain |

pub mod chain;
pub mod log;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(not(feature = "postgres"))]
#[path = "without_postgres.rs"]
pub mod postgres;
pub mod record;
pub mod retention;
pub mod search;
pub mod sqlite;
pub mod store;

pub use chain::{Problem, Sealed, Verification, verify, verify_archive};
pub use log::{AuditLog, AuditSettings, CodeKept, Ends, Flush, Refusal, Required, Writing};
pub use record::{AuditRecord, Pruned, RecordKind};
pub use retention::Retention;
pub use search::{Filter, export_csv, search};
pub use store::{AuditError, AuditStore, Durability, Head, Order};

/// The store that a place names: a PostgreSQL server by `postgres://…`, else a file.
pub fn open(place: &str) -> Result<Box<dyn AuditStore>, AuditError> {
    if ["postgres://", "postgresql://"].iter().any(|scheme| place.starts_with(scheme)) {
        return Ok(Box::new(postgres::PostgresStore::connect(place)?));
    }
    Ok(Box::new(sqlite::SqliteStore::open(std::path::Path::new(place))?))
}

/// The store in this file, for a log whose records need not be on the disk when a run ends: closing it flushes nothing.
pub fn open_unflushed(file: &std::path::Path) -> Result<Box<dyn AuditStore>, AuditError> {
    Ok(Box::new(sqlite::SqliteStore::open_unflushed(file)?))
}
