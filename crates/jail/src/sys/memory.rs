//! Memory that an interpreter shares with its forks until one of them writes.
//!
//! Each first write to such a page costs a fault and a copy, and a program that ends touches most of them. A fork that
//! waits for its program has the time to get its own copies before.

use super::files;
use super::raw::{Fd, sys};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

const PAGE: usize = 4096;
const PRESENT: u64 = 1 << 63;
/// The page is a file's, or memory that is meant to be shared.
const OF_A_FILE: u64 = 1 << 61;
const POPULATE_WRITE: usize = 23;

/// Ranges of pages that this process alone has written to, as (address, length).
pub fn own_pages() -> Vec<(usize, usize)> {
    let (Ok(maps), Ok(entries)) =
        (files::open_read("/proc/self/maps"), files::open_read("/proc/self/pagemap"))
    else {
        return Vec::new();
    };
    let text = String::from_utf8(super::socket::read_to_end(maps.raw())).unwrap_or_default();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let (range, rights) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let Some((start, end)) = range.split_once('-') else { continue };
        let number = |text: &str| usize::from_str_radix(text, 16).unwrap_or(0);
        if rights.starts_with("rw") && rights.ends_with('p') {
            add_own(&entries, number(start), number(end), &mut found);
        }
    }
    found
}

fn add_own(entries: &Fd, start: usize, end: usize, found: &mut Vec<(usize, usize)>) {
    const AT_ONCE: usize = 4096;
    let mut buffer = vec![0u64; AT_ONCE.min((end - start) / PAGE)];
    let mut at = start;
    while at < end {
        let wanted = ((end - at) / PAGE).min(buffer.len()) * size_of::<u64>();
        let offset = at / PAGE * size_of::<u64>();
        // SAFETY: the buffer is at least this long.
        let got = unsafe { sys!(libc::SYS_pread64, entries.raw(), buffer.as_mut_ptr(), wanted, offset) };
        let Ok(got @ 8..) = got else { return };
        for entry in &buffer[..got / size_of::<u64>()] {
            if entry & PRESENT != 0 && entry & OF_A_FILE == 0 {
                match found.last_mut() {
                    Some((address, length)) if *address + *length == at => *length += PAGE,
                    _ => found.push((at, PAGE)),
                }
            }
            at += PAGE;
        }
    }
}

/// Has this process's own copies made of these pages. Where it cannot be done, they are made as they are written to.
pub fn copy_ahead(pages: &[(usize, usize)]) {
    for (address, length) in pages {
        // SAFETY: the call changes nothing that a program can see.
        let _ = unsafe { sys!(libc::SYS_madvise, *address, *length, POPULATE_WRITE) };
    }
}
