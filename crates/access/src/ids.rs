//! Names that nobody can guess: of keys, jobs, kept outputs.

use formicary_model::{Failure, FailureKind};

/// So many random bytes in hexadecimal.
pub fn random<const BYTES: usize>() -> Result<String, Failure> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::new(FailureKind::Internal, format!("the host gives no random numbers: {error}"))
    })?;
    Ok(hex::encode(bytes))
}
