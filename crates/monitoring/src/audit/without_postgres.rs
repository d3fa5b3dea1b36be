//! What stands for the store on a PostgreSQL server in a build without the feature `postgres`.

use super::chain::Sealed;
use super::record::AuditRecord;
use super::store::{AuditError, AuditStore, Head, Order};
use std::path::PathBuf;

/// A server that keeps records: there is none in this build.
pub enum PostgresStore {}

impl PostgresStore {
    /// Says what this build is without. The address is not repeated, for it may hold a password.
    pub fn connect(_: &str) -> Result<Self, AuditError> {
        Err(AuditError {
            place: "a PostgreSQL server".into(),
            why: "this build is without PostgreSQL; the feature `postgres` brings it".into(),
        })
    }
}

impl AuditStore for PostgresStore {
    fn place(&self) -> String {
        match *self {}
    }

    fn append(&mut self, _: &[AuditRecord]) -> Result<(), AuditError> {
        match *self {}
    }

    fn unsettled(&self) -> Option<PathBuf> {
        match *self {}
    }

    fn head(&mut self) -> Result<Head, AuditError> {
        match *self {}
    }

    fn page(&mut self, _: u64, _: Order, _: usize) -> Result<Vec<Sealed>, AuditError> {
        match *self {}
    }

    fn last_before(&mut self, _: u64) -> Result<u64, AuditError> {
        match *self {}
    }

    fn forget(&mut self, _: &Sealed, _: AuditRecord) -> Result<(), AuditError> {
        match *self {}
    }

    fn bytes(&mut self) -> Option<u64> {
        match *self {}
    }
}
