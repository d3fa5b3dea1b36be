//! From a checked request to a result: what is prepared, what is run, what is told.

pub mod assemble;
pub mod fingerprint;
pub mod phases;
pub mod prepare;
pub mod run_id;
pub mod slot;
pub mod tell;
