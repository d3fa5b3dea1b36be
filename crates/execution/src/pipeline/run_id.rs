//! Names of runs: ordered by time, not to be guessed.

use formicary_model::{Failure, FailureKind};
use std::time::{SystemTime, UNIX_EPOCH};

/// 48 bits of milliseconds and 80 random bits in 26 lower-case characters that sort by time.
pub fn new() -> Result<String, Failure> {
    let mut random = [0_u8; 10];
    getrandom::fill(&mut random).map_err(|error| {
        Failure::new(FailureKind::Internal, format!("the system gives no random numbers: {error}"))
    })?;
    Ok(encode(now_ms(), random))
}

/// Milliseconds since the Unix epoch.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn encode(milliseconds: u64, random: [u8; 10]) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut value = u128::from(milliseconds & 0xffff_ffff_ffff) << 80;
    for (index, byte) in random.into_iter().enumerate() {
        value |= u128::from(byte) << (8 * index);
    }
    (0..26).rev().map(|digit| char::from(ALPHABET[(value >> (5 * digit)) as usize & 31])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time_and_differ() {
        assert!(encode(1, [255; 10]) < encode(2, [0; 10]));
        assert!(encode(999, [255; 10]) < encode(1_000_000, [0; 10]));
        let (first, second) = (new().unwrap(), new().unwrap());
        assert_eq!(first.len(), 26);
        assert_ne!(first, second);
    }
}
