//! Memory that an interpreter shares with its forks until one of them writes.
//!
//! Each first write to such a page costs a fault and a copy. A fork that waits for its program has the time to get its
//! own copies before, of those pages that nearly every program writes to.

use super::raw::sys;
use alloc::vec::Vec;

const PAGE: usize = 4096;
const POPULATE_WRITE: usize = 23;

/// Ranges of pages as (address, length), from the numbers of these pages in rising order, 8 bytes each.
pub fn ranges(numbers: &[u8]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for number in numbers.as_chunks().0 {
        let Some(at) = usize::from_ne_bytes(*number).checked_mul(PAGE) else { continue };
        match found.last_mut() {
            Some((address, length)) if *address + *length == at => *length += PAGE,
            _ => found.push((at, PAGE)),
        }
    }
    found
}

/// Has this process's own copies made of these pages. Where it cannot be done, they are made as they are written to.
pub fn copy_ahead(pages: &[(usize, usize)]) {
    for (address, length) in pages {
        // SAFETY: the call changes nothing that a program can see.
        let _ = unsafe { sys!(libc::SYS_madvise, *address, *length, POPULATE_WRITE) };
    }
}
