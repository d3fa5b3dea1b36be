//! Bringing produced files back through the guest agent. It lists and reads; what is wanted is decided here, by the same
//! rules as [`crate::collect`].

use crate::collect::Collection;
use crate::job::Collected;
use formicary_guest::message::{Entry, EntryKind};
use formicary_model::{CollectRequest, SkippedArtifact};
use globset::GlobSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Left-out files that are listed; more are counted in one line.
const MAX_SKIPPED: usize = 100;

/// Decides over a list, and asks `fetch` for one file after another.
pub fn gather<E>(
    entries: &[Entry],
    request: &CollectRequest,
    patterns: &GlobSet,
    mut fetch: impl FnMut(usize) -> Result<Result<Vec<u8>, String>, E>,
) -> Result<Collection, E> {
    let mut found = Collection::default();
    let mut bytes_left = request.max_bytes;
    let mut unlisted = 0;
    for (number, entry) in entries.iter().enumerate() {
        let path = Path::new(OsStr::from_bytes(&entry.path));
        let shown = || path.to_string_lossy().into_owned();
        let refusal = match &entry.kind {
            EntryKind::Closed(why) => Some(why.clone()),
            _ if !patterns.is_match(path) => continue,
            EntryKind::Other => Some("not an ordinary file".into()),
            EntryKind::File if found.files.len() as u64 >= request.max_files => {
                Some(format!("more than {} files", request.max_files))
            }
            EntryKind::File if entry.size > bytes_left => {
                Some(format!("{} bytes exceed what may be brought back", entry.size))
            }
            EntryKind::File => match fetch(number)? {
                // What claims to be smaller than it is was read as far as it claimed.
                Ok(content) if content.len() as u64 <= bytes_left => {
                    bytes_left -= content.len() as u64;
                    found.files.push(Collected { path: shown(), content, executable: entry.executable });
                    None
                }
                Ok(_) => Some("it grew while it was read".into()),
                Err(why) => Some(why),
            },
        };
        match refusal {
            Some(_) if found.skipped.len() >= MAX_SKIPPED => unlisted += 1,
            Some(why) => found.skipped.push(SkippedArtifact { path: shown(), why }),
            None => {}
        }
    }
    if unlisted > 0 {
        let why = format!("{unlisted} more were left out");
        found.skipped.push(SkippedArtifact { path: "…".into(), why });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect;

    fn entry(path: &str, size: u64, kind: EntryKind) -> Entry {
        Entry { path: path.into(), size, kind, executable: false }
    }

    #[test]
    fn the_rules_are_the_collectors() {
        let request = CollectRequest { globs: vec!["**/*.txt".into()], max_files: 2, max_bytes: 10 };
        let entries = [
            entry("a.txt", 4, EntryKind::File),
            entry("b.log", 4, EntryKind::File),
            entry("big.txt", 100, EntryKind::File),
            entry("c/d.txt", 4, EntryKind::File),
            entry("e.txt", 1, EntryKind::File),
            entry("link.txt", 1, EntryKind::Other),
            entry("shut", 0, EntryKind::Closed("no".into())),
        ];
        let patterns = collect::patterns(&request).unwrap();
        let fetch = |number: usize| Ok::<_, ()>(Ok(vec![b'x'; entries[number].size as usize]));
        let found = gather(&entries, &request, &patterns, fetch).unwrap();
        let names = |list: Vec<&str>| list.join(" ");
        assert_eq!(names(found.files.iter().map(|file| file.path.as_str()).collect()), "a.txt c/d.txt");
        assert_eq!(
            names(found.skipped.iter().map(|skipped| skipped.path.as_str()).collect()),
            "big.txt e.txt link.txt shut"
        );
    }
}
