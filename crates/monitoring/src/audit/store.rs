//! What keeps records, seen from outside. A store seals what it is given into the chain within one transaction, so that
//! several processes may write to it at the same time.

use super::chain::Sealed;
use super::record::AuditRecord;
use std::path::PathBuf;

/// Why a store did not do what it should.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct AuditError {
    /// The file or the server, without a password.
    pub place: String,
    /// What is wrong.
    pub why: String,
}

/// What a record must survive before the writer goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// The end of this process.
    Process,
    /// The end of this machine's power.
    Disk,
}

/// The two ends of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The latest record; 0: there is none.
    pub seq: u64,
    /// Its hash.
    pub hash: String,
    /// The last record that was let go; 0: none was.
    pub base_seq: u64,
    /// Its hash.
    pub base_hash: String,
}

impl Default for Head {
    fn default() -> Self {
        let nothing = super::chain::NOTHING.to_owned();
        Self { seq: 0, hash: nothing.clone(), base_seq: 0, base_hash: nothing }
    }
}

/// From where to where records are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Oldest first.
    Rising,
    /// Newest first.
    Falling,
}

/// Keeps records.
pub trait AuditStore: Send {
    /// The file or the server, for people, without a password.
    fn place(&self) -> String;
    /// Seals these records into the chain, all or none. They then survive the end of this process.
    fn append(&mut self, records: &[AuditRecord]) -> Result<(), AuditError>;
    /// The file that must reach the disk before what was appended survives a loss of power; none where `append` sees to it.
    fn unsettled(&self) -> Option<PathBuf>;
    /// The two ends of the chain.
    fn head(&mut self) -> Result<Head, AuditError>;
    /// At most `count` records from number `from` on, in this order.
    fn page(&mut self, from: u64, order: Order, count: usize) -> Result<Vec<Sealed>, AuditError>;
    /// The number of the last record that is older than this; 0 where there is none.
    fn last_before(&mut self, at_ms: u64) -> Result<u64, AuditError>;
    /// Lets all records up to this one go, and seals a record that says so.
    fn forget(&mut self, through: &Sealed, record: AuditRecord) -> Result<(), AuditError>;
    /// Bytes that the records take, where that is known.
    fn bytes(&mut self) -> Option<u64>;
}
