//! What was learned of a file, kept until the file or the rules change.
//!
//! One file of records, each with the hash of what it was learned from. A changed file adds a record; when more records are
//! dead than alive the file is written anew. It lives in the user's own cache folder: a project must not be able to say
//! what was found in it.

use rustc_hash::FxHashMap;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A larger cache is thrown away.
const MOST_BYTES: u64 = 512 * 1024 * 1024;

/// The hash of everything that facts depend on.
pub type Key = [u8; HASH];
const HASH: usize = 32;
/// A record begins with its key and the length of what follows.
const HEAD: usize = HASH + 4;

/// Kept facts, as bytes.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Where the facts of a key stand; of equal keys the last counts.
    places: FxHashMap<Key, Range<usize>>,
    /// Records in the file.
    records: usize,
}

/// The hash of everything that facts depend on.
pub fn hash(parts: &[&str]) -> Key {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// The same as a text.
pub fn key(parts: &[&str]) -> String {
    blake3::Hash::from_bytes(hash(parts)).to_hex().to_string()
}

impl Cache {
    /// What is kept. A cache that cannot be read is empty: it is only a help.
    pub fn open(path: PathBuf) -> Self {
        let small = path.metadata().is_ok_and(|metadata| metadata.len() <= MOST_BYTES);
        let bytes = if small { std::fs::read(&path).unwrap_or_default() } else { Vec::new() };
        let mut places = FxHashMap::default();
        let (mut at, mut records) = (0, 0);
        while let Some((key, place)) = record(&bytes, at) {
            at = place.end;
            places.insert(key, place);
            records += 1;
        }
        Self { path, bytes, places, records }
    }

    /// What is kept of a key.
    pub fn get(&self, key: &Key) -> Option<&[u8]> {
        self.bytes.get(self.places.get(key)?.clone())
    }

    /// Adds what is new. `alive` are the keys that are in use now.
    pub fn add(&self, new: &[(Key, Vec<u8>)], alive: &[Key]) {
        if new.is_empty() {
            return;
        }
        // Losing the cache costs time, nothing else.
        let _ = if self.records > 2 * alive.len() + 100 || self.records == 0 {
            self.write_anew(new, alive)
        } else {
            self.append(new)
        };
    }

    fn append(&self, new: &[(Key, Vec<u8>)]) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        new.iter().for_each(|(key, facts)| put(&mut bytes, key, facts));
        std::fs::OpenOptions::new().append(true).open(&self.path)?.write_all(&bytes)
    }

    fn write_anew(&self, new: &[(Key, Vec<u8>)], alive: &[Key]) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        std::fs::create_dir_all(folder)?;
        let mut bytes = Vec::new();
        for key in alive {
            if let Some(facts) = self.get(key) {
                put(&mut bytes, key, facts);
            }
        }
        new.iter().for_each(|(key, facts)| put(&mut bytes, key, facts));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&bytes)?;
        file.persist(&self.path)?;
        Ok(())
    }
}

/// The record at a place: its key, and where its facts stand. None at the end, and where it is broken.
fn record(bytes: &[u8], at: usize) -> Option<(Key, Range<usize>)> {
    let head = bytes.get(at..at + HEAD)?;
    let (key, length) = head.split_at(HASH);
    let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
    let start = at + HEAD;
    let end = start.checked_add(length).filter(|end| *end <= bytes.len())?;
    Some((key.try_into().ok()?, start..end))
}

fn put(bytes: &mut Vec<u8>, key: &Key, facts: &[u8]) {
    // What is too long for its length is not kept.
    let Ok(length) = u32::try_from(facts.len()) else { return };
    bytes.extend_from_slice(key);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(facts);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_back_and_rubbish_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/cache");
        let keys = [hash(&["a"]), hash(&["b"]), hash(&["a", ""])];
        Cache::open(path.clone()).add(&[(keys[0], vec![1, 2])], &keys[..1]);
        Cache::open(path.clone()).add(&[(keys[1], vec![3])], &keys[..2]);
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&[7; 50]).unwrap();
        let cache = Cache::open(path);
        assert_eq!(cache.get(&keys[0]), Some(&[1, 2][..]));
        assert_eq!(cache.get(&keys[1]), Some(&[3][..]));
        assert_eq!(cache.get(&keys[2]), None, "parts are told apart");
    }

    #[test]
    fn the_dead_are_buried() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        let alive = [hash(&["alive"]), hash(&["new"])];
        let mut first: Vec<(Key, Vec<u8>)> =
            (0..200).map(|number: u32| (hash(&[&number.to_string()]), vec![0; 100])).collect();
        first.push((alive[0], vec![9]));
        Cache::open(path.clone()).add(&first, &[]);
        let large = path.metadata().unwrap().len();
        Cache::open(path.clone()).add(&[(alive[1], vec![8])], &alive);
        assert!(path.metadata().unwrap().len() < large / 50);
        let cache = Cache::open(path);
        assert_eq!((cache.get(&alive[0]), cache.get(&alive[1])), (Some(&[9][..]), Some(&[8][..])));
    }
}
